import { createRequest, type Engine } from '../../lib/index.ts';

/** The answer to a message, as the client reads it. */
export interface RpcAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly id?: unknown;
    readonly result?: Readonly<Record<string, never>>;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  } | null;
}

/** The member at a path such as `content.0.text` of a value read from JSON. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((part, name) => (part as Readonly<Record<string, unknown>> | undefined)?.[name], value);
}

/** What a tool returned, as the response of its HTTP call. */
export interface ToolAnswer {
  readonly status: number;
  readonly body: unknown;
}

export const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** One message, with the headers that a client of 2026-07-28 sends. */
export interface Sent {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly legacy?: true;
}

function toHeaders({ method, params = {}, headers = {}, legacy }: Sent): Record<string, string> {
  const name = params['name'] ?? params['uri'];
  const all = {
    'content-type': 'application/json',
    ...(legacy === true
      ? {}
      : {
          'mcp-protocol-version': VERSION,
          'mcp-method': method,
          ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        }),
    ...headers,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Posts a body to the endpoint, through `serve`. */
export async function post(
  engine: Engine,
  body: string,
  {
    headers = {},
    path = '/mcp',
    language = 'en',
    method = 'POST',
  }: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly path?: string;
    readonly language?: string;
    readonly method?: string;
  } = {},
): Promise<RpcAnswer> {
  const request = createRequest(path, {
    method,
    language,
    headers,
    ...(method === 'POST' ? { body: Buffer.from(body) } : {}),
  });
  const wire = await engine.serve(request);
  const text = wire.body === null ? '' : Buffer.from(wire.body).toString();
  return { status: wire.status, headers: wire.headers, body: text === '' ? null : JSON.parse(text) };
}

function toBody({ method, params = {}, legacy }: Sent, id: unknown): string {
  const all = legacy === true ? params : { ...params, _meta: META };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: all });
}

export function sendRpc(engine: Engine, sent: Sent, id: unknown = 1): Promise<RpcAnswer> {
  return post(engine, toBody(sent, id), { headers: toHeaders(sent) });
}

/** The messages of a subscription, as they come. `draining`: aborted when the server begins to stop. */
export async function* subscribe(
  engine: Engine,
  sent: Sent,
  draining?: AbortSignal,
): AsyncGenerator<unknown, undefined> {
  const request = createRequest('/mcp', {
    method: 'POST',
    headers: toHeaders(sent),
    body: Buffer.from(toBody(sent, 1)),
  });
  const { stream } = await engine.serve({ ...request, draining });
  if (stream === undefined) throw new TypeError('The answer is no stream.');
  for await (const part of stream)
    for (const [, data = ''] of Buffer.from(part)
      .toString()
      .matchAll(/^data: (.*)$/gm))
      yield JSON.parse(data);
}

/** Calls a tool as a caller that `headers` name. */
export async function callTool(
  engine: Engine,
  [name, args]: readonly [string, Readonly<Record<string, unknown>>],
  headers: Readonly<Record<string, string>> = {},
): Promise<ToolAnswer> {
  const { body } = await sendRpc(engine, {
    method: 'tools/call',
    params: { name, arguments: args },
    headers,
  });
  const texts = at(body, 'result.content') as readonly { readonly text: string }[];
  return {
    status: Number(at(body, 'result._meta.status')),
    body: at(body, 'result.structuredContent') ?? JSON.parse(texts.at(-1)?.text ?? 'null'),
  };
}

/** The tools of a caller. */
export async function listTools(
  engine: Engine,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly { readonly name: string; readonly [member: string]: unknown }[]> {
  const { body } = await sendRpc(engine, { method: 'tools/list', headers });
  return at(body, 'result.tools') as [];
}
