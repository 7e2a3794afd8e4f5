import { describe, OBJECT } from '../../../lib/core/check-options.ts';
import { suggest } from '../../../lib/core/did-you-mean.ts';
import { own } from '../../../lib/core/objects.ts';
import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { toNamespace, type Namespace } from '../../../lib/route/namespace.ts';
import type { BoundPlugin, PluginDescriptor, PluginFunctions } from './plugin.ts';

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

/** The members of items whose values are ids of functions, by list. */
const NAMING = {
  fields: ['value', 'write'],
  reactions: ['run'],
  shortcodes: ['render'],
  blocks: ['render'],
  documents: ['write'],
  rewrites: ['run'],
  tasks: ['run'],
} as const satisfies Partial<Readonly<Record<keyof PluginDescriptor, readonly string[]>>>;

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
  const endpoints = descriptor.routes.flatMap((route) => route.endpoints);
  const relations = Object.values(descriptor.resources ?? {}).flatMap(({ links = {} }) => Object.keys(links));
  return toNamespace(
    descriptor,
    pick(
      functions,
      endpoints.map(({ handler }) => handler),
    ),
    {
      permissions: pick(
        functions,
        endpoints.map(({ permission }) => permission),
      ),
      checks: pick(
        functions,
        endpoints.flatMap(({ checks = {} }) => Object.values(checks)),
      ),
      embeds: pick(functions, relations),
    },
  );
}

/** Joins a plugin with its functions. @throws TypeError with the name of the plugin, for functions that do not fit */
export function bindPlugin(descriptor: PluginDescriptor, functions: unknown): BoundPlugin {
  checkFunctions(descriptor, functions);
  const bind = (each: NamespaceDescriptor): Namespace => bindNamespace(each, functions as PluginFunctions);
  return {
    namespaces: (descriptor.namespaces ?? []).map(bind),
    extensions: (descriptor.extends ?? []).map(bind),
    functions: functions as PluginFunctions,
  };
}
