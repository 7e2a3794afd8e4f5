import { createHash } from 'node:crypto';
import { engineError, RestError } from '../../core/errors.ts';
import { RecordList } from '../../http/record-list.ts';
import { RawBody, type ResponseOptions, RestResponse } from '../../http/response.ts';
import { JsonText } from '../../json/json-document.ts';
import type { Call, Handler } from '../../route/call.ts';
import type { Json } from '../../schema/schema-dialect.ts';
import type { Store } from '../../store/store.ts';
import { toCallerKey } from './call-counts.ts';
import { keepResponse, type KeyedRun, readKey, runKeyed, sweepCalls } from './call-store.ts';

/** How long a key is known. Milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** A structured string or a bare word of visible ASCII (draft-ietf-httpapi-idempotency-key-header, 2.1). */
const KEY = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** The key of a call. null: it has none. @throws RestError `rest_invalid_key` */
function readHeader({ request: { headers } }: Call): string | null {
  const header = headers['idempotency-key'];
  if (header === undefined) return null;
  const [, quoted, bare] = KEY.exec(header.trim()) ?? [];
  const key = quoted ?? bare;
  if (key === undefined) throw engineError('rest_invalid_key');
  return key;
}

const hash = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** What is kept of a response. null: a body that is not JSON, which is made again by running the handler on what was committed. */
function toKept({ status, headers, content, links, version }: RestResponse): Json {
  if (content instanceof RawBody || content instanceof RecordList) return null;
  const body = content instanceof JsonText ? content.toJSON() : content;
  // As it is sent: without members that are undefined.
  return JSON.parse(JSON.stringify({ status, headers, body: body ?? null, links, version })) as Json;
}

function fromKept(kept: Json): RestResponse {
  const { body, ...options } = kept as unknown as ResponseOptions & { readonly body: unknown };
  return new RestResponse(body, options);
}

/** Keys of the calls that this process runs, of all engines: they may share a store. */
const running = new Set<string>();

/** What a keyed handler needs to know of its endpoint. */
interface Keyed {
  readonly where: string;
  readonly store: Store;
  /** Options of the response to a plain value. */
  readonly plain: ResponseOptions;
}

async function runOnce(run: KeyedRun, { store, plain }: Keyed, handler: () => unknown): Promise<unknown> {
  const first = run.known.get(0);
  if (first !== undefined && first['digest'] !== run.digest) throw engineError('rest_key_reused');
  const kept = first?.['response'];
  if (kept !== undefined && kept !== null) return fromKept(kept);
  const value: unknown = await runKeyed(run, handler);
  if (value instanceof RestError) throw value;
  // A response of Fetch has a body that can be read once.
  if (value instanceof Response) return value;
  const response = value instanceof RestResponse ? value : new RestResponse(value, plain);
  if (response.status < 400) await keepResponse(store, run, toKept(response));
  return response;
}

/**
 * A handler that is carried out once for each `Idempotency-Key` of a caller. The same call gets the first response again; another one with the same key is refused.
 * Errors are not kept, because what failed has changed nothing.
 */
export function toKeyedHandler(handler: Handler, keyed: Keyed): Handler {
  const { where, store } = keyed;
  return async (args, call) => {
    const sent = readHeader(call);
    if (sent === null) return handler(args, call);
    const key = hash(where, toCallerKey(call), sent);
    if (running.has(key)) throw engineError('rest_key_running');
    running.add(key);
    try {
      const digest = hash(call.request.method, call.request.path, call.args);
      const known = await readKey(store, key);
      await sweepCalls(store);
      const run = { key, digest, until: Date.now() + KEPT_MS, known, commits: 0, row: null };
      return await runOnce(run, keyed, () => handler(args, call));
    } finally {
      running.delete(key);
    }
  };
}
