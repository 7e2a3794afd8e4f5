import { isObject, own } from '../core/objects.ts';
import { listActions } from '../describe/actions.ts';
import type { Document } from '../describe/openapi-schema.ts';
import type { Call } from '../route/call.ts';
import { callTool, type ToolResult } from './call-tool.ts';
import { callFindTool, FIND_TOOLS, type Reachable } from './find-tools.ts';
import type { McpResources } from './resources.ts';
import { agreeOn, REVISIONS, SERVER_INFO } from './revisions.ts';
import { RpcError, type RpcParams } from './rpc.ts';
import { createChoice, listMine, toTool, type ToolChoice } from './tools.ts';

/** What a server says of itself and offers. */
export interface McpServer {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly tools: ToolChoice;
  readonly resources: McpResources | undefined;
}

/** One request of a client. */
export interface Asked {
  readonly params: RpcParams;
  readonly call: Call;
  readonly server: McpServer;
  readonly isModern: boolean;
}

/** The result of a method: an object, or the result of a tool. */
export type Answer = Document | ToolResult;

type Method = (asked: Asked) => Answer | Promise<Answer>;

/** How long a client may use what a method returned, in milliseconds. */
const HOUR = 3_600_000;
const MINUTE = 60_000;

const cached = (asked: Asked, ttlMs: number, cacheScope: 'public' | 'private'): Document =>
  asked.isModern ? { ttlMs, cacheScope } : {};

const infoOf = ({ name, version }: McpServer): Document => ({ name, version });

function capabilitiesOf({ resources }: McpServer): Document {
  return { tools: {}, ...(resources === undefined ? {} : { resources: {} }) };
}

const toldBy = ({ instructions }: McpServer): Document =>
  instructions === undefined ? {} : { instructions };

function reachableOf({ call, server: { tools } }: Asked): Reachable {
  const isChosen = createChoice(tools);
  return {
    mine: () => listMine(call, isChosen),
    find: (name) => listActions(call.site).find((each) => each.name === name && isChosen(name)),
  };
}

async function listTools(asked: Asked): Promise<Document> {
  checkCursor(asked.params, () => false);
  const { call, server } = asked;
  const tools =
    server.tools === 'find'
      ? FIND_TOOLS
      : (await reachableOf(asked).mine()).map((action) => toTool(action, call));
  return { tools, ...cached(asked, MINUTE, 'private') };
}

async function runTool(asked: Asked): Promise<ToolResult> {
  const { params, call, server } = asked;
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string')
    throw new RpcError('invalidParams', 'params.name must be the name of a tool.');
  if (!isObject(given)) throw new RpcError('invalidParams', 'params.arguments must be an object.');
  const reachable = reachableOf(asked);
  const result =
    server.tools === 'find'
      ? await callFindTool(name, given, { call, reachable })
      : await toolNamed(reachable, name, (action) => callTool(action, given, call));
  if (result === undefined) throw new RpcError('invalidParams', `Unknown tool: ${name}`);
  return result;
}

function toolNamed<T>(
  { find }: Reachable,
  name: string,
  run: (action: NonNullable<ReturnType<Reachable['find']>>) => T,
): T | undefined {
  const action = find(name);
  return action === undefined ? undefined : run(action);
}

function checkCursor({ cursor }: RpcParams, isKnown: (cursor: string) => boolean): void {
  if (cursor === undefined) return;
  if (typeof cursor !== 'string' || !isKnown(cursor))
    throw new RpcError('invalidParams', 'params.cursor is not a cursor of this list.');
}

/** The cursor of a list of resources is the number of its page. */
const PAGE = /^[1-9]\d{0,5}$/;

async function listResources(asked: Asked): Promise<Document> {
  const { params, call, server } = asked;
  checkCursor(params, (cursor) => PAGE.test(cursor));
  const page = Number(params['cursor'] ?? 1);
  const { resources = [], more = false } = (await server.resources?.list(page, call)) ?? {};
  return {
    resources,
    ...(more ? { nextCursor: String(page + 1) } : {}),
    ...cached(asked, MINUTE, 'private'),
  };
}

async function readResource(asked: Asked): Promise<Document> {
  const { params, call, server } = asked;
  const { uri } = params;
  if (typeof uri !== 'string')
    throw new RpcError('invalidParams', 'params.uri must be the URI of a resource.');
  const contents = (await server.resources?.read(uri, call)) ?? null;
  if (contents === null)
    throw new RpcError(asked.isModern ? 'invalidParams' : 'unknownResource', 'Resource not found', {
      data: { uri },
    });
  return { contents, ...cached(asked, MINUTE, 'private') };
}

const RESOURCE_METHODS: Readonly<Record<string, Method>> = {
  'resources/list': listResources,
  'resources/templates/list': (asked) => {
    checkCursor(asked.params, () => false);
    return { resourceTemplates: asked.server.resources?.templates ?? [], ...cached(asked, HOUR, 'public') };
  },
  'resources/read': readResource,
};

const METHODS: Readonly<Record<string, Method>> = { 'tools/list': listTools, 'tools/call': runTool };

const MODERN_METHODS: Readonly<Record<string, Method>> = {
  'server/discover': (asked) => ({
    supportedVersions: REVISIONS,
    capabilities: capabilitiesOf(asked.server),
    ...toldBy(asked.server),
    ...cached(asked, HOUR, 'public'),
  }),
};

const LEGACY_METHODS: Readonly<Record<string, Method>> = {
  initialize: ({ params, server }) => ({
    protocolVersion: agreeOn(params),
    capabilities: capabilitiesOf(server),
    serverInfo: infoOf(server),
    ...toldBy(server),
  }),
  ping: () => ({}),
};

/** Runs a method. @throws RpcError */
export function runMethod(method: string, asked: Asked): Answer | Promise<Answer> {
  const known = {
    ...METHODS,
    ...(asked.server.resources === undefined ? {} : RESOURCE_METHODS),
    ...(asked.isModern ? MODERN_METHODS : LEGACY_METHODS),
  };
  const run = own<Method>(known, method);
  if (run === undefined)
    throw new RpcError('unknownMethod', `Method not found: ${method}`, {
      status: asked.isModern ? 404 : 200,
    });
  return run(asked);
}

/** Members of every result of the revision without sessions. */
export function metaOf(server: McpServer): Document {
  return { [SERVER_INFO]: infoOf(server) };
}
