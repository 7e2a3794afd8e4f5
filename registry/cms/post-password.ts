import { createHash, timingSafeEqual } from 'node:crypto';
import { postError } from './errors.ts';
import type { PostRecord } from './post-record.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether this is the password of a protected post. Takes the same time however much of it is right. */
export function isPassword(post: Pick<PostRecord, 'password'>, given: unknown): boolean {
  return typeof given === 'string' && given !== '' && post.password !== '' && timingSafeEqual(digest(given), digest(post.password));
}

/** @throws RestError `rest_post_incorrect_password` for a password that is given and is not that of the post (BEHAVIOUR.md 6). */
export function checkPassword(post: Pick<PostRecord, 'password'>, given: unknown): void {
  if (typeof given === 'string' && given !== '' && !isPassword(post, given)) throw postError('rest_post_incorrect_password');
}
