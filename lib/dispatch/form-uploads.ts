import { engineError } from '../core/errors.ts';
import { own } from '../core/objects.ts';
import { bodyTooLarge, toFormText } from '../http/body.ts';
import { parseQuery } from '../http/query-string.ts';
import type { Body, BodyPart } from '../http/request.ts';
import type { FileFacts, UploadedFile, UploadedFiles, Uploads } from '../ports/uploads.ts';
import type { FileDescriptor, MultipartDescriptor } from '../route/descriptor.ts';
import { invalidParam } from '../schema/invalid.ts';

/** Largest size of all fields together, in bytes. Files are not fields. */
const FIELD_BYTES = 1024 * 1024;

/** What the parts of one body have become. */
interface Collecting {
  readonly pairs: string[];
  fieldBytes: number;
  readonly saved: UploadedFile[];
}

async function readField({ name, bytes }: BodyPart, collecting: Collecting): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) {
    collecting.fieldBytes += chunk.length;
    if (collecting.fieldBytes > FIELD_BYTES) throw bodyTooLarge(FIELD_BYTES);
    chunks.push(chunk);
  }
  collecting.pairs.push(
    `${encodeURIComponent(name)}=${encodeURIComponent(toFormText(Buffer.concat(chunks)))}`,
  );
}

/** The bytes of one file on their way to the host. */
class FileStream implements AsyncIterable<Uint8Array> {
  size = 0;
  isComplete = false;
  failure: unknown = null;
  readonly #bytes: AsyncIterable<Uint8Array>;
  readonly #maxBytes: number;

  constructor(bytes: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#bytes = bytes;
    this.#maxBytes = maxBytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#bytes) {
        this.size += chunk.length;
        if (this.size > this.#maxBytes)
          throw engineError('rest_body_too_large', {
            message: `The file is larger than ${this.#maxBytes} bytes.`,
          });
        yield chunk;
      }
      this.isComplete = true;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** @throws RestError `rest_invalid_param` */
function checkFile(
  { name, filename, type }: BodyPart,
  declared: FileDescriptor | undefined,
  saved: readonly UploadedFile[],
): FileDescriptor {
  if (declared === undefined)
    throw invalidParam(name, `${name} is not a file of this endpoint.`, 'rest_unknown_file');
  if (filename === null) throw invalidParam(name, `${name} is not of type file.`, 'rest_invalid_type');
  const { maxCount = 1, types } = declared;
  if (saved.filter(({ field }) => field === name).length >= maxCount)
    throw invalidParam(name, `${name} must contain at most ${maxCount} files.`, 'rest_too_many_items');
  if (types !== undefined && !types.includes(type))
    throw invalidParam(name, `${name} must be of the type ${types.join(', ')}.`, 'rest_not_in_enum');
  return declared;
}

/** @throws the failure of the client, whatever the host made of it; TypeError for an id that is not a text, or a stream that was not read to its end */
async function saveFile(uploads: Uploads, stream: FileStream, facts: FileFacts): Promise<UploadedFile> {
  let id: unknown;
  try {
    id = await uploads.save(stream, facts);
  } catch (error) {
    throw stream.failure ?? error;
  }
  if (typeof id !== 'string' || id === '')
    throw new TypeError('uploads.save must return the id of the stored file as a text that is not empty');
  if (!stream.isComplete) {
    await uploads.remove(id);
    throw stream.failure ?? new TypeError('uploads.save must read the stream to its end before it returns');
  }
  return { ...facts, id, size: stream.size };
}

async function readPart(
  part: BodyPart,
  { files }: MultipartDescriptor,
  { uploads, collecting }: { uploads: Uploads; collecting: Collecting },
): Promise<void> {
  const { name, filename, type, bytes } = part;
  if (filename === null && !Object.hasOwn(files, name)) return readField(part, collecting);
  const { maxBytes = Number.MAX_SAFE_INTEGER } = checkFile(part, own(files, name), collecting.saved);
  const file = await saveFile(uploads, new FileStream(bytes, maxBytes), {
    field: name,
    filename: filename ?? '',
    type,
  });
  // A browser sends an empty file input as a file without name and content.
  if (file.size === 0 && filename === '') await uploads.remove(file.id);
  else collecting.saved.push(file);
}

function groupFiles(saved: readonly UploadedFile[]): UploadedFiles {
  const names = new Set(saved.map(({ field }) => field));
  return Object.fromEntries([...names].map((name) => [name, saved.filter(({ field }) => field === name)]));
}

/** @throws RestError `rest_missing_callback_param` */
export function checkRequired({ files }: MultipartDescriptor, saved: readonly UploadedFile[]): void {
  const missing = Object.entries(files)
    .filter(([name, { required }]) => required === true && !saved.some(({ field }) => field === name))
    .map(([name]) => name);
  if (missing.length > 0)
    throw engineError('rest_missing_callback_param', {
      message: `Missing parameter(s): ${missing.join(', ')}`,
      data: { params: missing },
    });
}

/**
 * Reads fields like those of a form and stores files while they arrive. If it rejects, no file remains stored. `uploads.remove` must not reject.
 * @throws RestError `rest_invalid_multipart`, `rest_invalid_param`, `rest_missing_callback_param`, `rest_body_too_large`, `rest_invalid_encoding`, those of the parts; what the host throws
 */
export async function readMultipart(
  parts: AsyncIterable<BodyPart>,
  descriptor: MultipartDescriptor,
  uploads: Uploads,
): Promise<Body> {
  const collecting: Collecting = { pairs: [], fieldBytes: 0, saved: [] };
  try {
    for await (const part of parts) await readPart(part, descriptor, { uploads, collecting });
    checkRequired(descriptor, collecting.saved);
    const { params, repeated } = parseQuery(collecting.pairs.join('&'));
    return { kind: 'form', params, repeated, files: groupFiles(collecting.saved) };
  } catch (error) {
    await removeFiles(uploads, collecting.saved);
    throw error;
  }
}

/** Removes files of a request that failed. */
export async function removeFiles(uploads: Uploads, files: readonly UploadedFile[]): Promise<void> {
  await Promise.all(files.map(({ id }) => uploads.remove(id)));
}
