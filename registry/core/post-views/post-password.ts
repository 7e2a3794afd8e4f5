import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Limiter } from '../../../lib/core/limiter.ts';
import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { Call } from '../../../lib/route/call.ts';
import { type GuessBounds, createGuessLimits } from '../accounts/guess-limits.ts';
import { postError } from '../records/post-errors.ts';
import type { PostRecord } from '../records/post-record.ts';

type Protected = Pick<PostRecord, 'id' | 'password'>;

const BOUNDS: GuessBounds = { atTargetFromAddress: 60, fromAddress: 300, atTarget: 1000 };
const REFUSAL = 'Too many wrong passwords. Wait before trying again.';

/** Limit under attack for guesses of callers without a network address: 40 per second, and 64 that wait. */
const SLOW_GUESSES = { atOnce: 2, waiting: 64 };
const SLOW_MS = 50;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether this is the password of a protected post. The comparison takes constant time. */
export function isPassword(post: Pick<PostRecord, 'password'>, given: string): boolean {
  return given !== '' && post.password !== '' && timingSafeEqual(digest(given), digest(post.password));
}

/** Checks the passwords that callers send, and slows down guessing. */
export interface PasswordGuard {
  /** @throws RestError `rest_post_incorrect_password` if the password is wrong, `rest_too_many_attempts` */
  check(call: Call, post: Protected, given: unknown): MaybePromise<void>;
  /** Returns the ids of the posts of a list that the password opens. @throws RestError `rest_too_many_attempts` */
  open(call: Call, posts: readonly Protected[], given: string | undefined): Promise<ReadonlySet<number>>;
}

/** Guesses are counted in the memory of this process, for each post, and together for all lists. */
export function createPasswordGuard(now: () => number): PasswordGuard {
  const limits = createGuessLimits(now, BOUNDS, REFUSAL);
  const slow = new Limiter(SLOW_GUESSES);
  const judge = async (
    { request: { address } }: Call,
    target: string,
    isRight: () => boolean,
  ): Promise<boolean> => {
    const guess = { target, address };
    limits.check(guess);
    if (address === '' && limits.isUnderAttack(target)) await slow.run(() => setTimeout(SLOW_MS));
    if (isRight()) return true;
    limits.fail(guess);
    return false;
  };
  return {
    check: (call, post, given) => {
      if (typeof given !== 'string' || given === '') return undefined;
      // Checked once per request even if several permissions ask, so that one guess counts once. The cached promise also keeps a refusal.
      return call.once(`password ${post.id}`, async () => {
        if (!(await judge(call, `post ${post.id}`, () => isPassword(post, given))))
          throw postError('rest_post_incorrect_password');
      });
    },
    async open(call, posts, given) {
      const closed = given === undefined || given === '' ? [] : posts.filter((post) => post.password !== '');
      if (given === undefined || closed.length === 0) return new Set();
      const opened = closed.filter((post) => isPassword(post, given));
      await judge(call, 'list', () => opened.length > 0);
      return new Set(opened.map((post) => post.id));
    },
  };
}
