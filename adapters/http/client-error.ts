import type { Duplex } from 'node:stream';
import { engineError, type RestError } from '../../lib/core/errors.ts';
import { toEncodingError } from '../../lib/http/address.ts';
import type { HttpLimits } from './http-limits.ts';
import { answerSocket } from './node-answer.ts';
import type { Binding } from './node-binding.ts';

/** A connection error as Node reports it: a code, and for parse errors the bytes that could not be parsed. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

/** Sends a response if that is still possible and it cannot be mistaken for the response to an earlier request. Otherwise cuts the connection. */
export function handleClientError(binding: Binding, error: ClientError, socket: Duplex): void {
  const connection = binding.connections.get(socket);
  // What follows the last request or response of a connection is ignored (RFC 9112 9.6). The response in progress closes it.
  if (error.code === 'HPE_CLOSED_CONNECTION' || connection?.ended === true) return;
  const reason = toReason(error, binding.limits);
  const exchange = connection?.last;
  if (reason === null || socket.destroyed) {
    socket.destroy();
    return;
  }
  if (exchange?.broken === true) return;
  const answer = (): void =>
    answerSocket(socket, binding.host.refuse(reason, { method: 'GET', headers: {} }));
  if (exchange === undefined || exchange === null || exchange.response.writableFinished) {
    answer();
    return;
  }
  const { request, response } = exchange;
  exchange.broken = true;
  // The request before the broken bytes is complete, so its response comes first.
  if (request.complete) response.once('finish', answer);
  else if (exchange.isWaiting) exchange.fault = reason;
  else if (request.listenerCount('error') > 0) request.emit('error', reason);
  else if (!response.headersSent && response.socket === socket) answer();
  else if (response.headersSent) socket.end();
  else socket.destroy();
}

/** Returns null when nobody is left to read a response. */
function toReason({ code = '', rawPacket }: ClientError, limits: HttpLimits): RestError | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return engineError('rest_body_timeout', { message: 'The request did not arrive in time.' });
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return engineError('rest_body_too_large', { message: 'The chunk extensions are too large.' });
  if (code === 'HPE_HEADER_OVERFLOW')
    return engineError(isLongTarget(rawPacket, limits) ? 'rest_uri_too_long' : 'rest_headers_too_large');
  if (code === 'HPE_INVALID_URL' && holdsForeignBytes(rawPacket)) return toEncodingError();
  return code.startsWith('HPE_')
    ? engineError('rest_bad_request', {
        message: `The request is not valid HTTP (${code.slice(4).toLowerCase().replaceAll('_', ' ')}).`,
      })
    : null;
}

/** Whether the request line exceeded the limit of the parser, as far as one packet shows. */
function isLongTarget(packet: Uint8Array | undefined, limits: HttpLimits): boolean {
  const lineEnd = packet?.indexOf(0x0a) ?? 0;
  return lineEnd === -1 || lineEnd > limits.urlBytes;
}

/** Whether the request line contains non-ASCII bytes. */
function holdsForeignBytes(packet: Uint8Array | undefined): boolean {
  const lineEnd = packet?.indexOf(0x0a) ?? -1;
  return packet?.subarray(0, lineEnd === -1 ? packet.length : lineEnd).some((byte) => byte > 0x7f) ?? false;
}
