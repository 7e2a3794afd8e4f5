import { adviseOn } from '../core/check-options.ts';
import { isObject, own } from '../core/objects.ts';
import { listActions } from '../describe/actions.ts';
import type { Document } from '../describe/openapi-schema.ts';
import type { StreamBody } from '../http/stream-body.ts';
import { callTool, type ToolResult } from './call-tool.ts';
import { type Reachable, FIND_TOOLS, callFindTool } from './find-tools.ts';
import { agreeOn, REVISIONS, RpcError, type RpcParams } from './protocol.ts';
import {
  type Asked,
  infoOf,
  type McpPrompt,
  type McpResources,
  type McpServer,
  notFound,
  uriOf,
} from './server.ts';
import { listenTo, subscribe } from './subscriptions.ts';
import { createChoice, listMine, toTool } from './tools.ts';

/** What a list shows of something with suggested values. */
const withoutValues = <T extends { readonly values?: unknown }>({ values: _values, ...shown }: T) => shown;

const toShown = ({ messages: _messages, arguments: args = [], ...shown }: McpPrompt): Document => ({
  ...shown,
  arguments: args.map(withoutValues),
});

const invalid = (message: string): RpcError => new RpcError('invalidParams', message);

function needNamed<T>(
  list: readonly T[],
  name: unknown,
  { nameOf, what }: { nameOf: (each: T) => string; what: string },
): T {
  const found = list.find((each) => nameOf(each) === name);
  if (found === undefined)
    throw invalid(
      `Unknown ${what}: ${JSON.stringify(name)}${adviseOn(String(name), list.map(nameOf), { what: `${what}s` })}`,
    );
  return found;
}

const needPrompt = ({ server }: Asked, name: unknown): McpPrompt =>
  needNamed(server.prompts, name, { nameOf: (each) => each.name, what: 'prompt' });

/** `prompts/get` */
async function getPrompt(asked: Asked): Promise<Document> {
  const prompt = needPrompt(asked, asked.params['name']);
  const { arguments: args = {} } = asked.params;
  if (!isObject(args) || !Object.values(args).every((value) => typeof value === 'string'))
    throw invalid('params.arguments must be an object of texts.');
  const missing = prompt.arguments?.find(
    ({ name, required }) => required === true && !Object.hasOwn(args, name),
  );
  if (missing !== undefined) throw invalid(`params.arguments.${missing.name} is missing.`);
  const { description } = prompt;
  return {
    ...(description === undefined ? {} : { description }),
    messages: await prompt.messages(args as Readonly<Record<string, string>>, asked.call),
  };
}

/** Most values of one answer, as the protocol says. */
const MOST_VALUES = 100;

function valuesOf(asked: Asked, ref: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  if (ref['type'] === 'ref/prompt')
    return needPrompt(asked, ref['name']).arguments?.find((each) => each.name === name)?.values ?? [];
  if (ref['type'] !== 'ref/resource') throw invalid('params.ref.type must be ref/prompt or ref/resource.');
  const { templates = [] } = asked.server.resources ?? {};
  const { values = {} } = needNamed(templates, ref['uri'], {
    nameOf: (each) => each.uriTemplate,
    what: 'template',
  });
  return own(values, name) ?? [];
}

/** `completion/complete`: the known values that begin as the given one. */
function complete(asked: Asked): Document {
  const { ref, argument } = asked.params;
  const { name, value } = isObject(argument) ? argument : {};
  if (!isObject(ref) || typeof name !== 'string' || typeof value !== 'string')
    throw invalid('params must have ref, an object, and argument, with the texts name and value.');
  const found = valuesOf(asked, ref, name).filter((each) =>
    each.toLowerCase().startsWith(value.toLowerCase()),
  );
  return {
    completion: {
      values: found.slice(0, MOST_VALUES),
      total: found.length,
      hasMore: found.length > MOST_VALUES,
    },
  };
}

/** The result of a method: an object, the result of a tool, or the messages of a subscription. */
export type Answer = Document | ToolResult | StreamBody;

type Method = (asked: Asked) => Answer | Promise<Answer>;

/** How long a client may use what a method returned, in milliseconds. */
const HOUR = 3_600_000;
const MINUTE = 60_000;

const cached = (asked: Asked, ttlMs: number, cacheScope: 'public' | 'private'): Document =>
  asked.isModern ? { ttlMs, cacheScope } : {};

function capabilitiesOf({ resources, prompts }: McpServer): Document {
  const hasPrompts = prompts.length > 0;
  return {
    tools: {},
    ...(resources === undefined
      ? {}
      : { resources: resources.watch === undefined ? {} : { subscribe: true } }),
    ...(hasPrompts ? { prompts: {} } : {}),
    ...(resources !== undefined || hasPrompts ? { completions: {} } : {}),
  };
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
  const { call, server } = asked;
  const uri = uriOf(asked);
  const contents = (await server.resources?.read(uri, call)) ?? null;
  if (contents === null) throw notFound(uri, asked);
  return { contents, ...cached(asked, MINUTE, 'private') };
}

const RESOURCE_METHODS: Readonly<Record<string, Method>> = {
  'resources/list': listResources,
  'resources/templates/list': (asked) => {
    checkCursor(asked.params, () => false);
    return {
      resourceTemplates: asked.server.resources?.templates.map(withoutValues) ?? [],
      ...cached(asked, HOUR, 'public'),
    };
  },
  'resources/read': readResource,
};

const PROMPT_METHODS: Readonly<Record<string, Method>> = {
  'prompts/list': (asked) => {
    checkCursor(asked.params, () => false);
    return { prompts: asked.server.prompts.map(toShown), ...cached(asked, HOUR, 'public') };
  },
  'prompts/get': getPrompt,
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
  // The server has no messages of a log to send, whatever the level.
  'logging/setLevel': () => ({}),
};

/** A subscription of earlier revisions ends when the client closes its stream, so there is nothing to do for its end. */
const watchMethods = (
  watch: NonNullable<McpResources['watch']>,
  isModern: boolean,
): Readonly<Record<string, Method>> =>
  isModern
    ? { 'subscriptions/listen': (asked) => listenTo(watch, asked) }
    : { 'resources/subscribe': (asked) => subscribe(watch, asked), 'resources/unsubscribe': () => ({}) };

/** Runs a method. @throws RpcError */
export function runMethod(method: string, asked: Asked): Answer | Promise<Answer> {
  const { resources, prompts } = asked.server;
  const known = {
    ...METHODS,
    ...(resources === undefined ? {} : RESOURCE_METHODS),
    ...(resources?.watch === undefined ? {} : watchMethods(resources.watch, asked.isModern)),
    ...(prompts.length === 0 ? {} : PROMPT_METHODS),
    ...(resources === undefined && prompts.length === 0 ? {} : { 'completion/complete': complete }),
    ...(asked.isModern ? MODERN_METHODS : LEGACY_METHODS),
  };
  const run = own<Method>(known, method);
  if (run === undefined)
    throw new RpcError('unknownMethod', `Method not found: ${method}`, {
      status: asked.isModern ? 404 : 200,
    });
  return run(asked);
}
