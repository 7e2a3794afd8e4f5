import type { CompiledEndpoint, RouteTable } from '../compile/table.ts';
import { engineError } from '../core/errors.ts';
import { can, type Identity } from '../core/identity.ts';
import { checkBodyLength, checkContentEncoding, parseBody, readBodyType } from '../http/body.ts';
import { readMethod } from '../http/cross-site.ts';
import type { UnreadHead } from '../http/host.ts';
import { parseQuery } from '../http/query-string.ts';
import { type Body, type BodySource, changeRequest, isRead, type RestRequest } from '../http/request.ts';
import type { RestResponse } from '../http/response.ts';
import type { UploadedFile, Uploads } from '../ports/uploads.ts';
import type { PreparedCall } from '../route/call.ts';
import {
  type Accepts,
  type BodyReading,
  findReading,
  MULTIPART,
  type MultipartDescriptor,
} from '../route/descriptor.ts';
import { logFailure, nameFailure } from './failure.ts';
import { checkRequired, readMultipart, removeFiles } from './form-uploads.ts';
import { prepareCall, refuseCall } from './prepare.ts';
import { findEndpoint, type Matched } from './resolve.ts';
import type { Runtime } from './runtime.ts';
import { TimeLimit } from './time-limit.ts';

/** Types of bodies that are already parsed. */
const PARSED_TYPES: Readonly<Partial<Record<Body['kind'], string>>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
};

const NAMED = /;\s*filename\*?\s*=/i;

/**
 * The type by which an endpoint reads a body. curl calls every body a form that it is not told another type of. One that has
 * the name of a file (RFC 6266) is that file where the endpoint takes files of any type.
 */
function typeOf({ body, headers }: RestRequest, accepts: Accepts | undefined): string {
  const type = PARSED_TYPES[body.kind] ?? readBodyType(headers['content-type']);
  const isNamedFile =
    body.kind === 'unread' &&
    type === PARSED_TYPES.form &&
    accepts?.['*/*'] !== undefined &&
    NAMED.test(headers['content-disposition'] ?? '');
  return isNamedFile ? 'application/octet-stream' : type;
}

/** Refuses what the headers alone decide, and callers without the capability of the endpoint. @throws RestError */
function checkBeforeReading(
  { descriptor: { accepts, maxBodyBytes }, capability }: CompiledEndpoint,
  { request, identity }: { request: RestRequest; identity: Identity },
): BodyReading {
  const { body, headers } = request;
  const type = typeOf(request, accepts);
  const reading = accepts === undefined ? 'args' : findReading(accepts, type);
  if (reading === null) {
    throw engineError('rest_unsupported_media_type', {
      message: `A body of type ${type} is not supported. Send ${Object.keys(accepts ?? {}).join(' or ')}.`,
    });
  }
  if (body.kind === 'unread') {
    checkContentEncoding(headers['content-encoding']);
    checkBodyLength(headers, maxBodyBytes ?? body.source.maxBytes);
  }
  checkCapability(capability, identity);
  return reading;
}

function checkCapability(capability: CompiledEndpoint['capability'], identity: Identity): void {
  if (capability !== null && !can(identity, capability)) throw engineError('rest_forbidden');
}

/** A request without a body lacks the files that an endpoint for forms only requires. @throws RestError */
function checkWithoutBody(
  { descriptor: { accepts = {} }, capability }: CompiledEndpoint,
  identity: Identity,
): void {
  const form = accepts[MULTIPART];
  if (typeof form !== 'object' || Object.keys(accepts).length > 1) return;
  checkCapability(capability, identity);
  checkRequired(form, []);
}

/** JSON and forms give args as well, so that a signature over the bytes can be checked. */
function parseBytes(bytes: Uint8Array, contentType: string | undefined): Body {
  const type = readBodyType(contentType);
  const body: Body = type.startsWith('multipart/') ? { kind: 'text', type } : parseBody(bytes, contentType);
  return body.kind === 'json' || body.kind === 'form' || body.kind === 'text' ? { ...body, bytes } : body;
}

/** The port of the host, with a `remove` that never rejects: the caller gets its response in any case. */
function toSafeUploads({ options: { uploads, log }, request }: Runtime): Uploads {
  if (uploads === null) throw new TypeError('the endpoint accepts files, but the engine has no uploads');
  return {
    save: async (stream, facts) => {
      try {
        return await uploads.save(stream, facts);
      } catch (error) {
        throw nameFailure('uploads.save', error);
      }
    },
    remove: async (id) => {
      try {
        await uploads.remove(id);
      } catch (error) {
        logFailure(error, log, `removing the file ${id} of ${request.path}`);
      }
    },
  };
}

/** The files are stored before the parameters are validated, because fields may come after them. */
function storeParts(
  runtime: Runtime,
  source: BodySource,
  { descriptor, maxBytes }: { descriptor: MultipartDescriptor; maxBytes: number },
): Promise<Body> {
  const uploads = toSafeUploads(runtime);
  const reading = readMultipart(source.parts(maxBytes), descriptor, uploads);
  const limit = new TimeLimit(source.timeoutMs + runtime.options.handlerTimeoutMs, runtime.request);
  return Promise.resolve(limit.hold(() => reading)).catch((error: unknown) => {
    // The host may finish after the time limit. Its files are removed then. A body that could not be read has no files.
    reading.then(
      (body) => removeFiles(uploads, filesOf(body)),
      () => undefined,
    );
    throw error;
  });
}

/** The body of a caller whose files are not stored. */
const UNREAD_FORM: Body = { kind: 'form', params: {} };

async function readSource(
  runtime: Runtime,
  source: BodySource,
  { reading, maxBytes }: { reading: BodyReading; maxBytes: number },
): Promise<Body> {
  const type = runtime.request.headers['content-type'];
  if (reading === 'args') return parseBody(await source.read(maxBytes), type);
  if (reading === 'bytes') return parseBytes(await source.read(maxBytes), type);
  if (reading === 'stream')
    return { kind: 'stream', stream: source.stream(maxBytes), timeoutMs: source.timeoutMs };
  if (reading.capability !== undefined && !can(runtime.identity, reading.capability)) return UNREAD_FORM;
  return storeParts(runtime, source, { descriptor: reading, maxBytes });
}

/** Reads the body in the way that the endpoint declares. @throws RestError */
async function openBody(runtime: Runtime, { endpoint }: Matched): Promise<Body> {
  const { body } = runtime.request;
  if (body.kind === 'none') {
    checkWithoutBody(endpoint, runtime.identity);
    return body;
  }
  const reading = checkBeforeReading(endpoint, runtime);
  if (body.kind === 'unread')
    return readSource(runtime, body.source, {
      reading,
      maxBytes: endpoint.descriptor.maxBodyBytes ?? body.source.maxBytes,
    });
  if (reading === 'args') return body;
  throw new TypeError(
    `${endpoint.where}: the adapter has parsed the body, but accepts reads it as ${JSON.stringify(reading)}; the adapter must ask takesUnread`,
  );
}

function filesOf(body: Body): readonly UploadedFile[] {
  return body.kind === 'form' ? Object.values(body.files ?? {}).flat() : [];
}

/** Whether the endpoint of a request says how its body is read. Adapters ask before they read a body. */
export function takesUnread(table: RouteTable, head: UnreadHead): boolean {
  const method = readMethod(head, parseQuery(head.query).params['_method']) ?? head.method;
  return findEndpoint(table, { path: head.path, method })?.endpoint.descriptor.accepts !== undefined;
}

/** Whether the engine must read the body itself, or check its type or that there is one. */
export function mustOpenBody({ table, request: { body, method } }: Runtime): boolean {
  return body.kind === 'unread' || (table.hasBodies && (body.kind !== 'none' || !isRead(method)));
}

/** Reads the body of a request, then prepares its call. If the response is an error, the files of the body are removed. Rejects only as `prepareCall` throws. */
export async function prepareWithBody(runtime: Runtime): Promise<PreparedCall> {
  const matched = findEndpoint(runtime.table, runtime.request);
  if (matched === null) return prepareCall(runtime);
  let body: Body;
  try {
    body = await openBody(runtime, matched);
  } catch (error) {
    return refuseCall(runtime, error, matched);
  }
  const prepared = prepareCall({ ...runtime, request: changeRequest(runtime.request, { body }) });
  const files = filesOf(body);
  if (files.length === 0) return prepared;
  const run = async (): Promise<RestResponse> => {
    const response = await prepared.run();
    if (response.status >= 400) await removeFiles(toSafeUploads(runtime), files);
    return response;
  };
  return { ...prepared, run };
}
