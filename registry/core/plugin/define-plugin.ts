import { type DocumentRules, findFaults, objectOf } from '../../../lib/core/check-document.ts';
import { describe, OBJECT } from '../../../lib/core/check-options.ts';
import { suggest } from '../../../lib/core/did-you-mean.ts';
import { own } from '../../../lib/core/objects.ts';
import { messageOf } from '../../../lib/core/thrown.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { listNamed, type Namespace, toNamespace } from '../../../lib/route/namespace.ts';
import { coerce } from '../../../lib/schema/coerce.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { defaultOf } from '../../../lib/schema/schema.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { checkPlugin } from './check-plugin.ts';
import { createPluginSite, type PluginSite } from './plugin-site.ts';
import {
  type BoundPlugin,
  type FunctionsOf,
  NAMING,
  type Plugin,
  type PluginContext,
  type PluginDescriptor,
  type PluginFunctions,
  type SettingCheck,
  type SettingsOf,
} from './plugin.ts';

type Settings = Readonly<Record<string, unknown>>;

const validators = new Validators();

/** A setting by the rules of args: coerced, and its default if it is not given. */
const read = (schema: ArgSchema, given: unknown): unknown =>
  given === undefined ? defaultOf(schema) : coerce(schema, given);

/** The mistakes of the settings of a plugin. `place`: what messages call their object, such as `config.reading`. */
function* listSettingFaults(place: string, settings: unknown, schemas: ArgSchemas): Generator<string> {
  if (!OBJECT.fits(settings)) {
    yield `${place}: ${describe(settings)} is not an object`;
    return;
  }
  const known = Object.keys(schemas);
  const given = settings as Settings;
  for (const name of Object.keys(given).filter((each) => !known.includes(each)))
    yield `${place}.${name}: unknown member; ${known.length === 0 ? 'the plugin has no settings' : `the members are ${known.join(', ')}`}.${suggest(name, known)}`;
  for (const [name, schema] of Object.entries(schemas)) {
    const value = read(schema, own(given, name));
    const at = `${place}.${name}`;
    if (value !== undefined) {
      const fault = validators.compile(schema)(at, value);
      if (fault !== null) yield fault.message;
    } else if (schema.required === true)
      yield `${at} is missing; it must be of type ${[schema.type].flat().join(' or ')}`;
  }
}

/** The settings of a plugin, with their defaults. `given`: as the host wrote them, without mistakes. */
function readPluginSettings(given: unknown, schemas: ArgSchemas): Settings {
  const settings = (given ?? {}) as Settings;
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, schema]) => [name, read(schema, own(settings, name))] as const)
      .filter(([, value]) => value !== undefined),
  );
}

const toCheck =
  (members: DocumentRules): SettingCheck =>
  (place, settings) =>
    findFaults(place, settings, objectOf(members));

/** Makes the parts of a plugin for a site. Namespaces come from `defineNamespace`. */
export type CreateParts = (site: PluginSite) => Partial<BoundPlugin>;

/**
 * Declares a plugin whose settings have rules in place of schemas, because they may be functions of the host or stand under several names, and
 * whose namespaces depend on them. `settings`: the rules by member of the configuration. `load`: imports its code, which a site without the plugin never does.
 */
export function defineHostPlugin(
  descriptor: PluginDescriptor,
  settings: Readonly<Record<string, DocumentRules>>,
  load: () => Promise<CreateParts>,
): Plugin {
  return {
    descriptor,
    settings: Object.fromEntries(Object.entries(settings).map(([name, members]) => [name, toCheck(members)])),
    async bind(host) {
      const create = await load();
      return {
        namespaces: [],
        extensions: [],
        functions: {},
        ...create(createPluginSite(host, descriptor.collections)),
      };
    },
  };
}

/** A function that a descriptor names. `where`: the place of its id. `optional`: an id without a function means something else, such as a capability. */
interface NamedFunction {
  readonly id: string;
  readonly where: string;
  readonly optional?: true;
}

/** The functions that the routes of a namespace name. */
function listOfRoutes({ namespace, routes, resources = {} }: NamespaceDescriptor): readonly NamedFunction[] {
  const links = Object.values(resources).flatMap((resource) => Object.entries(resource.links ?? {}));
  return [
    ...routes.flatMap(({ pattern, endpoints }) =>
      endpoints.flatMap(({ methods, handler, permission, checks = {} }): readonly NamedFunction[] => {
        const where = `namespaces, ${namespace}, ${pattern} ${methods.join(', ')}`;
        return [
          { id: handler, where: `${where}, handler` },
          { id: permission, where: `${where}, permission`, optional: true },
          ...Object.values(checks).map((id) => ({ id, where: `${where}, checks` })),
        ];
      }),
    ),
    ...links
      .filter(([, { embeddable }]) => embeddable === true)
      .map(([id]): NamedFunction => ({ id, where: `namespaces, ${namespace}, links`, optional: true })),
  ];
}

/** Every function that a plugin names, with the place of its id. */
function listNamedFunctions(descriptor: PluginDescriptor): readonly NamedFunction[] {
  const { namespaces = [], extends: extensions = [] } = descriptor;
  const ofItems = Object.entries(NAMING).flatMap(([list, members]) =>
    (own<readonly object[]>(descriptor as never, list) ?? []).flatMap((item, index) =>
      members.flatMap((member) => {
        const id = own<unknown>(item as unknown as Readonly<Record<string, unknown>>, member);
        return typeof id === 'string' ? [{ id, where: `${list}[${index}], ${member}` }] : [];
      }),
    ),
  );
  return [...[...namespaces, ...extensions].flatMap(listOfRoutes), ...ofItems];
}

/** @throws TypeError for a function that is missing, is none, or is named by nothing */
function checkFunctions(descriptor: PluginDescriptor, functions: unknown): void {
  const what = `plugin "${descriptor.name}"`;
  if (!OBJECT.fits(functions))
    throw new TypeError(
      `${what}: its second argument returned ${describe(functions)}; it must return an object of functions by id, such as { 'notes.list': () => [] }`,
    );
  const given = functions as Readonly<Record<string, unknown>>;
  const named = listNamedFunctions(descriptor);
  const ids = new Set(named.map(({ id }) => id));
  const extra = Object.keys(given).filter((id) => !ids.has(id));
  for (const { id, where, optional } of named) {
    const found = own(given, id);
    if (found === undefined && optional !== true)
      throw new TypeError(
        `${what}: ${where}: there is no function "${id}"; return one under this id.${suggest(id, extra)}`,
      );
    if (found === null && optional === true)
      throw new TypeError(
        `${what}: ${where}: "${id}" is null; it must be a function. The handler of a route, or the function of another part, may be null`,
      );
    if (found !== undefined && found !== null && typeof found !== 'function')
      throw new TypeError(
        `${what}: ${where}: "${id}" is ${describe(found)}; it must be a function, or null to leave this part out`,
      );
  }
  const [first] = extra;
  if (first !== undefined)
    throw new TypeError(
      `${what}: no part of it names the function "${first}"; name it, or leave it out.${suggest(first, [...ids])}`,
    );
}

function pick<T>(functions: PluginFunctions, ids: readonly string[]): Readonly<Record<string, T>> {
  const picked: Record<string, T> = {};
  for (const id of ids) {
    const found = own(functions, id);
    if (found !== undefined) picked[id] = found as T;
  }
  return picked;
}

/** Without the endpoints whose handler is null. */
function withoutNull(descriptor: NamespaceDescriptor, functions: PluginFunctions): NamespaceDescriptor {
  const routes = descriptor.routes.map((route) => ({
    ...route,
    endpoints: route.endpoints.filter(({ handler }) => own(functions, handler) !== null),
  }));
  return { ...descriptor, routes: routes.filter(({ endpoints }) => endpoints.length > 0) };
}

/** A namespace with those of the functions that it names. */
function bindNamespace(declared: NamespaceDescriptor, functions: PluginFunctions): Namespace {
  const descriptor = withoutNull(declared, functions);
  const { handlers, permissions, checks } = listNamed(descriptor.routes);
  const relations = Object.values(descriptor.resources ?? {}).flatMap(({ links = {} }) => Object.keys(links));
  return toNamespace(descriptor, pick(functions, handlers), {
    permissions: pick(functions, permissions),
    checks: pick(functions, checks),
    embeds: pick(functions, relations),
  });
}

/** Joins a plugin with its functions. @throws TypeError with the name of the plugin, for functions that do not fit */
function bindPlugin(descriptor: PluginDescriptor, functions: unknown): BoundPlugin {
  checkFunctions(descriptor, functions);
  const bind = (each: NamespaceDescriptor): Namespace => bindNamespace(each, functions as PluginFunctions);
  return {
    namespaces: (descriptor.namespaces ?? []).map(bind),
    extensions: (descriptor.extends ?? []).map(bind),
    functions: functions as PluginFunctions,
  };
}

/**
 * Declares a plugin. `create` is called once for each site, and returns one function for each id that the descriptor names; it may be
 * async, and load its code then. Mistakes of the descriptor are reported when the plugin is defined, those of functions when the site is built.
 * @throws TypeError with the name of the plugin, the place and what would be right
 */
export function definePlugin<const D extends PluginDescriptor>(
  descriptor: D,
  create: (context: PluginContext<SettingsOf<D>>) => FunctionsOf<D> | Promise<FunctionsOf<D>>,
): Plugin {
  checkPlugin(descriptor, create);
  const { name, settings = {} } = descriptor as PluginDescriptor;
  return {
    descriptor,
    settings: { [name]: (place, given) => listSettingFaults(place, given, settings) },
    async bind(host) {
      const given = readPluginSettings(own(host.ports.config.namespaces, name), settings);
      const site = createPluginSite(host, descriptor.collections);
      const functions = await Promise.resolve({ site, settings: given as ArgsOf<SettingsOf<D>> })
        .then(create)
        .catch((error: unknown) => {
          const reason = messageOf(error);
          throw new Error(`plugin "${name}": its function failed: ${reason}`, { cause: error });
        });
      return bindPlugin(descriptor, functions);
    },
  };
}
