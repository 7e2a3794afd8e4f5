import { readOptions, toCount, type CliOptions } from '../adapters/cli.ts';

export const SERVER_OPTIONS = {
  port: { value: 'N', default: '8787', help: 'Port to listen on; 0 picks a free one.' },
  host: { value: 'ADDRESS', default: '127.0.0.1', help: 'Address to listen on.' },
  store: { value: 'STORE', default: 'file:./data', help: 'memory, file:DIRECTORY or postgres://…' },
  fixtures: { value: 'FILE', help: 'Content for an empty store, in the format of docs/fixtures.md. Without it: a small demo site.' },
  names: { value: 'NAMES', default: 'neutral', help: 'Words on the wire: neutral, wordpress, or a JSON file.' },
  config: { value: 'FILE', help: 'JSON file with settings of namespaces, connected services and directories (docs/configuration.md).' },
  workers: { value: 'N', default: '1', help: 'Processes on the port, where the store allows it.' },
  'test-reset': { help: 'With the memory store: POST /__reset puts the content back as it was at the start.' },
  jsonp: { help: 'Answer _jsonp, always as for an anonymous caller.' },
  help: { help: 'Show this.' },
} as const satisfies CliOptions;

export interface ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly store: string;
  readonly fixtures: string | undefined;
  readonly names: string;
  readonly config: string | undefined;
  readonly workers: number;
  readonly testReset: boolean;
  readonly jsonp: boolean;
  readonly help: boolean;
}

const LAST_PORT = 65_535;
const MOST_WORKERS = 64;

/** @throws TypeError naming the option that is unknown or has a value that does not fit. */
export function readServerOptions(args: readonly string[]): ServerOptions {
  const { port, workers, 'test-reset': testReset, ...rest } = readOptions(SERVER_OPTIONS, args);
  if (testReset && rest.store !== 'memory') throw new TypeError('--test-reset needs --store memory: it would throw away real content');
  return { ...rest, testReset, port: toCount('port', port, { least: 0, most: LAST_PORT }), workers: toCount('workers', workers, { least: 1, most: MOST_WORKERS }) };
}
