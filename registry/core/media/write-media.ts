import { createHash } from 'node:crypto';
import { engineError, type RestError } from '../../../lib/core/errors.ts';
import type { Call } from '../../../lib/route/call.ts';
import { eq } from '../../../lib/store/query.ts';
import { exists, type Operation, type StoredRecord, toUpdate } from '../../../lib/store/store.ts';
import type { UploadRules } from '../files/cms-settings.ts';
import { baseOf, cleanName, isPath, readDisposition } from '../files/library-file.ts';
import { decideType, LOOK_BYTES, recognise } from '../files/media-types.ts';
import { isPicture, readPicture, type PictureFacts } from '../files/picture-header.ts';
import type { MediaStorage } from '../host/ports.ts';
import type { MediaRecord } from '../records/media-record.ts';
import { unknownRecord } from '../translations/translation-links.ts';
import { makeSizes, missingSizes } from './make-sizes.ts';
import { toNewMedia, type MediaArgs, type MediaValues } from './media-values.ts';
import { mediaError, type MediaDeps } from './permissions.ts';
import { FILE_PART } from './routes.ts';
import { discardFiles, listFiles, publishFile } from './store-file.ts';

const EMPTY = 'File is empty. Please upload something more substantial.';
/** Bytes that are read at once when a stored file is hashed. */
const CHUNK = 1024 * 1024;

/** A file that has arrived, and is not yet part of the library. */
interface ArrivedFile {
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
    mediaError(code, { message });

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
async function receiveFile(
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
async function checkArrived(storage: MediaStorage, call: Call, file: ArrivedFile): Promise<void> {
  const wanted = call.request.headers['content-md5']?.trim() ?? '';
  if (wanted !== '') await checkHash(storage, file, wanted);
  if (isPath(file.name)) throw file.refuse('The name of the file must not have folders.');
  if (file.size === 0) throw file.refuse(EMPTY);
}

/** What the bytes of a file say of it. */
interface FileFacts {
  /** The name under which it is stored. */
  readonly name: string;
  readonly type: string;
  /** null: it is not a picture. */
  readonly picture: PictureFacts | null;
}

/**
 * Decides name and type of a file by its bytes. Of a picture, only the header is read: one with too many pixels is never decoded.
 * @throws RestError of the file
 */
async function inspectFile(
  storage: MediaStorage,
  file: ArrivedFile,
  { types, maxPixels }: UploadRules,
): Promise<FileFacts> {
  const read = (offset: number, length: number): Promise<Uint8Array> => storage.read(file.id, offset, length);
  const content = recognise(await read(0, LOOK_BYTES));
  const decided = decideType(cleanName(file.name), content);
  if (decided === null || !types.includes(decided.type) || baseOf(decided.name) === '') throw file.refuse();
  if (!isPicture(content)) return { ...decided, picture: null };
  const picture = await readPicture(content, read);
  if (picture === null) throw file.refuse('The picture is damaged or incomplete.');
  const { width, height } = picture;
  if (width * height > maxPixels)
    throw file.refuse(`The picture has ${width} x ${height} pixels; at most ${maxPixels} are allowed.`);
  return { ...decided, picture };
}

/** @throws RestError `rest_upload_unavailable` */
export function needStorage({ storage }: MediaDeps): MediaStorage {
  if (storage === undefined) throw mediaError('rest_upload_unavailable');
  return storage;
}

/** The folder of new files: year and month of the post that they are attached to, unless its type is a hierarchy, else of now. */
async function toFolder(
  { findPost, content, settings, now }: MediaDeps,
  call: Call,
  parent: number,
): Promise<string> {
  const post = parent === 0 ? null : await findPost(call, parent);
  const { zone } = await settings();
  const date =
    post === null || content.types.get(post.type)?.hierarchical !== false
      ? new Date(now() + zone.offsetAt(now())).toISOString()
      : post.date;
  return `${date.slice(0, 4)}/${date.slice(5, 7)}/`;
}

/** A new file that waits where it arrived. */
interface NewFile {
  readonly id: string;
  readonly size: number;
  readonly facts: FileFacts;
  readonly args: MediaArgs;
  readonly makesSizes: boolean;
  /** The error for a picture that is not accepted. */
  readonly refuse: ArrivedFile['refuse'];
}

/** Publishes a file, makes its copies and stores its record. If that fails, or the client has gone, nothing remains. @throws RestError as `toNewMedia` */
export async function addFile(
  context: MediaDeps,
  call: Call,
  { id, size, facts, args, makesSizes, refuse }: NewFile,
): Promise<MediaRecord> {
  const storage = needStorage(context);
  const { name, type, picture } = facts;
  const sizeOf = async (path: string): Promise<number | null> =>
    (await context.ports.media?.size(path)) ?? null;
  const file = await publishFile({ storage, sizeOf }, id, {
    folder: await toFolder(context, call, args.post ?? 0),
    name,
  });
  const written: string[] = [file];
  try {
    const values: MediaValues = {
      file,
      mime_type: type,
      filesize: size,
      ...(picture === null
        ? {}
        : { width: picture.width, height: picture.height, orientation: picture.orientation }),
    };
    if (picture !== null) {
      const stored = { ...picture, file, mime_type: type, sizes: {} };
      const { sizes, refused } = await makeSizes(context, storage, {
        picture: stored,
        work: { call, missing: makesSizes ? missingSizes(stored) : [], written },
      });
      if (refused !== undefined) throw refuse(refused);
      values['sizes'] = sizes;
    }
    call.signal.throwIfAborted();
    return await context.collection.create(call, () => toNewMedia(context, call, { args, file: values }));
  } catch (error) {
    await discardFiles(context, storage, written);
    throw error;
  }
}

/** Runs what publishes an arrived file. If it fails, the file is removed. */
export async function keepOnSuccess<T>(context: MediaDeps, id: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await Promise.resolve()
      .then(() => needStorage(context).remove(id))
      .catch((failure: unknown) =>
        context.log({ level: 'error', message: `the upload ${id} could not be removed`, error: failure }),
      );
    throw error;
  }
}

const FILE_FIELDS = ['file', 'mime_type', 'filesize', 'width', 'height', 'orientation', 'sizes'] as const;

/** A translation without a file of its own: its record has the file of the original. @throws RestError as `toNewMedia` */
async function addTranslation(
  context: MediaDeps,
  call: Call,
  { args, original }: { readonly args: MediaArgs; readonly original: StoredRecord },
): Promise<MediaRecord> {
  const file = Object.fromEntries(FILE_FIELDS.map((name) => [name, original[name] ?? null])) as MediaValues;
  const title = String(original['title']);
  return context.collection.create(call, () => toNewMedia(context, call, { args, title, file }));
}

/** Adds the file of a request to the library. @throws RestError if it is not accepted; nothing remains then */
export async function createMedia(
  context: MediaDeps,
  call: Call,
  args: MediaArgs & { readonly generate_sub_sizes: boolean },
): Promise<MediaRecord> {
  const of = call.stream === null && Object.keys(call.files).length === 0 ? args.ml_translation_of : 0;
  const original = of ? await context.store.get('media', of) : null;
  // Whether the caller may link the original is checked with the links.
  if (original !== null) return addTranslation(context, call, { args, original });
  if (of !== undefined && of !== 0) throw unknownRecord('ml_translation_of', of);
  const storage = needStorage(context);
  const file = await receiveFile(storage, call, context.rules);
  return keepOnSuccess(context, file.id, async () => {
    await checkArrived(storage, call, file);
    const facts = await inspectFile(storage, file, context.rules);
    return addFile(context, call, {
      id: file.id,
      size: file.size,
      facts,
      args,
      makesSizes: args.generate_sub_sizes,
      refuse: file.refuse,
    });
  });
}

/** Posts lose a featured image that is removed, in the same commit. */
export async function listPostUpdates(
  { store }: MediaDeps,
  { id }: MediaRecord,
): Promise<readonly Operation[]> {
  const { records } = await store.find({ collection: 'posts', where: eq('featured_media', id), fields: [] });
  return records.map((post) => toUpdate('posts', post, { featured_media: 0 }));
}

/** Removes the files of a record that was removed, unless another record has the same file. */
export async function discardMedia(context: MediaDeps, media: MediaRecord): Promise<void> {
  const { storage, store } = context;
  if (storage === undefined) return;
  if (!(await exists(store, 'media', eq('file', media.file))))
    await discardFiles(context, storage, listFiles(media));
}
