import type { ServerResponse } from 'node:http';
import type { WireResponse, WireStream } from '../../lib/http/host.ts';
import { writeHead, type SendOptions } from './node-answer.ts';

/** How a stream is sent. `signal`: aborted when the connection closes. */
interface StreamSendOptions extends SendOptions {
  readonly signal: AbortSignal;
}

/**
 * Sends a stream, as fast as the client reads it, and ends it when the client leaves. A client that takes no byte for the
 * stall time, and one whose stream fails, sees the connection break.
 * @throws Node's error for a header that cannot be sent; nothing has been sent then
 */
export async function sendStream(
  response: ServerResponse,
  wire: WireResponse & { readonly stream: WireStream },
  { close, drain, stallTimeoutMs, signal }: StreamSendOptions,
): Promise<void> {
  const { stream } = wire;
  const leave = (): void => void stream.return();
  try {
    if (response.headersSent || response.destroyed || signal.aborted) return;
    writeHead(response, wire, { close });
    response.flushHeaders();
    // Nobody reads the rest of a request's body, but its client may wait until it is sent.
    if (drain === true) response.req.resume();
    signal.addEventListener('abort', leave, { once: true });
    await pump(response, stream, stallTimeoutMs);
  } catch (error) {
    if (!response.headersSent) throw error;
    // The engine has logged the failure. The client must not take what it has for all.
    response.destroy();
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

async function pump(response: ServerResponse, stream: WireStream, stallTimeoutMs: number): Promise<void> {
  for (let part = await stream.next(); part.done !== true; part = await stream.next()) {
    if (response.destroyed) return;
    if (response.write(part.value)) continue;
    // Node cuts the connection if the client takes no byte in this time. A stream that only waits is not cut by it.
    response.setTimeout(stallTimeoutMs);
    await untilDrained(response);
    response.setTimeout(0);
  }
  response.end();
}

function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.once('drain', end).once('close', end);
  });
}
