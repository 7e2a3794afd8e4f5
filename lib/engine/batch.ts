import { createPause } from '../core/cooperative.ts';
import { engineError, RestError, toErrorBody, toStatus } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import { vendorHeader } from '../core/names.ts';
import { own } from '../core/objects.ts';
import { parseTarget, type Target } from '../http/address.ts';
import { changeRequest, type RestRequest } from '../http/request.ts';
import { RestResponse } from '../http/response.ts';
import { JsonText } from '../json/json-document.ts';
import type { Call, PreparedCall } from '../route/call.ts';

/** Most items of one batch. */
const BATCH_LIMIT = 25;

/** The parameters of a batch. They have no descriptions, as in the recorded index. */
export const BATCH_ARGS = {
  validation: { type: 'string', enum: ['require-all-validate', 'normal'], default: 'normal' },
  requests: {
    type: 'array',
    required: true,
    maxItems: BATCH_LIMIT,
    items: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
        path: { type: 'string', required: true },
        body: { type: 'object', properties: {}, additionalProperties: true },
        headers: {
          type: 'object',
          properties: {},
          additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
        },
      },
    },
  },
} as const;

/** The result of one item of a batch. */
const ITEM_ANSWER = {
  type: ['object', 'null'],
  properties: {
    body: { required: true },
    status: { type: 'integer', required: true },
    headers: { type: 'object', additionalProperties: { type: 'string' }, required: true },
  },
} as const;

/** The response of a batch. */
export const BATCH_ANSWER = {
  type: 'object',
  properties: {
    failed: { type: 'string', enum: ['validation'] },
    responses: { type: 'array', items: ITEM_ANSWER, required: true },
  },
} as const;

interface BatchItem {
  readonly method?: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

interface BatchArgs {
  readonly validation: string;
  readonly requests: readonly BatchItem[];
}

/** One item of a batch: its request, matched and validated once, and its refusal. One list of records, never parallel lists. */
interface BatchRecord {
  readonly refusal: RestError | null;
  readonly prepared: PreparedCall | null;
}

/** Headers that an item may set. Identity and transport belong to the whole batch. */
const ITEM_HEADERS: ReadonlySet<string> = new Set(['if-match']);
const LONGEST_HEADER = Math.max(...[...ITEM_HEADERS].map((name) => name.length));
const NO_HEADERS: RestRequest['headers'] = Object.freeze({});

/** What stands around the responses of a batch. */
const ENVELOPE_BYTES = '{"responses":[]}'.length;

/** A path may be an absolute URL. Only the part after the host is used. */
const WITH_HOST = /^(?:[a-z][a-z\d+.-]*:)?\/\/(?<host>[^/?#:]*)(?::(?<port>\d*))?/i;
const LAST_PORT = 65_535;
/** Longest path of an item with its query, in characters. The limit is that of an address over HTTP. */
const PATH_LIMIT = 8 * 1024;

/** Parses the path of an item. WordPress does not remove a trailing slash here, and so finds no route. @throws RestError `parse_path_failed`, and those of `parseTarget` */
function readPath(path: string): Target {
  const address = WITH_HOST.exec(path);
  if (address?.groups?.['host'] === '' || Number(address?.groups?.['port'] ?? 0) > LAST_PORT)
    throw engineError('parse_path_failed');
  const local = path.slice(address?.[0].length ?? 0).split('#', 1)[0] ?? '';
  if (!local.startsWith('/') || /^[^?]*\/(?:\?|$)/.test(local)) throw engineError('rest_no_route');
  return parseTarget(local);
}

const toHeaderName = (name: string): string => name.toLowerCase().replaceAll('_', '-');

function toHeaders({ headers }: BatchItem): RestRequest['headers'] {
  if (headers === undefined) return NO_HEADERS;
  const known = Object.keys(headers).filter(
    (name) => name.length <= LONGEST_HEADER && ITEM_HEADERS.has(toHeaderName(name)),
  );
  return Object.fromEntries(
    known.map((name) => [toHeaderName(name), [own(headers, name) ?? []].flat().join(', ')]),
  );
}

/** @throws RestError for a path that cannot be read */
function toRequest(item: BatchItem, outer: RestRequest): RestRequest {
  if (item.path.length > PATH_LIMIT) throw engineError('rest_uri_too_long');
  return changeRequest(outer, {
    ...readPath(item.path),
    method: item.method ?? 'POST',
    headers: toHeaders(item),
    body: item.body === undefined ? { kind: 'none' } : { kind: 'json', value: item.body },
  });
}

function prepareItem(item: BatchItem, call: Call): BatchRecord {
  try {
    const prepared = call.site.prepare(toRequest(item, call.request));
    return prepared.batchable
      ? { refusal: prepared.refusal, prepared }
      : { refusal: engineError('rest_batch_not_allowed'), prepared: null };
  } catch (error) {
    if (error instanceof RestError) return { refusal: error, prepared: null };
    throw error;
  }
}

/** The response to one item, as part of the response to the batch. A body that is already written is not parsed again. */
function toEnvelope({
  content,
  status,
  headers,
}: Pick<RestResponse, 'content' | 'status' | 'headers'>): string {
  const body = content instanceof JsonText ? content.text : JSON.stringify(content);
  return `{"body":${body},"status":${status},"headers":${JSON.stringify(headers)}}`;
}

function toRefusal(refusal: RestError, identity: Identity): object {
  return {
    body: toErrorBody(refusal, identity),
    status: toStatus(refusal, identity),
    headers: { ...refusal.headers },
  };
}

/** The response to one item. Its cookies are sent with the whole batch. `isDone`: it may have changed something. */
interface ItemAnswer {
  readonly text: string;
  /** The same without its body, for a batch that would be too large. */
  readonly bare: string;
  readonly isDone: boolean;
  readonly cookies: readonly string[];
}

function refuse(refusal: RestError, identity: Identity): ItemAnswer {
  const text = JSON.stringify(toRefusal(refusal, identity));
  return { text, bare: text, isDone: false, cookies: [] };
}

async function runItem({ prepared, refusal }: BatchRecord, call: Call): Promise<ItemAnswer> {
  if (prepared === null) return refuse(refusal ?? engineError('rest_internal_error'), call.identity);
  const response = await prepared.run();
  const { status, headers } = response;
  const bare = toEnvelope({
    content: null,
    status,
    headers: { ...headers, [vendorHeader(call.site.names, 'Truncated')]: '0' },
  });
  return { text: toEnvelope(response), bare, isDone: response.status < 400, cookies: response.cookies };
}

/** Leaves out the largest bodies until the batch fits: what was written must not end in an error. */
function shorten(answers: readonly ItemAnswer[], limit: number): readonly ItemAnswer[] {
  const sizes = answers.map(({ text }) => Buffer.byteLength(text) + 1);
  const largest = answers
    .map((_answer, at) => at)
    .toSorted((one, other) => (sizes[other] ?? 0) - (sizes[one] ?? 0));
  const isLeftOut = new Set<number>();
  let bytes = sizes.reduce((sum, size) => sum + size, ENVELOPE_BYTES);
  for (const at of largest) {
    if (bytes <= limit) break;
    isLeftOut.add(at);
    bytes += Buffer.byteLength(answers[at]?.bare ?? '') + 1 - (sizes[at] ?? 0);
  }
  return answers.map((answer, at) => (isLeftOut.has(at) ? { ...answer, text: answer.bare } : answer));
}

/** The responses once all writes are durable. If that fails, it is not known which of the items that succeeded are lost. */
async function settle(
  answers: readonly ItemAnswer[],
  { site, identity }: Call,
): Promise<readonly ItemAnswer[]> {
  try {
    await site.flush();
    return answers;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return answers.map((answer) => (answer.isDone ? refuse(error, identity) : answer));
  }
}

/**
 * Runs the items one after another with the identity of the call. Each item is matched only once.
 * A failed item does not stop the others. With `require-all-validate`, nothing runs if one item cannot run.
 * `limit`: largest response, in bytes.
 */
export function createBatchHandler(limit: number): (args: BatchArgs, call: Call) => Promise<RestResponse> {
  return async ({ validation, requests }, call) => {
    const records = requests.map((item) => prepareItem(item, call));
    if (validation === 'require-all-validate' && records.some((record) => record.refusal !== null)) {
      const responses = records.map(({ refusal }) =>
        refusal === null ? null : toRefusal(refusal, call.identity),
      );
      return new RestResponse({ failed: 'validation', responses }, { status: 207 });
    }
    const answers: ItemAnswer[] = [];
    const pause = createPause();
    for (const record of records) {
      answers.push(await runItem(record, call));
      await pause();
    }
    const settled = shorten(await settle(answers, call), limit);
    const content = new JsonText(`{"responses":[${settled.map(({ text }) => text).join(',')}]}`);
    return new RestResponse(content, { status: 207, cookies: settled.flatMap(({ cookies }) => cookies) });
  };
}
