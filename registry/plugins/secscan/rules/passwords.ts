import { fold } from '../../../../lib/store/stored-text.ts';
import { COMMON_PASSWORDS } from '../lists/known-words.ts';
import type { PostText } from '../text/post-text.ts';
import type { PostRule } from './rule.ts';

const SHORTEST = 8;

function toBare(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function isOfPost({ password, slug, title }: PostText): boolean {
  const words = [title, slug, ...title.split(/\s+/), ...slug.split('-')].map(toBare);
  return words.includes(toBare(password));
}

type Weakness = 'empty' | 'short' | 'common' | 'title' | null;

/** The first weakness of the password of a post; null if it is strong or if there is none. */
export function findWeakness(post: PostText): Weakness {
  const password = post.password.trim();
  if (post.password === '') return null;
  if (password === '') return 'empty';
  if ([...password].length < SHORTEST) return 'short';
  if (COMMON_PASSWORDS.has(password.toLowerCase())) return 'common';
  return isOfPost(post) ? 'title' : null;
}

const ROWS: readonly (readonly [weakness: Exclude<Weakness, null>, message: string])[] = [
  ['empty', 'The password of the post is blank.'],
  ['short', `The password of the post has fewer than ${SHORTEST} characters.`],
  ['common', 'The password of the post is one of the most common passwords.'],
  ['title', 'The password of the post is part of its title or address.'],
];

/** Rules about passwords of posts. Their issues never contain the password. */
export const passwordRules: readonly PostRule[] = ROWS.map(([weakness, message]) => ({
  id: `password-${weakness}`,
  type: 'easyPassword',
  severity: 75,
  message,
  check: (post) =>
    post.kind === 'post' && findWeakness(post) === weakness ? [{ shown: weakness, full: post.password }] : [],
}));
