import { engineError, type RestError } from '../../lib/core/errors.ts';
import { toCallerNetwork } from './caller-network.ts';
import { createThrottle } from './throttle.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Wrong guesses that are taken. A target is what has the secret: an account, a post. */
export interface GuessBounds {
  /** At one target from one address, in a minute. */
  readonly atTargetFromAddress: number;
  /** From one address, whatever the target, in a minute. */
  readonly fromAddress: number;
  /** At one target from all addresses together, in an hour. */
  readonly atTarget: number;
}

/** Who guesses at what. `address`: of the caller; '': unknown. */
export interface Guess {
  readonly target: string;
  readonly address: string;
}

/** Slows down those who guess, and locks nobody out for what others do. */
export interface GuessLimits {
  /** Asked before a guess is judged, and again after it where judging took time. @throws RestError `rest_too_many_attempts` */
  check(guess: Guess): void;
  /** Counts a wrong guess. @throws RestError `rest_too_many_attempts` when the target has had too many from all addresses together */
  fail(guess: Guess): void;
  /** Whether the target has had too many from all addresses together. */
  isUnderAttack(target: string): boolean;
}

/** A way to count by the address of the caller. Callers without one are not counted: what one of them did would be held against all. */
export interface AddressThrottle {
  /** Seconds to wait, 0: none. Counts nothing. */
  wait(guess: Guess): number;
  /** Counts one attempt. @returns seconds to wait, 0 when it is within the limit. */
  attempt(guess: Guess): number;
}

/** `limit`: attempts in `windowMs` from one IPv4 address or one /64 of IPv6, at each target. */
export function createAddressThrottle(now: () => number, limit: number, windowMs: number): AddressThrottle {
  const throttle = createThrottle(now, limit, windowMs);
  const toKey = ({ target, address }: Guess): string => `${toCallerNetwork(address)}\0${target}`;
  return {
    wait: (guess) => (guess.address === '' ? 0 : throttle.wait(toKey(guess))),
    attempt: (guess) => (guess.address === '' ? 0 : throttle.attempt(toKey(guess))),
  };
}

/** The error of `wait` seconds. */
export function tooManyAttempts(wait: number, message?: string): RestError {
  return engineError('rest_too_many_attempts', { headers: { 'Retry-After': String(wait) }, ...(message === undefined ? {} : { message }) });
}

/**
 * Bounds guesses from each address, and at each target from all addresses together. When a target has had too many, an
 * address that has not failed at it is still heard: the owner comes in from his own, and an attacker has one guess an
 * hour for each address. `message`: of the refusal.
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
      refuse(Math.max(perPair.wait(guess), perAddress.wait(anywhere(guess)), Math.min(attacked, failed.wait(guess))));
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
