import { engineError, RestError, toErrorBody, toStatus } from '../core/errors.ts';
import { can } from '../core/identity.ts';
import { vendorHeader } from '../core/names.ts';
import { own } from '../core/objects.ts';
import { type Action, toActionCall } from '../describe/actions.ts';
import type { Document } from '../describe/openapi-schema.ts';
import { changeRequest } from '../http/request.ts';
import type { RestResponse } from '../http/response.ts';
import { JsonBytes, JsonText } from '../json/json-document.ts';
import type { Call } from '../route/call.ts';
import { untrustedOf, warnOf } from './tools.ts';

/** The result of a tool. */
export class ToolResult {
  /** Its members but `_meta`, written as JSON without braces. */
  readonly members: string;
  readonly meta: Document;
  /** Status of the call. */
  readonly status: number;
  /** Cookies of its response. */
  readonly cookies: readonly string[];

  constructor(
    members: string,
    { meta = {}, status, cookies = [] }: { meta?: Document; status: number; cookies?: readonly string[] },
  ) {
    this.members = members;
    this.meta = { status, ...meta };
    this.status = status;
    this.cookies = cookies;
  }
}

const textBlock = (json: string): string => `{"type":"text","text":${json}}`;

function toMembers(
  body: string,
  { isError = false, warning }: { isError?: boolean; warning?: string | undefined } = {},
): string {
  const blocks = [...(warning === undefined ? [] : [warning]), body].map((text) =>
    textBlock(JSON.stringify(text)),
  );
  return `"content":[${blocks.join(',')}],${isError ? '"isError":true' : `"structuredContent":${body},"isError":false`}`;
}

const FIRST = /^\s*(.)/;

/** A body as an object: a list becomes `items` with the totals of its pages, any other value `value`. */
export function toObject({ names }: Call['site'], body: string, headers: RestResponse['headers']): string {
  const first = FIRST.exec(body)?.[1];
  if (first === '{') return body;
  if (first !== '[') return `{"value":${body}}`;
  const [total, pages] = [vendorHeader(names, 'Total'), vendorHeader(names, 'TotalPages')].map((name) =>
    own(headers, name),
  );
  return total === undefined || pages === undefined
    ? `{"items":${body}}`
    : `{"items":${body},"total":${Number(total)},"total_pages":${Number(pages)}}`;
}

/** Runs an action with the identity, the time limit and the signal of the call. Its writes are durable when the response is there. @throws RestError for a call that cannot be begun */
export async function runAction(
  action: Action,
  args: Readonly<Record<string, unknown>>,
  call: Call,
): Promise<RestResponse> {
  const { site, request, identity } = call;
  const prepared = site.prepare(
    changeRequest(request, { query: '', ...toActionCall(action, site.names, args) }),
  );
  // An argument cannot lead to the path of another route, such as `5/revisions`.
  if (prepared.route !== null && prepared.route !== action.route) throw engineError('rest_no_route');
  // Over HTTP, the body of a caller without the capability is not read, so it is not validated either.
  if (action.method !== 'GET' && prepared.capability !== null && !can(identity, prepared.capability))
    throw engineError('rest_forbidden');
  const response = await prepared.run();
  await site.flush();
  return response;
}

interface Asked {
  readonly action: Action;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A file: a picture or a sound that the model perceives, or a resource with its address. */
function toFileBlock({ type, base64 }: JsonBytes, uri: string): Document {
  const [kind = ''] = type.split('/');
  return kind === 'image' || kind === 'audio'
    ? { type: kind, data: base64, mimeType: type }
    : { type: 'resource', resource: { uri, mimeType: type, blob: base64 } };
}

function toResult({ action, args }: Asked, response: RestResponse, { site }: Call): ToolResult {
  const { content, status, headers, cookies } = response;
  const isError = status >= 400;
  if (content instanceof JsonBytes) {
    const block = toFileBlock(content, site.wireUrl(toActionCall(action, site.names, args).path));
    return new ToolResult(`"content":[${JSON.stringify(block)}],"isError":${isError}`, { status, cookies });
  }
  const body = content instanceof JsonText ? content.text : JSON.stringify(content ?? null);
  if (isError) return new ToolResult(toMembers(body, { isError: true }), { status, cookies });
  const untrusted = untrustedOf(action, site.names);
  const members = toMembers(body === 'null' ? '{}' : toObject(site, body, headers), {
    warning: untrusted.length > 0 ? warnOf(untrusted) : undefined,
  });
  return new ToolResult(members, { status, cookies, meta: untrusted.length > 0 ? { untrusted } : {} });
}

/** Calls the endpoint with the identity, the time limit and the signal of the call. An error of the API is a result with `isError`. */
export async function callTool(
  action: Action,
  args: Readonly<Record<string, unknown>>,
  call: Call,
): Promise<ToolResult> {
  try {
    return toResult({ action, args }, await runAction(action, args, call), call);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const body = JSON.stringify(toErrorBody(error, call.identity));
    return new ToolResult(toMembers(body, { isError: true }), { status: toStatus(error, call.identity) });
  }
}

/** The result of a tool that only computes a value. */
export function toValueResult(value: object): ToolResult {
  return new ToolResult(toMembers(JSON.stringify(value)), { status: 200 });
}
