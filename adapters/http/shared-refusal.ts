import type { IncomingMessage } from 'node:http';
import type { RestError } from '../../lib/core/errors.ts';
import type { Host, WireResponse } from '../../lib/http/host.ts';

/** A body up to this size is read and discarded, because a new connection would cost both sides more. Bytes. */
const SMALL_BODY = 64 * 1024;

/** Headers that change a refusal, or whether its connection stays open. Other headers do not change either. */
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

/** One response shared by all refused requests without special headers. It is built and serialised once. */
export class SharedRefusal {
  readonly #make: () => WireResponse;
  readonly #isShared: boolean;
  #answer: WireResponse | null = null;

  constructor(host: Host, error: RestError) {
    this.#isShared = host.requestIds !== true;
    this.#make = () => host.refuse(error, { method: 'GET', headers: {} });
  }

  /** Returns null when this request needs its own response. The body of the request must be unread. */
  find(request: IncomingMessage): WireResponse | null {
    if (!this.#isShared || !isPlain(request)) return null;
    this.#answer ??= this.#make();
    return this.#answer;
  }
}
