import { createHash } from 'node:crypto';
import { engineError, type RestError } from '../../../lib/core/errors.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { UploadRules } from '../files/cms-settings.ts';
import { isPath, readDisposition } from '../files/file-name.ts';
import type { MediaStorage } from '../host/ports.ts';
import { mediaError } from './errors.ts';

/** The name of the part that holds the file in a multipart body. */
export const FILE_PART = 'file';

const EMPTY = 'File is empty. Please upload something more substantial.';
/** Bytes that are read at once when a stored file is hashed. */
const CHUNK = 1024 * 1024;

/** A file that has arrived, and is not yet part of the library. */
export interface ArrivedFile {
  readonly id: string;
  /** As the client sent it. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** The error for a file that is not accepted. WordPress has one code for each way of sending. */
  readonly refuse: (message?: string) => RestError;
}

type Code = 'rest_upload_sideload_error' | 'rest_upload_unknown_error';

const refuseWith =
  (code: Code) =>
  (message?: string): RestError =>
    mediaError(code, message === undefined ? {} : { message });

/** The name of a file whose bytes are the body. @throws RestError `rest_upload_no_content_type`, `rest_upload_no_content_disposition`, `rest_upload_invalid_disposition` */
function readName({ request: { headers } }: Call): string {
  if ((headers['content-type'] ?? '') === '') throw mediaError('rest_upload_no_content_type');
  const disposition = headers['content-disposition'] ?? '';
  if (disposition === '') throw mediaError('rest_upload_no_content_disposition');
  const name = readDisposition(disposition);
  if (name === null || isPath(name)) throw mediaError('rest_upload_invalid_disposition');
  return name;
}

async function receiveBody(storage: MediaStorage, call: Call, maxBytes: number): Promise<ArrivedFile> {
  const name = readName(call);
  const refuse = refuseWith('rest_upload_sideload_error');
  // A body of JSON or of a form has been read as parameters. Files of these types are not accepted.
  const { stream } = call;
  if (stream === null) throw refuse();
  let size = 0;
  const counted = async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > maxBytes)
        throw engineError('rest_body_too_large', { message: `The file is larger than ${maxBytes} bytes.` });
      yield chunk;
    }
  };
  const id = await storage.save(counted(), { field: FILE_PART, filename: name, type: '' });
  return { id, name, size, refuse };
}

function receivePart(call: Call): ArrivedFile {
  const [file] = call.files[FILE_PART] ?? [];
  if (file === undefined) throw mediaError('rest_upload_no_data');
  return {
    id: file.id,
    name: file.filename,
    size: file.size,
    refuse: refuseWith('rest_upload_unknown_error'),
  };
}

/** The file of a request, stored where it arrives. @throws RestError if there is none, its headers do not name it, or it has more bytes */
export async function receiveFile(
  storage: MediaStorage,
  call: Call,
  { maxBytes }: UploadRules,
): Promise<ArrivedFile> {
  const { body, headers } = call.request;
  if (body.kind === 'none') throw mediaError('rest_upload_no_data');
  return headers['content-type']?.toLowerCase().startsWith('multipart/') === true
    ? receivePart(call)
    : receiveBody(storage, call, maxBytes);
}

/** Compares a file with the Content-MD5 of its request: hexadecimal, as WordPress reads it, or Base64, as in RFC 1864. @throws RestError `rest_upload_hash_mismatch` */
async function checkHash(storage: MediaStorage, { id, size }: ArrivedFile, wanted: string): Promise<void> {
  const hash = createHash('md5');
  for (let offset = 0; offset < size; offset += CHUNK) hash.update(await storage.read(id, offset, CHUNK));
  const digest = hash.digest();
  if (wanted !== digest.toString('hex') && wanted !== digest.toString('base64'))
    throw mediaError('rest_upload_hash_mismatch');
}

/** Checks what the type of a file does not decide. @throws RestError */
export async function checkArrived(storage: MediaStorage, call: Call, file: ArrivedFile): Promise<void> {
  const wanted = call.request.headers['content-md5']?.trim() ?? '';
  if (wanted !== '') await checkHash(storage, file, wanted);
  if (isPath(file.name)) throw file.refuse('The name of the file must not have folders.');
  if (file.size === 0) throw file.refuse(EMPTY);
}
