import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteStore } from '../../adapters/sqlite-store.ts';
import { postCollections } from '../../registry/core/records/collections.ts';

/** A system call that affects the disk, or an acknowledgement. `file` is a name in the directory of the store. */
type Call =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  | { readonly kind: 'sync' | 'unlink'; readonly file: string }
  | { readonly kind: 'acknowledge'; readonly number: number };

/** `ext4`: a synced file keeps its name. `strict`: a name is kept only when the directory was synced. */
export type MetadataModel = 'ext4' | 'strict';

/** A reproducible source of numbers from 0 up to, but excluding, 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Whether strace is available and allowed. */
export function hasStrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
}

const LINE = /^\d+ +(\w+)\((?:(\d+)<([^>]*)>|"([^"]*)")(?:, "([^"]*)")?(.*)\) += (-?\d+)/;

function unescape(text: string | undefined): Buffer {
  return Buffer.from((text ?? '').replaceAll('\\x', ''), 'hex');
}

function toCall(line: string, directory: string): Call | null {
  const [, name, handle, path, target, content, rest = '', result] = LINE.exec(line) ?? [];
  if (name === undefined || Number(result) < 0) return null;
  const numbers = rest.split(',').map(Number);
  if (name === 'write' && handle === '1')
    return { kind: 'acknowledge', number: Number(unescape(content).toString().split(' ')[1]) };
  const full = unescape(path ?? target).toString();
  if (!full.startsWith(directory)) return null;
  const file = full === directory ? '' : basename(full);
  if (file.endsWith('-shm') || file.startsWith('lock') || file.startsWith('running')) return null;
  switch (name) {
    case 'pwrite64':
      return { kind: 'write', file, at: numbers.at(-1) ?? 0, bytes: unescape(content) };
    case 'ftruncate':
      return { kind: 'truncate', file, size: numbers.at(-1) ?? 0 };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', file };
    case 'unlink':
      return { kind: 'unlink', file };
    default:
      return null;
  }
}

/** Runs the writer under strace in `folder` and returns its calls in order. */
export async function recordCalls(
  folder: string,
  durability: 'full' | 'relaxed' | 'late',
  commits: number,
): Promise<readonly Call[]> {
  const [directory, trace] = [join(folder, `recorded-${durability}`), join(folder, `trace-${durability}`)];
  const writer = fileURLToPath(new URL('power-writer.js', import.meta.url));
  const child = spawn(
    'strace',
    [
      '-f',
      '-y',
      '-xx',
      '-s',
      '100000',
      '-e',
      'trace=pwrite64,write,fsync,fdatasync,ftruncate,unlink',
      '-o',
      trace,
      process.execPath,
      '--no-warnings',
      writer,
      directory,
      durability,
      String(commits),
    ],
    { stdio: 'ignore' },
  );
  await new Promise((resolve) => {
    child.on('close', resolve);
  });
  return readFileSync(trace, 'latin1')
    .split('\n')
    .map((line) => toCall(line, directory))
    .filter((call) => call !== null);
}

type Change = Extract<Call, { kind: 'write' | 'truncate' }>;
interface DiskFile {
  content: Buffer;
  pending: Change[];
  isNamed: boolean;
  isUnlinked: boolean;
}

function applyChange(content: Buffer, change: Change): Buffer {
  if (change.kind === 'truncate')
    return Buffer.concat([
      content.subarray(0, change.size),
      Buffer.alloc(Math.max(0, change.size - content.length)),
    ]);
  const missing = change.at + change.bytes.length - content.length;
  const grown = missing > 0 ? Buffer.concat([content, Buffer.alloc(missing)]) : content;
  change.bytes.copy(grown, change.at);
  return grown;
}

function play(calls: readonly Call[], model: MetadataModel): ReadonlyMap<string, DiskFile> {
  const disk = new Map<string, DiskFile>();
  for (const call of calls) {
    if (call.kind === 'acknowledge') continue;
    if (call.kind === 'sync' && call.file === '') {
      for (const [name, file] of disk) {
        file.isNamed = true;
        if (file.isUnlinked) disk.delete(name);
      }
      continue;
    }
    const file = disk.get(call.file) ?? {
      content: Buffer.alloc(0),
      pending: [],
      isNamed: false,
      isUnlinked: false,
    };
    disk.set(call.file, file);
    if (call.kind === 'unlink') file.isUnlinked = true;
    if (call.kind === 'sync') {
      file.content = file.pending.reduce(applyChange, file.content);
      file.pending = [];
      file.isNamed ||= model === 'ext4';
    } else if (call.kind === 'write' || call.kind === 'truncate') {
      // A name that is written again after its removal is a new file.
      if (file.isUnlinked) Object.assign(file, { content: Buffer.alloc(0), pending: [], isUnlinked: false });
      file.pending.push(call);
    }
  }
  return disk;
}

/** An unsynced change may be on the disk completely, partly or not at all. A sector of 512 bytes is written as a whole. */
function tear(change: Change, random: () => number, keep: number): Change | null {
  if (random() >= keep) return null;
  if (change.kind === 'truncate' || random() < 0.7) return change;
  const sectors = Math.floor((random() * change.bytes.length) / 512);
  return { ...change, bytes: change.bytes.subarray(0, sectors * 512) };
}

/** Writes a possible state of the disk if the power failed after `calls`. */
export function writeImage(
  calls: readonly Call[],
  directory: string,
  { model, random }: { readonly model: MetadataModel; readonly random: () => number },
): void {
  mkdirSync(directory, { recursive: true });
  const keep = [0, 0.5, 0.9, 1][Math.floor(random() * 4)] ?? 1;
  for (const [name, file] of play(calls, model)) {
    if ((!file.isNamed || file.isUnlinked) && random() < 0.5) continue;
    const content = file.pending
      .map((change) => tear(change, random, keep))
      .filter((change) => change !== null)
      .reduce(applyChange, file.content);
    writeFileSync(join(directory, name), content);
  }
  writeFileSync(join(directory, 'running-1-00000000'), '');
}

/** Result of checking one image. */
export type ImageState = 'whole' | 'lost' | 'half' | 'damaged';

/** Opens an image and checks for everything that was acknowledged. */
export async function inspectImage(directory: string, acknowledged: number): Promise<ImageState> {
  try {
    const store = await createSqliteStore({ directory, collections: postCollections });
    const { records: posts } = await store.find({ collection: 'posts', fields: [] });
    const { records: revisions } = await store.find({
      collection: 'revisions',
      fields: ['parent'],
      order: [{ field: 'parent', direction: 'asc' }],
    });
    await store.close();
    if (posts.length < acknowledged) return 'lost';
    return posts.every((post, at) => post.id === at + 1 && revisions[at]?.['parent'] === post.id) &&
      revisions.length === posts.length
      ? 'whole'
      : 'half';
  } catch {
    return 'damaged';
  }
}

/** Cuts the power at `images` random moments after the first acknowledgement and counts the results. */
export async function cutPower(
  calls: readonly Call[],
  folder: string,
  { images, model, seed }: { readonly images: number; readonly model: MetadataModel; readonly seed: number },
): Promise<Readonly<Record<ImageState, number>>> {
  const random = createRandom(seed);
  const states = { whole: 0, lost: 0, half: 0, damaged: 0 };
  const first = calls.findIndex((call) => call.kind === 'acknowledge');
  for (let image = 0; image < images; image += 1) {
    const before = calls.slice(0, first + 1 + Math.floor(random() * (calls.length - first)));
    const directory = join(folder, `image-${model}-${seed}-${image}`);
    writeImage(before, directory, { model, random });
    states[await inspectImage(directory, before.filter((call) => call.kind === 'acknowledge').length)] += 1;
  }
  return states;
}
