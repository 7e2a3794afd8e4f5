import { createHmac, randomBytes } from 'node:crypto';
import { Limiter } from '../../../lib/core/limiter.ts';
import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import {
  NOBODYS_HASHES,
  hashPassword,
  isFastHash,
  isGenerated,
  isOutdated,
  isPasswordOfFastHash,
  verifyPassword,
} from './credentials.ts';

/** Limits for concurrent slow hashes: half of Node's thread pool, because files and DNS need the other half. 64 waiting requests take about 2 s. */
const SLOW_HASHES = { atOnce: 2, waiting: 64 };
/** Maximum number of verified passwords that are not hashed again: about 1 MB. */
const MOST_VERIFIED = 10_000;
const SECRET_BYTES = 32;

/** The hash that a password matches. `renewed`: the hash to store in its place; null if the stored one is up to date. */
export interface Match {
  readonly hash: string;
  readonly renewed: string | null;
}

/** `beforeWork`: called before a slow hash starts; its error rejects the search. `useVerified`: false to hash verified passwords again. */
export interface FindOptions {
  readonly beforeWork: () => void;
  readonly useVerified: boolean;
}

/**
 * Finds the hash that a password matches. The time that this takes depends only on the form of the password that was sent.
 * A verified password is remembered by a keyed digest of the password and its hash, so that it is forgotten when the hash
 * of the user changes or is removed.
 */
export class Passwords {
  readonly #key = randomBytes(SECRET_BYTES);
  readonly #limiter = new Limiter(SLOW_HASHES);
  readonly #verified = new Set<string>();
  readonly #pending = new Map<string, Promise<Match | null>>();

  /** null if it does not match any of them. @throws RestError `rest_overloaded`, or any error of `beforeWork` */
  find(hashes: readonly string[], password: string, options: FindOptions): MaybePromise<Match | null> {
    if (isGenerated(password)) return this.#findFast(hashes, password);
    const known = options.useVerified ? this.#findVerified(hashes, password) : null;
    return known ?? this.#join(hashes, password, options);
  }

  #findFast(hashes: readonly string[], password: string): Match | null {
    const fast = hashes.filter(isFastHash);
    const hash = (fast.length === 0 ? [NOBODYS_HASHES.fast] : fast).find((each) =>
      isPasswordOfFastHash(each, password),
    );
    return hash === undefined ? null : { hash, renewed: null };
  }

  #findVerified(hashes: readonly string[], password: string): Match | null {
    const hash = hashes.find((each) => this.#verified.has(this.#toDigest(each, password)));
    return hash === undefined ? null : { hash, renewed: null };
  }

  /** Concurrent requests with the same password share one hash, because a browser often starts with several requests. */
  async #join(hashes: readonly string[], password: string, options: FindOptions): Promise<Match | null> {
    const key = this.#toDigest(hashes.join('\0'), password);
    const pending = this.#pending.get(key);
    if (pending !== undefined) {
      const match = await pending;
      return match === null ? null : { ...match, renewed: null };
    }
    const finding = this.#limiter
      .run(() => this.#findSlow(hashes, password, options))
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, finding);
    return finding;
  }

  /** Computes one slow hash, even if the user has none or does not exist. */
  async #findSlow(
    hashes: readonly string[],
    password: string,
    { beforeWork }: FindOptions,
  ): Promise<Match | null> {
    beforeWork();
    const old = hashes.find((each) => isPasswordOfFastHash(each, password));
    if (old !== undefined)
      return this.#remember({ hash: old, renewed: await hashPassword(password) }, password);
    const slow = hashes.filter((each) => !isFastHash(each));
    for (const hash of slow.length === 0 ? [NOBODYS_HASHES.slow] : slow) {
      if (await verifyPassword(hash, password))
        return this.#remember(
          { hash, renewed: isOutdated(hash, password) ? await hashPassword(password) : null },
          password,
        );
    }
    return null;
  }

  #remember(match: Match, password: string): Match {
    for (const hash of [match.hash, match.renewed])
      if (hash !== null) this.#verified.add(this.#toDigest(hash, password));
    for (const oldest of this.#verified) {
      if (this.#verified.size <= MOST_VERIFIED) break;
      this.#verified.delete(oldest);
    }
    return match;
  }

  #toDigest(hash: string, password: string): string {
    return createHmac('sha256', this.#key).update(hash).update('\0').update(password).digest('base64url');
  }
}
