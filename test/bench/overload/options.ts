import { readOptions, toCount, type CliOptions } from '../../../adapters/cli.ts';

export const STORES = ['memory', 'sqlite', 'postgres'] as const;
export type StoreName = (typeof STORES)[number];

export const OVERLOAD_OPTIONS = {
  store: {
    value: 'NAME',
    default: 'memory',
    help: 'memory, sqlite or postgres. postgres adds a load during which the posts are locked.',
  },
  sockets: { value: 'N', default: '6000', help: 'Connections of the load.' },
  seconds: { value: 'N', default: '15', help: 'Length of each load.' },
  posts: { value: 'N', default: '2000', help: 'Posts of the site.' },
  help: { help: 'Show this.' },
} as const satisfies CliOptions;

export interface OverloadOptions {
  readonly store: StoreName;
  readonly sockets: number;
  readonly seconds: number;
  readonly posts: number;
  readonly help: boolean;
}

/** @throws TypeError that names the unknown or invalid option */
export function readOverloadOptions(args: readonly string[]): OverloadOptions {
  const { store, help, ...counts } = readOptions(OVERLOAD_OPTIONS, args);
  const name = STORES.find((each) => each === store);
  if (name === undefined) throw new TypeError(`--store: "${store}" is not one of ${STORES.join(', ')}`);
  return {
    store: name,
    help,
    sockets: toCount('sockets', counts.sockets, { least: 100, most: 9000 }),
    seconds: toCount('seconds', counts.seconds, { least: 1, most: 120 }),
    posts: toCount('posts', counts.posts, { least: 1000, most: 100_000 }),
  };
}
