import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Outbound } from '../lib/ports/outbound.ts';

/** Options of `createMediaTarget`. */
export interface MediaTargetOptions {
  /** Directory of the media library, as `createMediaFiles` reads it. */
  readonly directory: string;
  /** A copy of the uploads of the old site. */
  readonly from?: string | undefined;
  /** Why the library cannot have a file with this beginning under this path; undefined if it can. Default: it can. */
  readonly findFault?: ((path: string, head: Uint8Array) => string | undefined) | undefined;
  /** Fetches files that are not in `from` from their addresses. Absent: they are not fetched. */
  readonly outbound?: Outbound | undefined;
}

/** Largest file that is fetched. It is held in memory. */
const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** Bytes from the beginning of a file that `findFault` looks at. */
const HEAD_BYTES = 64 * 1024;
const OK = 200;

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(String(error.code));

/** The file at a path below a directory; null if there is none, or if it lies outside of the directory. */
async function findFile(directory: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(directory);
    const file = await realpath(join(root, path));
    return file.startsWith(root.endsWith(sep) ? root : root + sep) && (await lstat(file)).isFile()
      ? file
      : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Writes a new file completely before it appears under its name. */
async function write(path: string, content: Parameters<typeof writeFile>[1]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function fetchFile(
  outbound: Outbound,
  url: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | string> {
  try {
    const { status, body } = await outbound({
      url,
      accept: [],
      maxBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    return status === OK ? body : `${url} answers ${status}`;
  } catch (error) {
    return `${url} could not be fetched: ${error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)}`;
  }
}

/** Whether each part is a plain name, so that the file stays in the library. */
function isPlain(path: string): boolean {
  return (
    path !== '' &&
    path.length <= 1024 &&
    path.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\:\0]/.test(part))
  );
}

/** Stores files of an import in the media library, from a directory or from their addresses. A file that is there stays as it is. */
export function createMediaTarget({ directory, from, outbound, findFault }: MediaTargetOptions) {
  const check = (path: string, head: Uint8Array): string | undefined => findFault?.(path, head);
  const store = (path: string, content: Parameters<typeof writeFile>[1]): Promise<undefined> =>
    write(join(directory, path), content).then(() => undefined);
  return {
    /** Returns why the file is not stored; undefined if it is. `signal`: ends a file that is being fetched. */
    async put(
      { path, url }: { readonly path: string; readonly url: string },
      signal?: AbortSignal,
    ): Promise<string | undefined> {
      if (path === '') return 'its address is not below /uploads/; the record keeps that address';
      if (!isPlain(path)) return 'its path is not a path of the media library';
      if ((await findFile(directory, path)) !== null) return undefined;
      const copy = from === undefined ? null : await findFile(from, path);
      if (copy !== null) return check(path, await readHead(copy)) ?? store(path, createReadStream(copy));
      if (outbound === undefined)
        return from === undefined
          ? 'no files were given: give a copy of wp-content/uploads with --uploads DIRECTORY, or --fetch'
          : `there is no such file in ${from}`;
      const found = url === '' ? 'it has no address' : await fetchFile(outbound, url, signal);
      return typeof found === 'string'
        ? found
        : (check(path, found.subarray(0, HEAD_BYTES)) ?? store(path, found));
    },
  };
}
