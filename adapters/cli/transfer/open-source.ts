import { lookup } from 'node:dns/promises';
import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { messageOf } from '../../../lib/core/thrown.ts';
import { type Outbound, ROLES } from '../../../registry/site.ts';
import { START_BYTES, STORED_STATUSES } from '../../../registry/transfer/index.ts';
import { createOutbound } from '../../outbound.ts';
import { isPublicAddress } from '../../outbound/address-policy.ts';
import { toWord, UsageError } from '../frame/options.ts';

/** A file that is read once, from its beginning. */
interface OpenedSource {
  /** The first bytes, by which its format is recognised. They are part of `bytes` as well. */
  readonly start: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Size in bytes; 0 if it is not known. */
  readonly size: number;
  /** Bytes that were read so far. */
  readonly done: () => number;
}

const CHUNK = 256 * 1024;

function openFile(file: string): { stream: Readable; size: number } {
  if (file === '-') return { stream: process.stdin, size: 0 };
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined || facts.isDirectory())
    throw new UsageError(`${file}: ${facts === undefined ? 'there is no such file' : 'is a directory'}`);
  return { stream: createReadStream(file, { highWaterMark: CHUNK }), size: facts.isFile() ? facts.size : 0 };
}

/** The first bytes. A pipe may deliver them in small pieces. */
async function readStart(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < START_BYTES;) {
    const next = await chunks.next();
    if (next.done === true) break;
    parts.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(parts);
}

/** Opens a file, or standard input for `-`. @throws UsageError if there is no such file */
export async function openSource(file: string): Promise<OpenedSource> {
  const { stream, size } = openFile(file);
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const first = await readStart(chunks);
  let done = 0;
  async function* readAll(): AsyncGenerator<Uint8Array> {
    try {
      for (
        let next: IteratorResult<Uint8Array> = { value: first };
        next.done !== true;
        next = await chunks.next()
      ) {
        done += next.value.length;
        yield next.value;
      }
    } finally {
      stream.destroy();
    }
  }
  return { start: first, bytes: readAll(), size, done: () => done };
}

const toPorts = (url: string): readonly number[] => [
  80,
  443,
  8080,
  ...[Number(new URL(url).port)].filter((port) => port !== 0),
];

/** The name or address of a host, as it is looked up. */
const toHost = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');

const findAddresses = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Whether the host has an address that is dialled with `--private` alone. False for a host that is not found. */
export async function isPrivateHost(url: string): Promise<boolean> {
  const addresses = await findAddresses(toHost(url)).catch((): readonly string[] => []);
  return addresses.some((address) => !isPublicAddress(address));
}

/** The way to the files of an export, and to a live site at `url` on any port. Only public addresses are dialled. */
export function createImportOutbound(url?: string): Outbound {
  return createOutbound(url === undefined ? {} : { ports: toPorts(url) });
}

/**
 * The same for a site in a private network. Only its own host may have private addresses, and only those that it has now: neither a redirect,
 * nor a file at another address, nor another answer of a name server reaches the rest of the network.
 * @throws Error if the host has no address
 */
export async function createPrivateOutbound(url: string): Promise<Outbound> {
  const host = toHost(url);
  const addresses = await findAddresses(host).catch((error: unknown) => {
    throw new Error(`${url} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  });
  const own: ReadonlySet<string> = new Set(addresses);
  return createOutbound({
    ports: toPorts(url),
    resolve: (name) => (name === host ? Promise.resolve(addresses) : findAddresses(name)),
    isAllowed: (address, name) => isPublicAddress(address) || (name === host && own.has(address)),
  });
}

type Pair = readonly [name: string, value: string];

/** Name of a word that stands alone. */
const ALONE = '';

/** `a=b,c`: `[['a', 'b'], ['', 'c']]`. @throws UsageError for an empty part */
function toPairs(option: string, text: string): readonly Pair[] {
  return text.split(',').map((part) => {
    const at = part.lastIndexOf('=');
    const [name, value] = [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()];
    if (value === '' || (at !== -1 && name === ''))
      throw new UsageError(`${option} "${text}": must be pairs such as a=b, separated by commas`);
    return [name, value];
  });
}

/** `author,ada=editor`: the role of users in general, and those of single logins. @throws UsageError */
export function toRoles(text: string): {
  readonly role: string;
  readonly roles: ReadonlyMap<string, string>;
} {
  const roles = new Map<string, string>(
    toPairs('--role', text).map(([login, role]) => [login, toWord('--role', role, Object.keys(ROLES))]),
  );
  const role = roles.get(ALONE) ?? 'subscriber';
  roles.delete(ALONE);
  return { role, roles };
}

/** `wc-completed=publish`. @throws UsageError for a status that the site does not have */
export function toStatuses(text: string | undefined): ReadonlyMap<string, string> {
  const pairs = text === undefined ? [] : toPairs('--status', text);
  const statuses = new Map<string, string>(
    pairs.map(([status, to]) => [status, toWord('--status', to, STORED_STATUSES)]),
  );
  if (statuses.has(ALONE))
    throw new UsageError(`--status "${String(text)}": must be pairs such as wc-completed=publish`);
  return statuses;
}
