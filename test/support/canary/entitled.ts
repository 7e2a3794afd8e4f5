import type { CanaryPost, Caller } from './fixture.ts';
import { FIELDS, type Field } from './words.ts';

// Who may see what, written down once more and apart from the registry: the tests hold the registry to this table.

const EVERYTHING: ReadonlySet<string> = new Set(['administrator', 'editor']);

/** What a writer may do with posts of their own, by role: statuses that they may edit. A trashed post counts as what it was. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  author: ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'],
  contributor: ['draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'],
};

/** Roles that may ask for posts that are not public at all. */
const WRITERS: ReadonlySet<string> = new Set([...EVERYTHING, ...Object.keys(OWN)]);

export function mayWrite({ role }: Caller): boolean {
  return WRITERS.has(role);
}

export function mayEditPost(caller: Caller, post: CanaryPost): boolean {
  if (EVERYTHING.has(caller.role)) return true;
  const status = post.trashed_from === '' ? post.status : post.trashed_from;
  return caller.id === post.author && (OWN[caller.role] ?? []).includes(status);
}

export function maySeePost(caller: Caller, post: CanaryPost): boolean {
  if (post.status === 'publish') return true;
  if (post.status === 'private' && caller.id !== 0 && caller.id === post.author) return true;
  return mayEditPost(caller, post);
}

/** Whether the caller may ever be shown this field. `knowsPassword`: the request named the post's password. */
export function maySeeField(caller: Caller, post: CanaryPost, { field, knowsPassword }: { field: Field; knowsPassword: boolean }): boolean {
  const kind = FIELDS[field];
  if (kind === 'kept') return mayEditPost(caller, post);
  if (kind === 'shown' || post.password === '') return maySeePost(caller, post);
  return mayEditPost(caller, post) || (knowsPassword && maySeePost(caller, post));
}
