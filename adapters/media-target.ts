import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Outbound } from '../lib/ports/outbound.ts';
import { type FileContent, findFile, isPlain, readPart, writeWhole } from './files-below.ts';

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

/** Stores files of an import in the media library, from a directory or from their addresses. A file that is there stays as it is. */
export function createMediaTarget({ directory, from, outbound, findFault }: MediaTargetOptions) {
  const check = (path: string, head: Uint8Array): string | undefined => findFault?.(path, head);
  const store = (path: string, content: FileContent): Promise<undefined> =>
    writeWhole(join(directory, path), content).then(() => undefined);
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
      if (copy !== null)
        return (
          check(path, await readPart(copy.file, 0, HEAD_BYTES)) ?? store(path, createReadStream(copy.file))
        );
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
