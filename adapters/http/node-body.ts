import type { IncomingMessage } from 'node:http';
import { clock } from '../../lib/core/cooperative.ts';
import { engineError, RestError } from '../../lib/core/errors.ts';
import type { MaybePromise } from '../../lib/core/maybe-promise.ts';
import { clearDeadline, setDeadline } from '../../lib/dispatch/time-limit.ts';
import { bodyTooLarge, parseBody } from '../../lib/http/body.ts';
import { parseMediaType } from '../../lib/http/media-type.ts';
import type { Body } from '../../lib/http/request.ts';
import type { LoadShedder } from './admission/load-shedder.ts';
import { createBodySource, type Patience } from './body-source.ts';
import type { HttpLimits } from './http-limits.ts';
import type { Binding } from './node-binding.ts';
import type { Exchange } from './node-request.ts';
import type { HeaderMap } from './request-head.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Reads the body within the limits of size and time. The time is limited here too, because the host app may have created the server.
 * @throws RestError `rest_body_too_large`, `rest_body_timeout`, `rest_overloaded`; the error of the connection when the client disconnects.
 */
function readBody(
  { request, response, awaitsContinue }: Exchange,
  limits: HttpLimits,
  loadShedder: LoadShedder,
): Promise<Uint8Array> {
  if (awaitsContinue) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (): void => {
      clearDeadline(deadline);
      request.off('data', take).off('end', finish).off('error', fail);
      loadShedder.release(size);
    };
    const fail = (error: unknown): void => {
      settle();
      reject(error);
    };
    const finish = (): void => {
      settle();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const take = (chunk: Uint8Array): void => {
      size += chunk.length;
      chunks.push(chunk);
      try {
        loadShedder.hold(chunk.length);
        if (size > limits.bodyBytes) throw bodyTooLarge(limits.bodyBytes);
      } catch (error) {
        fail(error);
      }
    };
    const deadline = {
      at: clock.now() + limits.requestTimeoutMs,
      expire: (): void => fail(engineError('rest_body_timeout')),
    };
    setDeadline(deadline);
    request.on('data', take).on('end', finish).on('error', fail);
  });
}

/**
 * The bytes of the body as they arrive. A reader that stops early leaves the connection open, so that the client gets its
 * response; the iterator of Node would close it.
 * @throws RestError `rest_body_timeout`, `rest_client_gone`
 */
async function* readChunks(
  { request, response, awaitsContinue }: Exchange,
  patience: Patience,
): AsyncGenerator<Uint8Array> {
  if (awaitsContinue) response.writeContinue();
  let failure: unknown = null;
  let wake = (): void => undefined;
  const notice = (): void => wake();
  const fail = (error: unknown): void => {
    failure = error;
    wake();
  };
  request.on('readable', notice).on('end', notice).on('close', notice).on('error', fail);
  try {
    for (;;) {
      const chunk: Uint8Array | null = request.read();
      if (chunk !== null) yield chunk;
      else if (request.readableEnded) return;
      else if (failure !== null || request.destroyed)
        throw failure instanceof RestError ? failure : engineError('rest_client_gone', { cause: failure });
      else
        await patience.wait(
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        );
    }
  } finally {
    request.off('readable', notice).off('end', notice).off('close', notice).off('error', fail);
  }
}

/** The bytes that a body parser of the host app left in `request.body`. A value that it has parsed is no longer what was sent. @throws RestError `rest_internal_error` */
async function* readLeftChunks(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const left: unknown = 'body' in request ? request.body : undefined;
  if (typeof left !== 'string' && !(left instanceof Uint8Array)) {
    throw engineError('rest_internal_error', {
      message:
        'The body was read before the request reached the API, and request.body does not hold its bytes. Mount the API before any body parser.',
    });
  }
  yield Buffer.from(left);
}

/** The body of a request whose endpoint reads it itself. `onEnd`: called when the last byte has arrived. */
export function toUnread(
  exchange: Exchange,
  { limits, loadShedder }: Pick<Binding, 'limits' | 'loadShedder'>,
  onEnd: () => void,
): Body {
  const { request } = exchange;
  const chunks = (patience: Patience): AsyncIterable<Uint8Array> =>
    request.readableEnded ? readLeftChunks(request) : readChunks(exchange, patience);
  return {
    kind: 'unread',
    source: createBodySource(
      { contentType: request.headers['content-type'] ?? '', chunks, onEnd },
      limits,
      loadShedder,
    ),
  };
}

/**
 * The body of a request that was already read before it reached the API, from `request.body`, where a body parser of the
 * host app left it. Bytes and text are taken unchanged and any other value as JSON, so that the same checks apply as to a body read here.
 * @throws RestError `rest_internal_error` (`request.body` is not set), `rest_body_too_large`, and those of `parseBody`
 */
function readLeftBody(request: IncomingMessage, contentType: string | undefined, limits: HttpLimits): Body {
  const left: unknown = 'body' in request ? request.body : undefined;
  if (left === undefined) {
    throw engineError('rest_internal_error', {
      message:
        'The body was read before the request reached the API, and request.body is not set. Mount the API before any body parser.',
    });
  }
  const isSource = typeof left === 'string' || left instanceof Uint8Array;
  const bytes = Buffer.from(isSource ? left : JSON.stringify(left));
  if (bytes.length > limits.bodyBytes) throw bodyTooLarge(limits.bodyBytes);
  const isForm = contentType !== undefined && parseMediaType(contentType)?.essence === FORM;
  return parseBody(bytes, isForm && !isSource ? 'application/json' : contentType);
}

/** The parsed body of a request that announces one. @throws RestError, those of `readBody`, `readLeftBody` and `parseBody` */
export function takeBody(
  { limits, loadShedder }: Pick<Binding, 'limits' | 'loadShedder'>,
  exchange: Exchange,
  headers: HeaderMap,
): MaybePromise<Body> {
  const type = headers['content-type'];
  if (exchange.request.readableEnded) return readLeftBody(exchange.request, type, limits);
  return readBody(exchange, limits, loadShedder).then((bytes) => parseBody(bytes, type));
}
