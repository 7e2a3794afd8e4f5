import { RestError } from '../core/errors.ts';
import { ANONYMOUS } from '../core/identity.ts';
import { isOwnLoopback } from '../http/cross-site.ts';
import { RestResponse } from '../http/response.ts';
import { StreamBody } from '../http/stream-body.ts';
import { JsonText } from '../json/json-document.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Call, Handler } from '../route/call.ts';
import { ToolResult } from './call-tool.ts';
import { type Answer, runMethod } from './methods.ts';
import { checkModern, isModern, readId, readMessage, RpcError, type RpcMessage } from './protocol.ts';
import { type McpServer, metaOf } from './server.ts';

/** Who may reach the endpoint, and where callers without a token get one. */
export interface McpGate {
  /** Origins of pages that may call it. */
  readonly origins: ReadonlySet<string>;
  /** The engine tells anonymous callers where to get a token, if the status is 401. */
  readonly challenges: boolean;
  /** Anonymous callers are refused. */
  readonly needsLogin: boolean;
}

type Id = RpcMessage['id'];

/**
 * A page that a browser has loaded may call only from a known origin. Its own address is known only on this machine: elsewhere
 * the page of another site can have it, by DNS rebinding.
 */
function checkOrigin({ request }: Call, { origins }: McpGate): void {
  const { origin } = request.headers;
  if (origin === undefined || origins.has(origin) || isOwnLoopback(origin, request.siteUrl)) return;
  throw new RpcError(
    'invalidRequest',
    `Pages of the origin ${origin} cannot call this server. Its trusted origins must list it.`,
    { status: 403 },
  );
}

async function readBody({ stream }: Call): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of stream ?? []) parts.push(part);
  return Buffer.concat(parts);
}

async function readValue(call: Call): Promise<unknown> {
  try {
    return parseJson(await readBody(call));
  } catch (error) {
    if (error instanceof RestError && error.code === 'rest_invalid_json')
      throw new RpcError('parse', error.message, { status: 400 });
    throw error;
  }
}

function toError(id: Id, error: RpcError): RestResponse {
  const { code, message, data, status } = error;
  return new RestResponse(
    {
      jsonrpc: '2.0',
      ...(id === null ? {} : { id }),
      error: { code, message, ...(data === undefined ? {} : { data }) },
    },
    { status },
  );
}

function write(id: Id, answer: Exclude<Answer, StreamBody>, server: McpServer | null): string {
  const meta = {
    ...(answer instanceof ToolResult ? answer.meta : {}),
    ...(server === null ? {} : metaOf(server)),
  };
  const members = answer instanceof ToolResult ? answer.members : JSON.stringify(answer).slice(1, -1);
  const all = [
    ...(server === null ? [] : ['"resultType":"complete"']),
    ...(members === '' ? [] : [members]),
    ...(Object.keys(meta).length === 0 ? [] : [`"_meta":${JSON.stringify(meta)}`]),
  ];
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${all.join(',')}}}`;
}

async function answer(
  message: RpcMessage,
  call: Call,
  { server, gate }: { server: McpServer; gate: McpGate },
): Promise<RestResponse> {
  const { id, method, params } = message;
  if (id === null) return new RestResponse(null, { status: 202 });
  const { headers } = call.request;
  const modern = isModern(message, headers);
  if (modern) checkModern(message, headers);
  const result = await runMethod(method, { id, params, call, server, isModern: modern });
  if (result instanceof StreamBody) return new RestResponse(result);
  const isRefused = gate.challenges && result instanceof ToolResult && result.status === 401;
  return new RestResponse(new JsonText(write(id, result, modern ? server : null)), {
    status: isRefused ? 401 : 200,
    cookies: result instanceof ToolResult ? result.cookies : [],
  });
}

/** Answers one message of a client. */
export function createMcpHandler(server: McpServer, gate: McpGate): Handler {
  return async (_args: unknown, call: Call) => {
    let id: Id = null;
    try {
      checkOrigin(call, gate);
      if (gate.needsLogin && call.identity.id === ANONYMOUS.id)
        throw new RpcError('invalidRequest', 'Callers of this server need a token.', { status: 401 });
      const value = await readValue(call);
      id = readId(value);
      return await answer(readMessage(value), call, { server, gate });
    } catch (error) {
      if (error instanceof RpcError) return toError(id, error);
      throw error;
    }
  };
}
