import { adviseOn, atPlace } from '../core/check-options.ts';
import { can } from '../core/identity.ts';
import { type Names, renamePath, renameRelation } from '../core/names.ts';
import { freezeGiven, own } from '../core/objects.ts';
import type { ResponseOptions } from '../http/response.ts';
import type { Around, Handler, Permission, RouteView } from '../route/call.ts';
import {
  type EndpointDescriptor,
  hasFiles,
  type NamespaceDescriptor,
  type ResourceDescriptor,
  type RouteDescriptor,
} from '../route/descriptor.ts';
import { type Embed, listArounds, type NamedAround, type Namespace } from '../route/namespace.ts';
import { groupsOf } from '../route/pattern.ts';
import type { ArgSchemas } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';
import type { Store } from '../store/store.ts';
import { checkGroups, writeGroups } from './check-groups.ts';
import { checkUsed, findFunction, refuseHandler, refusePermission } from './check-namespace.ts';
import {
  type CheckAnswer,
  compileAnswers,
  compileDeclared,
  type SelectDeclared,
  statusOfValue,
} from './compile-answers.ts';
import type { ArgsCompiler, CompiledArgs } from './compile-args.ts';
import { createPathRouter, type Find } from './router.ts';
import type { CallCounts } from './terms/call-counts.ts';
import { compileTerms, type Terms } from './terms/compile-terms.ts';
import { toKeyedHandler } from './terms/keyed-handler.ts';

/** An endpoint with the functions that its ids name. */
export interface CompiledEndpoint extends CompiledArgs {
  readonly descriptor: EndpointDescriptor;
  /** Namespace, pattern and methods, for messages. */
  readonly where: string;
  readonly handler: Handler;
  /** null: public. */
  readonly permission: Permission | null;
  /** The functions that run around its calls, the innermost first. null: none. */
  readonly arounds: readonly NamedAround[] | null;
  /** null: its calls have no limit, and are not deprecated. */
  readonly terms: Terms | null;
  /** The capability that is the permission. null: the permission is public or a function. */
  readonly capability: string | null;
  /** Options of the response to a plain value that the handler returns. */
  readonly plain: ResponseOptions;
  /** null: whatever the handler returns is sent. */
  readonly selectDeclared: SelectDeclared | null;
  /** null: responses are not checked. */
  readonly checkAnswer: CheckAnswer | null;
}

export interface CompiledRoute {
  /** What calls see of it. */
  readonly view: RouteView;
  readonly endpoints: readonly CompiledEndpoint[];
  readonly byMethod: ReadonlyMap<string, CompiledEndpoint>;
}

/** All routes at one moment. It never changes: each registration creates a new table. */
export interface RouteTable {
  /** Wire names in order, including namespaces without routes. */
  readonly namespaces: readonly string[];
  /** Without hidden routes. */
  readonly routes: readonly RouteView[];
  /** Wire name of a relation -> loader, for all namespaces. */
  readonly embeds: Readonly<Record<string, Embed>>;
  readonly find: Find<CompiledRoute>;
  /** The compiled form of each of `routes`. */
  readonly targets: ReadonlyMap<RouteView, CompiledRoute>;
  /** Whether an endpoint declares the media types of its body. */
  readonly hasBodies: boolean;
}

/** What is needed to compile namespaces. `commonArgs` are added to every endpoint of the namespaces (not to root routes). */
interface CompileOptions {
  readonly names: Names;
  readonly args: ArgsCompiler;
  readonly capabilities: ReadonlySet<string>;
  /** Names of the collections that `cache` of an endpoint may name. undefined: not known. */
  readonly collections?: readonly string[] | undefined;
  readonly commonArgs: ArgSchemas;
  /** Runs around every call. */
  readonly around?: Around | undefined;
  /** Counts the calls of endpoints with a limit. */
  readonly counts: CallCounts;
  /** Keeps the keys of calls. null: no endpoint can have them. */
  readonly calls: Store | null;
  /** Whether the host stores the files of multipart bodies. Default false. */
  readonly hasUploads?: boolean;
  /** Send fields that `answers` does not declare. Default false. */
  readonly sendUndeclared?: boolean | undefined;
  /** Compiles the checks of responses. null: they are not checked. */
  readonly answers: Validators | null;
  /** Whether records are checked too. A stored one may be older than its resource, so the host asks for this. Default false. */
  readonly checksRecords?: boolean;
}

type OptionsOf = (namespace: NamespaceDescriptor) => CompileOptions;

interface EndpointPlace {
  readonly where: string;
  readonly namespace: Namespace;
  readonly endpoint: EndpointDescriptor;
  /** That of its route. */
  readonly resource: ResourceDescriptor | null;
}

function compilePermission(
  { where, namespace, endpoint }: EndpointPlace,
  capabilities: ReadonlySet<string>,
): Permission | null {
  const id: unknown = endpoint.permission;
  if (typeof id !== 'string' || id === '')
    throw new TypeError(`${where}: permission is missing; write 'public' if everybody may call it`);
  if (id === 'public') return null;
  const permission = findFunction(where, { what: 'permission', id, functions: namespace.permissions });
  if (permission !== undefined) return permission;
  return capabilities.has(id)
    ? (_args, { identity }) => can(identity, id)
    : refusePermission(where, id, { namespace, capabilities });
}

/** Checks the capabilities of which a caller needs one. */
function checkNeeds(
  where: string,
  { needs = [] }: EndpointDescriptor,
  capabilities: ReadonlySet<string>,
): void {
  const unknown = needs.find((name) => !capabilities.has(name));
  if (unknown !== undefined)
    throw new TypeError(
      `${where}: needs names an unknown capability "${unknown}"${adviseOnCapability(unknown, capabilities)}`,
    );
}

function compileEndpoint(place: EndpointPlace, options: CompileOptions): CompiledEndpoint {
  const { where, namespace, endpoint, resource } = place;
  if (endpoint.handler === undefined)
    throw new TypeError(`${where}: handler is missing; write the id of a function of the namespace`);
  const handler = findFunction(where, {
    what: 'handler',
    id: endpoint.handler,
    functions: namespace.handlers,
  });
  if (handler === undefined) refuseHandler(where, endpoint.handler, namespace);
  checkCacheCollections(where, endpoint, options.collections);
  if (hasFiles(endpoint.accepts) && options.hasUploads !== true)
    throw new TypeError(
      `${where}: accepts has files, which createEngine can store only with the option uploads`,
    );
  checkFileCapabilities(where, endpoint, options.capabilities);
  checkNeeds(where, endpoint, options.capabilities);
  const args = options.args.compile({
    where,
    endpoint,
    commonArgs: options.commonArgs,
    rules: namespace.checks,
  });
  const permission = compilePermission(place, options.capabilities);
  const capability =
    permission === null || Object.hasOwn(namespace.permissions, endpoint.permission)
      ? null
      : endpoint.permission;
  const status = statusOfValue(endpoint);
  const plain: ResponseOptions = status === undefined ? {} : { status };
  return {
    descriptor: endpoint,
    where,
    handler:
      endpoint.idempotent === 'key' ? toKeyed(place, { handler, plain, calls: options.calls }) : handler,
    permission,
    capability,
    arounds: listArounds(namespace, options.around),
    terms: compileTerms(endpoint, { where, counts: options.counts }),
    ...args,
    plain,
    selectDeclared: options.sendUndeclared === true ? null : compileDeclared(endpoint, options.names),
    checkAnswer:
      options.answers === null
        ? null
        : compileAnswers(endpoint, {
            validators: options.answers,
            resource: options.checksRecords === true ? resource : null,
            names: options.names,
          }),
  };
}

/** @throws TypeError for an endpoint whose calls cannot be kept */
function toKeyed(
  { where, endpoint }: EndpointPlace,
  {
    handler,
    plain,
    calls,
  }: { readonly handler: Handler; readonly plain: ResponseOptions; readonly calls: Store | null },
): Handler {
  if (calls === null)
    throw new TypeError(
      `${where}: idempotent: 'key' needs a place for the keys: give the engine the option calls: keepCalls(store)`,
    );
  const unread = Object.entries(endpoint.accepts ?? {}).find(([, reading]) => reading !== 'args');
  if (unread !== undefined || endpoint.streams !== undefined || endpoint.methods.includes('GET'))
    throw new TypeError(
      `${where}: idempotent: 'key' is for writes whose body is parameters and whose response is not a stream`,
    );
  return toKeyedHandler(handler, { where, store: calls, plain });
}

function adviseOnCapability(name: string, capabilities: ReadonlySet<string>): string {
  return capabilities.size === 0
    ? '; the engine has none, see its option capabilities'
    : adviseOn(name, [...capabilities], { what: 'capabilities' });
}

function checkFileCapabilities(
  where: string,
  { accepts = {} }: EndpointDescriptor,
  capabilities: ReadonlySet<string>,
): void {
  for (const reading of Object.values(accepts)) {
    const needed = typeof reading === 'object' ? reading.capability : undefined;
    if (needed !== undefined && !capabilities.has(needed))
      throw new TypeError(
        `${where}: accepts names an unknown capability "${needed}"${adviseOnCapability(needed, capabilities)}`,
      );
  }
}

/** Checks the collections that the cached responses of an endpoint depend on. */
function checkCacheCollections(
  where: string,
  { cache = [] }: EndpointDescriptor,
  collections: readonly string[] | undefined,
): void {
  const unknown = collections === undefined ? undefined : cache.find((name) => !collections.includes(name));
  if (unknown !== undefined)
    throw new TypeError(
      `${where}: cache names a collection "${unknown}" that the store does not have; its collections are ${collections?.join(', ')}`,
    );
}

function checkLinkCapabilities(
  where: string,
  { links = {} }: ResourceDescriptor,
  capabilities: ReadonlySet<string>,
): void {
  for (const [relation, { when = '' }] of Object.entries(links)) {
    const unknown = when.split(' ').find((word) => word !== '' && !capabilities.has(word));
    if (unknown !== undefined)
      throw new TypeError(
        `${where}, link ${relation}: unknown capability "${unknown}"${adviseOnCapability(unknown, capabilities)}`,
      );
  }
}

function resourceOf(descriptor: NamespaceDescriptor, route: RouteDescriptor): ResourceDescriptor | null {
  if (route.resource === undefined) return null;
  const resource = own(descriptor.resources ?? {}, route.resource);
  if (resource === undefined) {
    const listed = Object.keys(descriptor.resources ?? {});
    throw new TypeError(
      `${descriptor.namespace}: ${route.pattern}: unknown resource "${route.resource}"${listed.length === 0 ? '; the namespace has no resources' : adviseOn(route.resource, listed, { what: 'resources' })}`,
    );
  }
  return resource;
}

function compileRoute(namespace: Namespace, route: RouteDescriptor, options: CompileOptions): CompiledRoute {
  const pattern = renamePath(
    options.names,
    writeGroups(`${namespace.descriptor.namespace}: ${route.pattern}`, route),
  );
  const byMethod = new Map<string, CompiledEndpoint>();
  const resource = resourceOf(namespace.descriptor, route);
  const endpoints = route.endpoints.map((endpoint) => {
    const where = `${namespace.descriptor.namespace}: ${route.pattern} ${endpoint.methods.join(', ')}`;
    const compiled = compileEndpoint({ where, namespace, endpoint, resource }, options);
    for (const method of endpoint.methods) {
      if (byMethod.has(method))
        throw new TypeError(
          `${where}: the method ${method} is declared twice; write it in one endpoint of the route`,
        );
      byMethod.set(method, compiled);
    }
    return compiled;
  });
  const view: RouteView = {
    namespace: renamePath(options.names, namespace.descriptor.namespace),
    descriptor: route,
    pattern,
    groups: groupsOf(pattern),
    commonArgs: options.commonArgs,
    resource,
  };
  return { view: freezeGiven(view), endpoints, byMethod };
}

/** Rejects a second loader for a relation: it would load other records than those that the links point to. */
function collectEmbeds(
  namespaces: readonly Namespace[],
  optionsOf: OptionsOf,
): Readonly<Record<string, Embed>> {
  const embeds: Record<string, Embed> = {};
  const owners = new Map<string, string>();
  for (const { descriptor, embeds: given } of namespaces) {
    for (const [neutral, embed] of Object.entries(given)) {
      const relation = renameRelation(optionsOf(descriptor).names, neutral);
      const owner = owners.get(relation);
      if (owner !== undefined)
        throw new TypeError(
          `${descriptor.namespace}: the relation "${relation}" is already embedded by ${owner}; give yours another name`,
        );
      owners.set(relation, descriptor.namespace);
      embeds[relation] = embed;
    }
  }
  return embeds;
}

/** @throws TypeError if another endpoint has the same `tool` */
function checkTool(where: string, { tool }: EndpointDescriptor, tools: Map<string, string>): void {
  if (typeof tool !== 'string') return;
  const other = tools.get(tool);
  if (other !== undefined)
    throw new TypeError(`${where}: the tool "${tool}" is already ${other}; give one of them another name`);
  tools.set(tool, where);
}

/**
 * Compiles namespaces to a route table.
 * @throws TypeError naming namespace, pattern and method of the first thing that cannot be served.
 */
export function compileTable(namespaces: readonly Namespace[], optionsOf: OptionsOf): RouteTable {
  const router = createPathRouter<CompiledRoute>();
  const targets = new Map<RouteView, CompiledRoute>();
  const tools = new Map<string, string>();
  let hasBodies = false;
  for (const namespace of namespaces) {
    const options = optionsOf(namespace.descriptor);
    for (const route of namespace.descriptor.routes) {
      const compiled = compileRoute(namespace, route, options);
      atPlace(
        `${namespace.descriptor.namespace}: ${route.pattern} ${[...compiled.byMethod.keys()].join(', ')}`,
        () => router.add(compiled.view.pattern, compiled),
      );
      for (const { where, byName, descriptor } of compiled.endpoints) {
        checkGroups(where, compiled.view.pattern, byName);
        checkTool(where, descriptor, tools);
      }
      hasBodies ||= route.endpoints.some(({ accepts }) => accepts !== undefined);
      if (route.hidden !== true) targets.set(compiled.view, compiled);
    }
    for (const [id, resource] of Object.entries(namespace.descriptor.resources ?? {}))
      checkLinkCapabilities(
        `${namespace.descriptor.namespace}: resource ${id}`,
        resource,
        options.capabilities,
      );
    checkUsed(namespace);
  }
  // A namespace is listed twice, because its index route and its own routes are registered separately.
  const names = new Set(
    namespaces.map(({ descriptor }) => renamePath(optionsOf(descriptor).names, descriptor.namespace)),
  );
  return {
    namespaces: Object.freeze([...names]),
    routes: Object.freeze([...targets.keys()]),
    targets,
    embeds: collectEmbeds(namespaces, optionsOf),
    find: router.build(),
    hasBodies,
  };
}
