import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What comes before and after the id in the names of files of one kind. */
export interface OwnName {
  readonly prefix: string;
  readonly suffix?: string;
}

/** Names that this process has given. A killed process may have had its id. */
const given = new Set<string>();

/** A name for a file or directory of this process alone. It holds the id of the process, so that a later one can tell what a killed one has left. */
export function nameOwn({ prefix, suffix = '' }: OwnName): string {
  const name = `${prefix}${process.pid}-${randomUUID()}${suffix}`;
  given.add(name);
  return name;
}

/** The id of the process in such a name; null: the name is another one. */
function readId(name: string, { prefix, suffix = '' }: OwnName): number | null {
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return null;
  const [, id] = /^(\d{1,10})-[\da-f-]{36}$/.exec(name.slice(prefix.length, name.length - suffix.length)) ?? [];
  return id === undefined ? null : Number(id);
}

/** Whether a process runs on this machine. */
export function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // A process of another user exists as well.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether the process that had an id has ended. This one may have the same id. */
export const isEnded = (id: number): boolean => id === process.pid || !isRunning(id);

/** Whether this user made the file. Those of others cannot be removed from a directory for all. */
const isOwn = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();

/** Removes the files and directories with such names whose processes were killed. */
export function removeLeft(directory: string, name: OwnName): void {
  for (const each of readdirSync(directory)) {
    const id = readId(each, name);
    if (id !== null && !given.has(each) && isEnded(id) && isOwn(join(directory, each))) rmSync(join(directory, each), { recursive: true, force: true });
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
