import { createHash } from 'node:crypto';
import { can } from '../../../lib/core/identity.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, eq, not, or, type Predicate } from '../../../lib/store/query.ts';
import type { PostRecord } from '../records/post-record.ts';
import { MODERATE, NOTE, type CommentDeps } from './deps.ts';
import { commentError } from './errors.ts';

/** Who wrote a comment where, and what. */
export interface Written {
  readonly post: number;
  readonly parent: number;
  readonly author: number;
  readonly author_name: string;
  readonly author_email: string;
  readonly author_ip: string;
  readonly content: string;
}

/** Time between two comments of one author. */
const PACE_MS = 15_000;
/** A comment with this many links is held. */
const MANY_LINKS = 2;

const digest = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** The same text by the same author in the same place. Only one comment that is not in the trash has it. */
export function toSameness({
  post,
  parent,
  author_name: name,
  author_email: email,
  content,
}: Written): string {
  return digest(post, parent, name, email, content);
}

/** The author and the quarter of a minute; '' for moderators, who may write as fast as they like. */
export function toPace(
  { author, author_ip: ip, author_email: email }: Written,
  { identity }: Call,
  now: number,
): string {
  return can(identity, MODERATE)
    ? ''
    : digest(author === 0 ? ip || email : author, Math.floor(now / PACE_MS));
}

async function exists({ store }: CommentDeps, where: Predicate): Promise<boolean> {
  return (await store.find({ collection: 'comments', where, limit: 1, fields: [] })).records.length > 0;
}

/** @throws RestError `comment_duplicate`, `comment_flood` */
export async function refuseRepeated(context: CommentDeps, call: Call, written: Written): Promise<void> {
  const { post, parent, author, author_name: name, author_email: email, author_ip: ip, content } = written;
  const sameAuthor = [
    ...(name === '' ? [] : [eq('author_name', name)]),
    ...(email === '' ? [] : [eq('author_email', email)]),
  ];
  // The digest of the text would not find the same text under another name with the same address.
  const same = and(eq('post', post), eq('parent', parent), not(eq('status', 'trash')), or(...sameAuthor), {
    op: 'equalsFolded',
    field: 'content',
    text: content,
  });
  const { records } = await context.store.find({ collection: 'comments', where: same, fields: ['content'] });
  if (records.some((record) => record['content'] === content)) throw commentError('comment_duplicate');
  if (can(call.identity, MODERATE)) return;
  const byAuthor = [
    ...(author === 0 ? (ip === '' ? [] : [eq('author_ip', ip)]) : [eq('author', author)]),
    ...(email === '' ? [] : [eq('author_email', email)]),
  ];
  if (
    await exists(
      context,
      and({ op: 'gt', field: 'written', value: context.now() - PACE_MS }, or(...byAuthor)),
    )
  )
    throw commentError('comment_flood');
}

export const countLinks = (content: string): number =>
  (content.match(/<a\s[^>]*/gi) ?? []).filter((tag) => /href/i.test(tag)).length;

/**
 * The status of a new comment: approved if its author moderates or wrote the post, or was approved before; otherwise held.
 * A visitor was approved before if a visitor's comment with this name and address was, so that nobody gains trust with the address of a user.
 */
export async function toFirstStatus(
  context: CommentDeps,
  call: Call,
  { post, written }: { post: PostRecord; written: Written },
): Promise<string> {
  const { author, author_name: name, author_email: email, content } = written;
  const isSelf = author !== 0 && author === call.identity.id;
  if (isSelf && (can(call.identity, MODERATE) || post.author === author)) return 'approved';
  if (countLinks(content) >= MANY_LINKS || name === '' || email === '') return 'hold';
  const before = isSelf
    ? [eq('author', author)]
    : [eq('author', 0), eq('author_email', email), eq('author_name', name)];
  // Who edits a post approves notes on it.
  const isApproved = and(...before, eq('status', 'approved'), not(eq('type', NOTE)));
  return (await exists(context, isApproved)) ? 'approved' : 'hold';
}
