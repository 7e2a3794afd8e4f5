import type { Handler, Permission, RouteView } from './call.ts';
import { checkArgs } from './check-schema.ts';
import { coerce } from './coerce.ts';
import type { EndpointDescriptor, NamespaceDescriptor, ResourceDescriptor, RouteDescriptor } from './descriptor.ts';
import type { Identity } from './identity.ts';
import type { Invalid } from './invalid.ts';
import { renameParam, renamePath, type Names } from './names.ts';
import type { Embed, Namespace, ValueCheck } from './namespace.ts';
import { own } from './own.ts';
import { groupsOf } from './pattern.ts';
import { createCapabilityPermission } from './permission.ts';
import { createPathRouter, type Find } from './router.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';
import type { Validate, Validators } from './validate.ts';

/** One parameter, ready to be read: everything that depends on the descriptor alone is fixed here. */
export interface CompiledArg {
  readonly name: string;
  readonly wireName: string;
  readonly schema: ArgSchema;
  readonly first: boolean;
  readonly default: unknown;
  readonly check: (value: unknown, identity: Identity) => Invalid | null;
}

export interface CompiledEndpoint {
  readonly descriptor: EndpointDescriptor;
  readonly args: readonly CompiledArg[];
  /** Of them: those of `checkFirst`, those that must be sent, and those that have a default. */
  readonly first: readonly CompiledArg[];
  readonly required: readonly CompiledArg[];
  readonly defaults: readonly CompiledArg[];
  readonly byName: ReadonlyMap<string, CompiledArg>;
  readonly byWireName: ReadonlyMap<string, CompiledArg>;
  readonly handler: Handler;
  /** null: public. */
  readonly permission: Permission | null;
}

export interface CompiledRoute extends RouteView {
  readonly endpoints: readonly CompiledEndpoint[];
  readonly byMethod: ReadonlyMap<string, CompiledEndpoint>;
}

/** All routes at one moment. Never changed: a registration makes a new one. */
export interface RouteTable {
  /** In wire words and in order; also those without routes. */
  readonly namespaces: readonly string[];
  readonly routes: readonly CompiledRoute[];
  /** Relation -> loader, of all namespaces. */
  readonly embeds: Readonly<Record<string, Embed>>;
  readonly find: Find<CompiledRoute>;
}

/** What compiling needs beside the namespaces. `commonArgs` are added to every endpoint of the namespaces (not to root routes). */
export interface CompileOptions {
  readonly names: Names;
  readonly validators: Validators;
  readonly capabilities: ReadonlySet<string>;
  readonly commonArgs: ArgSchemas;
}

interface EndpointPlace {
  readonly where: string;
  readonly namespace: Namespace;
  readonly endpoint: EndpointDescriptor;
}

function compilePermission({ where, namespace, endpoint }: EndpointPlace, capabilities: ReadonlySet<string>): Permission | null {
  const id: unknown = endpoint.permission;
  if (typeof id !== 'string' || id === '') throw new TypeError(`${where}: permission is missing; write 'public' when everybody may call it`);
  if (id === 'public') return null;
  const permission = own(namespace.permissions, id);
  if (permission !== undefined) return permission;
  if (capabilities.has(id)) return createCapabilityPermission(id);
  throw new TypeError(`${where}: unknown permission "${id}": neither public, nor a capability of the roles table, nor a permission function of the namespace`);
}

function compileCheck({ wireName, validate, rule }: { wireName: string; validate: Validate; rule: ValueCheck | undefined }) {
  if (rule === undefined) return (value: unknown) => validate(wireName, value);
  return (value: unknown, identity: Identity) => {
    const verdict = rule(value, identity);
    return verdict === 'valid' ? null : verdict ?? validate(wireName, value);
  };
}

function compileSchema(where: string, schema: ArgSchema, validators: Validators): Validate {
  try {
    return validators.compile(schema);
  } catch (error) {
    throw new TypeError(`${where}: ${toReason(error)}`, { cause: error });
  }
}

function compileArg(name: string, schema: ArgSchema, place: EndpointPlace & { options: CompileOptions }): CompiledArg {
  const { namespace, endpoint, options } = place;
  const where = `${place.where}, parameter ${name}`;
  const wireName = renameParam(options.names, name);
  const validate = compileSchema(where, schema, options.validators);
  const value = schema.default === undefined ? undefined : coerce(schema, schema.default);
  if (value !== undefined && validate(name, value) !== null) throw new TypeError(`${where}: the default is not valid`);
  const checkId = own(endpoint.checks ?? {}, name);
  const rule = checkId === undefined ? undefined : own(namespace.checks, checkId);
  if (checkId !== undefined && rule === undefined) throw new TypeError(`${where}: unknown check "${checkId}"`);
  return {
    name, wireName, schema, default: value, first: endpoint.checkFirst?.includes(name) ?? false,
    check: compileCheck({ wireName, validate, rule }),
  };
}

function compileEndpoint(place: EndpointPlace, options: CompileOptions): CompiledEndpoint {
  const { where, namespace, endpoint } = place;
  const handler = own(namespace.handlers, endpoint.handler);
  if (handler === undefined) throw new TypeError(`${where}: unknown handler id "${endpoint.handler}"`);
  const schemas = { ...endpoint.args, ...endpoint.body, ...options.commonArgs };
  checkArgs(where, schemas);
  const stranger = [...endpoint.checkFirst ?? [], ...Object.keys(endpoint.checks ?? {})].find((name) => !Object.hasOwn(schemas, name));
  if (stranger !== undefined) throw new TypeError(`${where}: checkFirst and checks name "${stranger}", which is no parameter of the endpoint`);
  const args = Object.entries(schemas).map(([name, schema]) => compileArg(name, schema, { ...place, options }));
  const byWireName = new Map(args.map((arg) => [arg.wireName, arg]));
  const hidden = args.find((arg) => byWireName.get(arg.wireName) !== arg);
  if (hidden !== undefined) throw new TypeError(`${where}, parameter ${hidden.name}: another parameter has the wire name "${hidden.wireName}", too`);
  return {
    descriptor: endpoint, args, handler, permission: compilePermission(place, options.capabilities),
    first: args.filter((arg) => arg.first),
    required: args.filter((arg) => arg.schema.required === true && arg.default === undefined),
    defaults: args.filter((arg) => arg.default !== undefined),
    byName: new Map(args.map((arg) => [arg.name, arg])), byWireName,
  };
}

function resourceOf(descriptor: NamespaceDescriptor, route: RouteDescriptor): ResourceDescriptor | null {
  if (route.resource === undefined) return null;
  const resource = own(descriptor.resources ?? {}, route.resource);
  if (resource === undefined) throw new TypeError(`${descriptor.namespace}: ${route.pattern}: unknown resource "${route.resource}"`);
  return resource;
}

function compileRoute(namespace: Namespace, route: RouteDescriptor, options: CompileOptions): CompiledRoute {
  const pattern = renamePath(options.names, route.pattern);
  const byMethod = new Map<string, CompiledEndpoint>();
  const endpoints = route.endpoints.map((endpoint) => {
    const where = `${namespace.descriptor.namespace}: ${route.pattern} ${endpoint.methods.join(', ')}`;
    const compiled = compileEndpoint({ where, namespace, endpoint }, options);
    for (const method of endpoint.methods) {
      if (byMethod.has(method)) throw new TypeError(`${where}: the method ${method} is declared twice`);
      byMethod.set(method, compiled);
    }
    return compiled;
  });
  return {
    namespace: renamePath(options.names, namespace.descriptor.namespace), descriptor: route, pattern, groups: groupsOf(pattern),
    commonArgs: options.commonArgs, resource: resourceOf(namespace.descriptor, route), endpoints, byMethod,
  };
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Builds the table of all given namespaces, in their order.
 * @throws TypeError naming namespace, pattern and method of the first thing that can not be served.
 */
export function compileTable(namespaces: readonly Namespace[], optionsOf: (namespace: NamespaceDescriptor) => CompileOptions): RouteTable {
  const router = createPathRouter<CompiledRoute>();
  const routes: CompiledRoute[] = [];
  for (const namespace of namespaces) {
    const options = optionsOf(namespace.descriptor);
    for (const route of namespace.descriptor.routes) {
      const compiled = compileRoute(namespace, route, options);
      try {
        router.add(compiled.pattern, compiled);
      } catch (error) {
        const methods = [...compiled.byMethod.keys()].join(', ');
        throw new TypeError(`${namespace.descriptor.namespace}: ${route.pattern} ${methods}: ${toReason(error)}`, { cause: error });
      }
      routes.push(compiled);
    }
  }
  const embeds = Object.assign({}, ...namespaces.map((namespace) => namespace.embeds)) as Record<string, Embed>;
  // A namespace stands twice in the list: its index route and its own routes are registered apart.
  const names = new Set(namespaces.map(({ descriptor }) => renamePath(optionsOf(descriptor).names, descriptor.namespace)));
  return { namespaces: [...names], routes, embeds, find: router.build() };
}
