import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sha256 } from '../../lib/core/digest.ts';
import { codeOf } from '../../lib/core/thrown.ts';

/** What comes before and after the id in the names of files of one kind. */
interface OwnName {
  readonly prefix: string;
  readonly suffix?: string;
}

/** The machine or container of this process. A directory may be shared with others, whose processes can have the same ids. */
const HOST = sha256(hostname()).slice(0, 12);

/** This process, as its files name it. */
export const OWNER = `${HOST}-${process.pid}`;

/** Names that this process has given. A killed process may have had its id. */
const given = new Set<string>();

/** A name for a file or directory of this process alone. It names the process, so that a later one can tell what a killed one has left. */
export function nameOwn({ prefix, suffix = '' }: OwnName): string {
  const name = `${prefix}${OWNER}-${randomUUID()}${suffix}`;
  given.add(name);
  return name;
}

/** The process in such a name; null: the name is another one. */
function readOwner(name: string, { prefix, suffix = '' }: OwnName): string | null {
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return null;
  return (
    /^([\da-f]{12}-\d{1,10})-[\da-f-]{36}$/.exec(
      name.slice(prefix.length, name.length - suffix.length),
    )?.[1] ?? null
  );
}

/** Whether a process runs on this machine. */
export function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of another user exists as well.
    return codeOf(error) === 'EPERM';
  }
}

/** Whether the process that a file names was one of this machine and has ended. If it has the id of this process, an earlier process had it too. */
function isGone(owner: string): boolean {
  const [host, id] = owner.split('-');
  return host === HOST && (Number(id) === process.pid || !isRunning(Number(id)));
}

/** Whether this user made the file. Those of others cannot be removed from a directory for all. */
const isOwn = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();

/** Removes the files and directories with such names whose processes were killed. */
export function removeLeft(directory: string, name: OwnName): void {
  for (const each of readdirSync(directory)) {
    const owner = readOwner(each, name);
    if (owner !== null && !given.has(each) && isGone(owner) && isOwn(join(directory, each)))
      rmSync(join(directory, each), { recursive: true, force: true });
  }
}

/** Makes a directory for temporary files that only this user may read. Removes those of its kind that killed processes have left. */
export function makeTemporary(kind: string): string {
  const name = { prefix: `routebook-${kind}-` };
  removeLeft(tmpdir(), name);
  const directory = join(tmpdir(), nameOwn(name));
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

/** How long a process waits for its turn at most, and how often it looks. Milliseconds. */
const [PATIENCE_MS, LOOK_MS] = [60_000, 20];

/** Makes the file that holds a turn. False: another process holds it. */
function takeTurn(path: string): boolean {
  try {
    writeFileSync(path, OWNER, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Turns that this process holds. */
const held = new Set<string>();

/** Whether the process that held the turn was killed. */
function isLeft(path: string): boolean {
  try {
    // Empty while the process that has just made the file has not written its name yet.
    return isGone(readFileSync(path, 'utf8')) && !held.has(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Runs a function while no other process runs one with the same path, a file that exists meanwhile. @throws TypeError if another one takes longer than a minute */
export async function inTurn<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  for (const since = performance.now(); held.has(path) || !takeTurn(path); await wait(LOOK_MS)) {
    if (isLeft(path)) rmSync(path, { force: true });
    if (performance.now() - since > PATIENCE_MS)
      throw new TypeError(
        `${path} exists, so that another process seems to be writing here. If none does, remove that file and try again; nothing was changed`,
      );
  }
  held.add(path);
  try {
    return await run();
  } finally {
    held.delete(path);
    rmSync(path, { force: true });
  }
}
