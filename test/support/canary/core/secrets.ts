import { isObject } from '../../../../lib/core/objects.ts';
import type { Answer } from '../../whole-site.ts';
import type { Caller } from '../fixture.ts';

export type MayKnow = (caller: Caller) => boolean;

/** A value of the generated site and who may know it. */
interface Secret {
  readonly label: string;
  readonly mayKnow: MayKnow;
  /** Who may know it in the response to a request that contains this password. */
  readonly opened?: { readonly by: string; readonly mayKnow: MayKnow };
}

const FIRST = 10_000;
const LAST = 60_000;
/** A word, or an address of the range for benchmarks, with the number of the secret. A hash contains neither by chance. */
const WRITTEN = /zqk(\d{5})x|198\.18\.(\d{1,3})\.(\d{1,3})/gi;

const toWord = (number: number): string => `zqk${number}x`;
const toAddress = (number: number): string => `198.18.${number >> 8}.${number & 0xff}`;

/** The numbers of all secrets in a text. */
function findNumbers(text: string): ReadonlySet<number> {
  return new Set(
    [...text.matchAll(WRITTEN)].map(([, word, high, low]) =>
      word === undefined ? Number(high) * 256 + Number(low) : Number(word),
    ),
  );
}

/**
 * Gives each secret of a site a value that occurs nowhere else. With `changedFor`, every value that this caller may not know is another one, so
 * that this caller must not notice any difference between the two sites.
 */
export class Secrets {
  readonly #all = new Map<number, Secret>();
  readonly #changedFor: Caller | null;

  constructor(changedFor: Caller | null = null) {
    this.#changedFor = changedFor;
  }

  #add(secret: Secret): number {
    const at = this.#all.size;
    const number = this.#changedFor === null || secret.mayKnow(this.#changedFor) ? FIRST + at : LAST - at;
    this.#all.set(number, secret);
    return number;
  }

  word(label: string, mayKnow: MayKnow, opened?: Secret['opened']): string {
    return toWord(this.#add({ label, mayKnow, ...(opened === undefined ? {} : { opened }) }));
  }

  address(label: string, mayKnow: MayKnow): string {
    return toAddress(this.#add({ label, mayKnow }));
  }

  /** Labels of the secrets in a text. */
  seen(text: string): readonly string[] {
    return [...findNumbers(text)].map((number) => this.#all.get(number)?.label ?? `unknown ${number}`);
  }

  /** What a response shows although its caller may not know it. Links to other pages, in headers, may repeat what the caller sent. */
  leaks({ text, body, headers }: Answer, caller: Caller, sent: string): readonly string[] {
    const echoed = findNumbers(sent);
    const inner = sent.includes('_envelope') && isObject(body) ? JSON.stringify(body['headers']) : '';
    const shown = new Set([
      ...findNumbers(text.replace(inner, '')),
      ...[...findNumbers(inner + Object.values(headers).join('\n'))].filter((number) => !echoed.has(number)),
    ]);
    return [...shown].flatMap((number) => {
      const secret = this.#all.get(number);
      const isOpened =
        secret?.opened !== undefined && sent.includes(secret.opened.by) && secret.opened.mayKnow(caller);
      return secret !== undefined && (secret.mayKnow(caller) || isOpened)
        ? []
        : [secret?.label ?? `unknown ${number}`];
    });
  }
}
