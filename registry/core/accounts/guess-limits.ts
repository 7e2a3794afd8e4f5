import { hash } from 'node:crypto';
import { engineError, type RestError } from '../../../lib/core/errors.ts';
import { toCallerNetwork } from '../../../lib/http/caller-network.ts';

/** Counts attempts by key within a time window, in the memory of this process. */
interface Throttle {
  /** Seconds until the key may try again; 0 if it may now. Does not count an attempt. */
  wait(key: string): number;
  /** Counts one attempt. @returns seconds to wait; 0 if the attempt is within the limit */
  attempt(key: string): number;
}

interface Window {
  readonly began: number;
  count: number;
}

const MAX_KEYS = 10_000;

/** Callers choose keys of any length. The digest has a fixed length and does not share memory with the text that was sent. */
function toDigest(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** `limit`: attempts per key in `windowMs` milliseconds. At most 10,000 keys are kept; the oldest are dropped first. */
export function createThrottle(now: () => number, limit: number, windowMs: number): Throttle {
  const windows = new Map<string, Window>();
  /** Milliseconds until a window ends; 0 if it has ended, or began later than now, because the clock was set back. */
  const leftOf = ({ began }: Window, time: number): number =>
    began > time ? 0 : Math.max(0, began + windowMs - time);
  return {
    wait(key) {
      const window = windows.get(toDigest(key));
      return window === undefined || window.count < limit ? 0 : Math.ceil(leftOf(window, now()) / 1000);
    },
    attempt(key) {
      const time = now();
      const digest = toDigest(key);
      let window = windows.get(digest);
      if (window === undefined || leftOf(window, time) === 0) {
        window = { began: time, count: 0 };
        windows.delete(digest);
        windows.set(digest, window);
        const [oldest] = windows.keys();
        if (windows.size > MAX_KEYS && oldest !== undefined) windows.delete(oldest);
      }
      window.count += 1;
      return window.count <= limit ? 0 : Math.ceil(leftOf(window, time) / 1000);
    },
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Limits for wrong guesses. A target is what the secret protects: an account, a post. */
export interface GuessBounds {
  /** For one target from one address, per minute. */
  readonly atTargetFromAddress: number;
  /** For one address and all targets, per minute. */
  readonly fromAddress: number;
  /** For one target from all addresses together, per hour. */
  readonly atTarget: number;
}

/** A guess by an address at a `target`, such as a login. `address`: network address of the caller; '' if unknown. */
interface Guess {
  readonly target: string;
  readonly address: string;
}

/** Slows down guessing, without locking out a caller for the guesses of others. */
interface GuessLimits {
  /** Called before a guess is checked, and again afterwards if the check took time. @throws RestError `rest_too_many_attempts` */
  check(guess: Guess): void;
  /** Counts a wrong guess. @throws RestError `rest_too_many_attempts` if all addresses together exceed the limit for the target */
  fail(guess: Guess): void;
  /** Whether all addresses together exceed the limit for the target. */
  isUnderAttack(target: string): boolean;
}

/** Counts attempts by the address of the caller. Callers without an address are not counted, because the attempts of one would block all of them. */
export interface AddressThrottle {
  /** Seconds to wait; 0 for none. Does not count an attempt. */
  wait(guess: Guess): number;
  /** Counts one attempt. @returns seconds to wait; 0 if it is within the limit */
  attempt(guess: Guess): number;
}

/** `limit`: attempts per target and `windowMs` from one IPv4 address or one IPv6 /64. */
export function createAddressThrottle(now: () => number, limit: number, windowMs: number): AddressThrottle {
  const throttle = createThrottle(now, limit, windowMs);
  const toKey = ({ target, address }: Guess): string => `${toCallerNetwork(address)}\0${target}`;
  return {
    wait: (guess) => (guess.address === '' ? 0 : throttle.wait(toKey(guess))),
    attempt: (guess) => (guess.address === '' ? 0 : throttle.attempt(toKey(guess))),
  };
}

/** The error for a wait of `wait` seconds. */
function tooManyAttempts(wait: number, message?: string): RestError {
  return engineError('rest_too_many_attempts', {
    headers: { 'Retry-After': String(wait) },
    message,
  });
}

/**
 * Limits guesses per address, and per target for all addresses together. Beyond the limit of a target, an address without
 * failures at this target may still guess: the owner can log in from a usual address, and an attacker gets one guess per hour
 * and address. `message`: of the error.
 */
export function createGuessLimits(now: () => number, bounds: GuessBounds, message?: string): GuessLimits {
  const perPair = createAddressThrottle(now, bounds.atTargetFromAddress, MINUTE);
  const perAddress = createAddressThrottle(now, bounds.fromAddress, MINUTE);
  const perTarget = createThrottle(now, bounds.atTarget, HOUR);
  const failed = createAddressThrottle(now, 1, HOUR);
  const refuse = (wait: number): void => {
    if (wait > 0) throw tooManyAttempts(wait, message);
  };
  const anywhere = ({ address }: Guess): Guess => ({ target: '', address });
  return {
    check(guess) {
      const attacked = perTarget.wait(guess.target);
      refuse(
        Math.max(
          perPair.wait(guess),
          perAddress.wait(anywhere(guess)),
          Math.min(attacked, failed.wait(guess)),
        ),
      );
    },
    fail(guess) {
      const attacked = perTarget.wait(guess.target);
      perPair.attempt(guess);
      perAddress.attempt(anywhere(guess));
      failed.attempt(guess);
      perTarget.attempt(guess.target);
      refuse(attacked);
    },
    isUnderAttack: (target) => perTarget.wait(target) > 0,
  };
}
