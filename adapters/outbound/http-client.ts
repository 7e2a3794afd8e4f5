import type { buildConnector, Dispatcher } from 'undici';

/** Loaded for the first exchange: it takes a tenth of the start of a site, and many sites ask nobody. */
const loadClient = () => import('undici');

/** One HTTP exchange on its own connection, without redirects, retries or decompression. */
interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** IP addresses to dial instead of the name in `url`, in turn until one accepts. Host and SNI keep the name. */
  readonly addresses?: readonly string[];
  /** Longest response body. 0 with `cut`: it is not read, however it is encoded. */
  readonly maxBytes: number;
  /** Take the first `maxBytes` of a longer body instead of failing. */
  readonly cut?: boolean;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Names are in lower case. The values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Dials the first address, and the next one whenever dialling fails. */
function dialInTurn(build: typeof buildConnector, addresses: readonly string[]): buildConnector.connector {
  const dial = build({ timeout: 0, autoSelectFamily: false, maxCachedSessions: 0 });
  return (options, callback) => {
    const tryNext = (index: number): void => {
      dial({ ...options, hostname: addresses[index] ?? '' }, (...result) => {
        if (result[0] !== null && index + 1 < addresses.length) tryNext(index + 1);
        else callback(...result);
      });
    };
    tryNext(0);
  };
}

function readHeaders(raw: Dispatcher.ResponseData['headers']): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

async function readBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  cut: boolean,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxBytes) continue;
    if (!cut) throw new Error(`the body is longer than ${maxBytes} bytes`);
    break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** @throws an error of the network or of HTTP, or an error when the body is too long or encoded. */
export async function exchange(request: Exchange): Promise<Answer> {
  const { url, addresses, signal, body } = request;
  const { Agent, buildConnector, request: send } = await loadClient();
  // The connection is made for this exchange and destroyed with it, so only the addresses that were just checked are dialled.
  const agent = new Agent({
    connections: 1,
    ...(addresses === undefined ? {} : { connect: dialInTurn(buildConnector, addresses) }),
  });
  try {
    const response = await send(url, {
      dispatcher: agent,
      signal,
      method: request.method as Dispatcher.HttpMethod,
      body: body ?? null,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
    });
    const headers = readHeaders(response.headers);
    if (request.maxBytes > 0 && (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
      throw new Error('the body is encoded');
    return {
      status: response.statusCode,
      headers,
      body:
        request.maxBytes === 0 && request.cut === true
          ? new Uint8Array()
          : await readBody(response.body, request.maxBytes, request.cut ?? false),
    };
  } finally {
    await agent.destroy();
  }
}

/**
 * Runs work that must finish within `ms` milliseconds. The work gets a signal that is aborted when the time is over or
 * `outer` is aborted. The work is not awaited after that. Loading the client takes none of the time.
 * @throws DOMException `TimeoutError` when the time is over; the abort reason of `outer` when it was aborted.
 */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await loadClient();
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException(`not finished after ${ms} ms`, 'TimeoutError')),
    ms,
  );
  const signal = outer === undefined ? timeout.signal : AbortSignal.any([outer, timeout.signal]);
  try {
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the error is a missed deadline. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
