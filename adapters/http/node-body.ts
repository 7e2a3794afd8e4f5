import type { IncomingMessage } from 'node:http';
import { parseBody } from '../../lib/http/body.ts';
import { engineError } from '../../lib/core/errors.ts';
import { parseMediaType } from '../../lib/http/media-type.ts';
import type { Body } from '../../lib/http/request.ts';
import type { LoadShedder } from './load-shedder.ts';
import type { HttpLimits } from './http-limits.ts';
import { bodyTooLarge } from './request-head.ts';
import type { Exchange } from './node-request.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Reads the body within the limits of size and time. The time is limited here too, because the host app may have created the server.
 * @throws RestError `rest_body_too_large`, `rest_body_timeout`, `rest_overloaded`; the error of the connection when the client disconnects.
 */
export function readBody({ request, response, awaitsContinue }: Exchange, limits: HttpLimits, loadShedder: LoadShedder): Promise<Uint8Array> {
  if (awaitsContinue) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', finish).off('error', fail);
      loadShedder.release(size);
    };
    const fail = (error: unknown): void => { settle(); reject(error); };
    const finish = (): void => { settle(); resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size)); };
    const take = (chunk: Uint8Array): void => {
      size += chunk.length;
      chunks.push(chunk);
      try {
        loadShedder.hold(chunk.length);
        if (size > limits.bodyBytes) throw bodyTooLarge(limits);
      } catch (error) {
        fail(error);
      }
    };
    const timer = setTimeout(() => fail(engineError('rest_body_timeout')), limits.requestTimeoutMs);
    request.on('data', take).on('end', finish).on('error', fail);
  });
}

/**
 * The body of a request that was already read before it reached the API, from `request.body`, where a body parser of the
 * host app left it. Bytes and text are taken unchanged and any other value as JSON, so that the same checks apply as to a body read here.
 * @throws RestError `rest_internal_error` (`request.body` is not set), `rest_body_too_large`, and those of `parseBody`
 */
export function readLeftBody(request: IncomingMessage, contentType: string | undefined, limits: HttpLimits): Body {
  const left: unknown = 'body' in request ? request.body : undefined;
  if (left === undefined) {
    throw engineError('rest_internal_error', { message: 'The body was read before the request reached the API, and request.body is not set. Mount the API before any body parser.' });
  }
  const isSource = typeof left === 'string' || left instanceof Uint8Array;
  const bytes = Buffer.from(isSource ? left : JSON.stringify(left));
  if (bytes.length > limits.bodyBytes) throw bodyTooLarge(limits);
  const isForm = contentType !== undefined && parseMediaType(contentType)?.essence === FORM;
  return parseBody(bytes, isForm && !isSource ? 'application/json' : contentType);
}
