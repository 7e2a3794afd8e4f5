import type { IncomingMessage } from 'node:http';
import type { RestError } from '../../lib/core/errors.ts';
import type { Host, WireResponse } from '../../lib/http/host.ts';

/** A body of this size is read and forgotten: a new connection would cost both sides more. Bytes. */
const SMALL_BODY = 64 * 1024;

/** Headers that change the answer to a request that is turned away, or how its connection goes on. The rest changes nothing. */
const SPECIAL = new Map<string, (value: string) => boolean>([
  ['origin', () => true],
  ['accept', (value) => value.includes('problem')],
  ['expect', () => true],
  ['upgrade', () => true],
  ['transfer-encoding', () => true],
  ['content-length', (value) => Number(value) > SMALL_BODY],
]);

function isPlain({ httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMinor !== 1) return false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (SPECIAL.get((rawHeaders[at] ?? '').toLowerCase())?.(rawHeaders[at + 1] ?? '') === true) return false;
  }
  return true;
}

/** One answer for all requests that are turned away and ask for nothing special: made and written down once. */
export class SharedRefusal {
  readonly #make: () => WireResponse;
  #answer: WireResponse | null = null;

  constructor(host: Host, error: RestError) {
    this.#make = () => host.refuse(error, { method: 'GET', headers: {} });
  }

  /** Null: this request needs an answer of its own. Nothing of its body may have been read. */
  find(request: IncomingMessage): WireResponse | null {
    if (!isPlain(request)) return null;
    this.#answer ??= this.#make();
    return this.#answer;
  }
}
