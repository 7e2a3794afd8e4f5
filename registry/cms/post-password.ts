import { createHash, timingSafeEqual } from 'node:crypto';
import type { Call } from '../../lib/call.ts';
import { engineError } from '../../lib/errors.ts';
import { createThrottle } from '../site/throttle.ts';
import { postError } from './errors.ts';
import type { PostRecord } from './post-record.ts';

type Protected = Pick<PostRecord, 'id' | 'password'>;

const MINUTE = 60_000;
/** Wrong passwords a minute from one address: for one post, and for lists. */
const GUESSES = 60;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether this is the password of a protected post. Takes the same time however much of it is right. */
export function isPassword(post: Pick<PostRecord, 'password'>, given: string): boolean {
  return given !== '' && post.password !== '' && timingSafeEqual(digest(given), digest(post.password));
}

/** Judges passwords that callers name, and slows down those who guess. */
export interface PasswordGuard {
  /** @throws RestError `rest_post_incorrect_password` for one that is given and is not that of the post, `rest_too_many_attempts` */
  check(call: Call, post: Protected, given: unknown): void | Promise<void>;
  /** Of the posts of a list those that the password opens. @throws RestError `rest_too_many_attempts` */
  open(call: Call, posts: readonly Protected[], given: string | undefined): ReadonlySet<number>;
}

/** Guesses are counted by address in the memory of this process. */
export function createPasswordGuard(now: () => number): PasswordGuard {
  const throttle = createThrottle(now, GUESSES, MINUTE);
  const judge = ({ request }: Call, target: string, isRight: () => boolean): boolean => {
    const key = `${target} ${request.address}`;
    const wait = throttle.wait(key);
    if (wait > 0) throw engineError('rest_too_many_attempts', { message: 'Too many wrong passwords. Wait before trying again.', headers: { 'Retry-After': String(wait) } });
    if (isRight()) return true;
    throttle.attempt(key);
    return false;
  };
  return {
    check: (call, post, given) => {
      if (typeof given !== 'string' || given === '') return undefined;
      // Asked once by request, however often its right is asked for, so that one guess counts once: a promise keeps a refusal, too.
      return call.once(`password ${post.id}`, async () => {
        if (!judge(call, `post ${post.id}`, () => isPassword(post, given))) throw postError('rest_post_incorrect_password');
      });
    },
    open(call, posts, given) {
      const closed = given === undefined || given === '' ? [] : posts.filter((post) => post.password !== '');
      if (given === undefined || closed.length === 0) return new Set();
      const opened = closed.filter((post) => isPassword(post, given));
      judge(call, 'list', () => opened.length > 0);
      return new Set(opened.map((post) => post.id));
    },
  };
}
