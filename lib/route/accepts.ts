import { own } from '../core/objects.ts';

/** The only media type that has files. */
export const MULTIPART = 'multipart/form-data';

/** One kind of file in a multipart body. */
export interface FileDescriptor {
  /** The request must have such a file. */
  readonly required?: true;
  /** How many files of this name a request may have. Default 1. */
  readonly maxCount?: number;
  /** Largest file, in bytes. Default: only the whole body is limited. */
  readonly maxBytes?: number;
  /** Media types that the client may name for it: `image/png`. Default: any. They do not prove what the file holds. */
  readonly types?: readonly string[];
}

/** The files of a multipart body by the name of their part. Other parts are args, and are validated like those of a form. */
export interface MultipartDescriptor {
  /**
   * The body of a caller without this capability is not read: the permission function decides on a call without its fields and
   * files. For endpoints whose permission is a function. Default: every body is read, and its files are stored, before the function is asked.
   */
  readonly capability?: string;
  /** The files that the body may have, by form field. */
  readonly files: Readonly<Record<string, FileDescriptor>>;
}

/**
 * How a body is read. `args`: JSON or a form, whose members are args. `bytes`: whole, as `call.bytes`; JSON and forms are args
 * as well. `stream`: while it arrives, as `call.stream`. Files of a multipart body are stored by the host and named in `call.files`.
 */
export type BodyReading = 'args' | 'bytes' | 'stream' | MultipartDescriptor;

/** Media range -> how its bodies are read. */
export type Accepts = Readonly<Record<string, BodyReading>>;

/** How a body of this type is read. The most specific range decides. null: the endpoint does not accept it. */
export function findReading(accepts: Accepts, essence: string): BodyReading | null {
  const type = essence.slice(0, essence.indexOf('/'));
  return own(accepts, essence) ?? own(accepts, `${type}/*`) ?? own(accepts, '*/*') ?? null;
}

/** Whether bodies may have files, which the host must store. */
export function hasFiles(accepts: Accepts = {}): boolean {
  return Object.values(accepts).some((reading) => typeof reading === 'object');
}
