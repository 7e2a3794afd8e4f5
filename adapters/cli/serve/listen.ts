import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readOptions, toCount } from '../frame/options.ts';

const LAST_PORT = 65_535;
/** Connections that may wait to be accepted. The system drops further ones, and their clients retry a second later. */
const BACKLOG = 4096;

/** Starts to listen. Resolves with the address of the server: `http://127.0.0.1:8787`. With `port` 0 the system picks a free one. */
export async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => resolve());
  });
  const { port: actual } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
}

/** The value of `--port`, or else the port in the header of the example. */
export function readPort(usual: number): number {
  const { port } = readOptions(
    { port: { value: 'N', default: String(usual), help: 'Port to listen on; 0 picks a free one.' } },
    process.argv.slice(2),
  );
  return toCount('port', port, { least: 0, most: LAST_PORT });
}

const PARENT_CHECK_MS = 250;
/** The parent process at the start. */
const PARENT = process.ppid;

/**
 * Calls `stop` once: at the first SIGTERM or SIGINT, or when the shell between npm and the program is gone
 * (signals to npm end the shell, which does not pass them on). A second signal ends the process at once. Call it before printing that the program listens.
 */
export function onStop(stop: () => Promise<void>): void {
  let watch: NodeJS.Timeout | undefined;
  let stopping = false;
  const stopOnce = (): void => {
    clearInterval(watch);
    if (!stopping) void stop();
    stopping = true;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stopOnce);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  watch = setInterval(() => {
    if (process.ppid !== PARENT) stopOnce();
  }, PARENT_CHECK_MS).unref();
}
