import { engineError, type RestError } from '../../../lib/core/errors.ts';
import { toCallerNetwork } from '../../../lib/http/caller-network.ts';
import { createThrottle } from '../limits/throttle.ts';

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
    ...(message === undefined ? {} : { message }),
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
