import { mayEditPost, maySeePost } from '../entitled.ts';
import type { Caller } from '../fixture.ts';

// The visibility rules of the core controllers, written independently of the registry.

/** What the rules of a page or a book depend on. */
export interface Held {
  readonly kind: 'page' | 'book';
  readonly author: number;
  readonly status: string;
  readonly trashed_from: string;
  readonly password: string;
}

const MODERATORS: ReadonlySet<string> = new Set(['administrator', 'editor']);
/** Roles that write for the site. */
const WRITERS: ReadonlySet<string> = new Set([...MODERATORS, 'author', 'contributor']);

export const isAdmin = ({ role }: Caller): boolean => role === 'administrator';
export const isModerator = ({ role }: Caller): boolean => MODERATORS.has(role);
export const isWriter = ({ role }: Caller): boolean => WRITERS.has(role);

const isOwn = ({ id }: Caller, { author }: { readonly author: number }): boolean => id !== 0 && id === author;

/** A book has the rights of posts. Pages are edited by editors alone. */
export function mayEdit(caller: Caller, held: Held): boolean {
  return held.kind === 'book' ? mayEditPost(caller, held) : isModerator(caller);
}

/** Authors also see their own private and pending pages, which they cannot edit. */
export function maySee(caller: Caller, held: Held): boolean {
  if (held.kind === 'book') return maySeePost(caller, held);
  if (held.status === 'publish' || isModerator(caller)) return true;
  return (
    isOwn(caller, held) && (held.status === 'private' || (held.status === 'pending' && isWriter(caller)))
  );
}

/** Whether the caller sees the texts that a password protects without sending it. */
export function mayOpen(caller: Caller, held: Held): boolean {
  return maySee(caller, held) && (held.password === '' || mayEdit(caller, held));
}

export interface HeldMedia {
  readonly author: number;
  readonly status: string;
  /** null: attached to nothing. */
  readonly parent: Held | null;
}

export function mayEditMedia(caller: Caller, { author }: Pick<HeldMedia, 'author'>): boolean {
  return isModerator(caller) || (caller.role === 'author' && caller.id === author);
}

/** A file is as visible as what it is attached to. */
export function maySeeMedia(caller: Caller, media: HeldMedia): boolean {
  if (media.status !== 'inherit') return mayEditMedia(caller, media);
  return media.parent === null || maySee(caller, media.parent);
}

export interface HeldComment {
  readonly author: number;
  readonly status: string;
  readonly on: Held;
}

/** Held comments, spam and trash are for moderators, for those who may edit the post, and for their author. */
export function maySeeComment(caller: Caller, { status, author, on }: HeldComment): boolean {
  if (isModerator(caller)) return true;
  return mayOpen(caller, on) && (status === 'approved' || mayEdit(caller, on) || isOwn(caller, { author }));
}

export interface HeldUser {
  readonly id: number;
  readonly role: string;
  readonly hasPublished: boolean;
}

/** Writers may list those who can write (`who=authors`). All others see who has published something. */
export function maySeeUser(caller: Caller, { id, role, hasPublished }: HeldUser): boolean {
  return isAdmin(caller) || caller.id === id || hasPublished || (isWriter(caller) && WRITERS.has(role));
}
