import { createHmac, randomBytes } from 'node:crypto';
import type { MaybePromise } from '../../lib/core/maybe-promise.ts';
import { hashPassword, isFastHash, isGenerated, isOutdated, isPasswordOfFastHash, NOBODYS_HASHES, verifyPassword } from './password-hash.ts';
import { Semaphore } from './semaphore.ts';

/** Slow hashes at once: half of node's thread pool, whose other half is for files and names. 64 that wait take about 2 s. */
const SLOW_HASHES = { atOnce: 2, waiting: 64 };
/** Passwords that were found right and are not hashed again: about 1 MB. */
const MOST_VERIFIED = 10_000;
const SECRET_BYTES = 32;

/** The hash that a password belongs to. `renewed`: the one that should be stored in its place; null: it is as it should be. */
export interface Match {
  readonly hash: string;
  readonly renewed: string | null;
}

/** `beforeWork`: called when the turn of a slow hash has come; what it throws is the outcome. `useVerified`: false hashes again what was found right before. */
export interface FindOptions {
  readonly beforeWork: () => void;
  readonly useVerified: boolean;
}

/**
 * Finds the hash that a password belongs to. How long it takes depends on the form of the password that was sent and on
 * nothing else. A password that was found right is remembered by a keyed digest together with its hash: when the hash of a
 * user changes or is removed, the digest fits nothing any more.
 */
export class Passwords {
  readonly #key = randomBytes(SECRET_BYTES);
  readonly #semaphore = new Semaphore(SLOW_HASHES);
  readonly #verified = new Set<string>();
  readonly #pending = new Map<string, Promise<Match | null>>();

  /** null: it belongs to none of them. @throws RestError `rest_overloaded`, or whatever `beforeWork` throws */
  find(hashes: readonly string[], password: string, options: FindOptions): MaybePromise<Match | null> {
    if (isGenerated(password)) return this.#findFast(hashes, password);
    const known = options.useVerified ? this.#findVerified(hashes, password) : null;
    return known ?? this.#join(hashes, password, options);
  }

  #findFast(hashes: readonly string[], password: string): Match | null {
    const fast = hashes.filter(isFastHash);
    const hash = (fast.length === 0 ? [NOBODYS_HASHES.fast] : fast).find((each) => isPasswordOfFastHash(each, password));
    return hash === undefined ? null : { hash, renewed: null };
  }

  #findVerified(hashes: readonly string[], password: string): Match | null {
    const hash = hashes.find((each) => this.#verified.has(this.#toDigest(each, password)));
    return hash === undefined ? null : { hash, renewed: null };
  }

  /** Requests that bring the same password at the same moment share one hash: a browser begins with several. */
  async #join(hashes: readonly string[], password: string, options: FindOptions): Promise<Match | null> {
    const key = this.#toDigest(hashes.join('\0'), password);
    const pending = this.#pending.get(key);
    if (pending !== undefined) {
      const match = await pending;
      return match === null ? null : { ...match, renewed: null };
    }
    const finding = this.#semaphore.run(() => this.#findSlow(hashes, password, options)).finally(() => this.#pending.delete(key));
    this.#pending.set(key, finding);
    return finding;
  }

  /** Makes one slow hash, also for a user who has none and for one who does not exist. */
  async #findSlow(hashes: readonly string[], password: string, { beforeWork }: FindOptions): Promise<Match | null> {
    beforeWork();
    const old = hashes.find((each) => isPasswordOfFastHash(each, password));
    if (old !== undefined) return this.#remember({ hash: old, renewed: await hashPassword(password) }, password);
    const slow = hashes.filter((each) => !isFastHash(each));
    for (const hash of slow.length === 0 ? [NOBODYS_HASHES.slow] : slow) {
      if (await verifyPassword(hash, password)) return this.#remember({ hash, renewed: isOutdated(hash, password) ? await hashPassword(password) : null }, password);
    }
    return null;
  }

  #remember(match: Match, password: string): Match {
    for (const hash of [match.hash, match.renewed]) if (hash !== null) this.#verified.add(this.#toDigest(hash, password));
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
