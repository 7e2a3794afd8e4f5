import { PROJECT } from '../sources.ts';
import { startNode } from '../start-program.ts';

/** Content of the recorded site. */
const FIXTURE = `${PROJECT}test/conformance/core/fixture-core.json`;

/** Logins of the recorded site and their passwords. */
export const passwordOf = (login: string): string => `${login}pass`;

export const toBasic = (login: string, password = passwordOf(login)): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

/** The requests in the access log of a server, in the order in which they were answered: `GET /en/wp-json/`. */
function readRequests(written: string): readonly string[] {
  const lines = written.split('\n').filter((line) => line.startsWith('{"time"'));
  return lines
    .map((line) => JSON.parse(line) as { readonly method: string; readonly target: string })
    .map(({ method, target }) => `${method} ${target}`);
}

/**
 * Starts the server as a user does, with the recorded site and the names of WordPress, and always stops it.
 * @returns the requests that it got
 */
export async function withClientServer(
  use: (origin: string) => Promise<void>,
  options: readonly string[] = [],
): Promise<readonly string[]> {
  const args = [
    'serve',
    '--port',
    '0',
    '--store',
    'memory',
    '--content',
    'core',
    '--names',
    'wordpress',
    '--fixtures',
    FIXTURE,
    '--access-log',
    'json',
    ...options,
  ];
  const server = await startNode('routebook serve', ['dist/adapters/cli/bin.js', ...args]);
  try {
    await use(server.origin);
  } finally {
    await server.stop();
  }
  return readRequests(server.written());
}
