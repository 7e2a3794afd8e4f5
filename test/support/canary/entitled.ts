import type { CanaryPost, Caller } from './fixture.ts';
import { FIELDS, type Field } from './words.ts';

// The visibility rules, written independently of the registry. The tests check the registry against this table.

const EVERYTHING: ReadonlySet<string> = new Set(['administrator', 'editor']);

/** Statuses of their own posts that writers may edit, by role. A trashed post keeps its former status here. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  author: ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'],
  contributor: ['draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'],
};

/** Roles that may request posts that are not public. */
const WRITERS: ReadonlySet<string> = new Set([...EVERYTHING, ...Object.keys(OWN)]);

export function mayWrite({ role }: Caller): boolean {
  return WRITERS.has(role);
}

/** What the right to see or edit a post depends on. */
type Held = Pick<CanaryPost, 'author' | 'status' | 'trashed_from'>;

export function mayEditPost(caller: Caller, post: Held): boolean {
  if (EVERYTHING.has(caller.role)) return true;
  const status = post.trashed_from === '' ? post.status : post.trashed_from;
  return caller.id === post.author && (OWN[caller.role] ?? []).includes(status);
}

export function maySeePost(caller: Caller, post: Held): boolean {
  if (post.status === 'publish') return true;
  if (post.status === 'private' && caller.id !== 0 && caller.id === post.author) return true;
  return mayEditPost(caller, post);
}

/** Whether the caller may see this field. `knowsPassword`: the request contained the password of the post. */
export function maySeeField(
  caller: Caller,
  post: CanaryPost,
  { field, knowsPassword }: { field: Field; knowsPassword: boolean },
): boolean {
  const kind = FIELDS[field];
  if (kind === 'kept') return mayEditPost(caller, post);
  if (kind === 'shown' || post.password === '') return maySeePost(caller, post);
  return mayEditPost(caller, post) || (knowsPassword && maySeePost(caller, post));
}
