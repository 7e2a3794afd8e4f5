import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { closeServer } from '../../adapters/node-http.ts';

/** Listens on a port that the system chooses, and always closes the server after the run. */
export async function withServer(server: Server, run: (port: number) => Promise<void>): Promise<void> {
  try {
    await run(await listen(server));
  } finally {
    await closeServer(server, { timeoutMs: 1000 });
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server has no port');
  return address.port;
}

export interface TalkOptions {
  /** Whether to send FIN after the bytes. */
  readonly end?: boolean;
  /** Timeout in milliseconds. */
  readonly patience?: number;
}

/** Sends bytes and returns everything received until the server closes the connection, or `open` when it does not. */
export async function talk(
  port: number,
  bytes: string | Uint8Array,
  { end = false, patience = 3000 }: TalkOptions = {},
): Promise<{ text: string; open: boolean }> {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Uint8Array[] = [];
  let open = false;
  socket.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  // A reset also closes the connection. Data received before it counts.
  socket.on('error', () => undefined);
  const timer = setTimeout(() => {
    open = true;
    socket.destroy();
  }, patience);
  const closed = Promise.race([once(socket, 'close'), once(socket, 'end')]);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  if (end) socket.end();
  await closed;
  clearTimeout(timer);
  socket.destroy();
  return { text: Buffer.concat(chunks).toString('utf8'), open };
}

/** The statuses of all responses in the text, in order, without `100 Continue`. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map((match) => Number(match[1]))
    .filter((status) => status !== 100);
}

/** The body of the last response. */
export function lastBodyOf(text: string): string {
  return text.slice(text.lastIndexOf('\r\n\r\n') + 4);
}
