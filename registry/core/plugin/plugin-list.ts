import { describe } from '../../../lib/core/check-options.ts';
import { suggest } from '../../../lib/core/did-you-mean.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import { isLogged } from '../../../lib/store/change-rows.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { type Store, StoreError } from '../../../lib/store/store.ts';
import { type ContentOption, joinContent, toDefinition } from '../model/content-model.ts';
import type { ContentDefinition } from '../model/content-type.ts';
import type { Plugin, PluginDescriptor, SettingCheck } from './plugin.ts';

/** Whether a value comes from `definePlugin`, perhaps of another copy of this package. */
export function isPlugin(value: unknown): value is Plugin {
  return (
    isObject(value) &&
    isObject(value['descriptor']) &&
    isObject(value['settings']) &&
    typeof value['bind'] === 'function'
  );
}

/** The content of a site with what its plugins add. */
export const withPluginContent = (
  content: ContentOption | undefined,
  plugins: readonly Plugin[],
): ContentDefinition =>
  plugins.reduce(
    (joined, { descriptor }) => joinContent(joined, descriptor.content ?? {}),
    toDefinition(content),
  );

/** @throws TypeError for a list of plugins that has something else, or a plugin twice */
export function checkPlugins(place: string, plugins: unknown): asserts plugins is readonly Plugin[] {
  if (!Array.isArray(plugins))
    throw new TypeError(
      `${place} is ${describe(plugins)}; it must be a list of plugins, as definePlugin returns them`,
    );
  const byName = new Map<string, number>();
  for (const [index, plugin] of plugins.entries()) {
    if (!isPlugin(plugin))
      throw new TypeError(
        `${place}[${index}] is ${plugin instanceof Promise ? 'a promise; await it first' : `${describe(plugin)}; it must be a plugin, as definePlugin returns it`}`,
      );
    const { name } = plugin.descriptor;
    const first = byName.get(name);
    if (first !== undefined)
      throw new TypeError(
        `${place}[${index}]: plugin "${name}": a plugin of this name is already at ${place}[${first}]; leave one out, or give it another name`,
      );
    byName.set(name, index);
  }
}

/** What a plugin may declare that nobody else may declare, too. `key`: what must differ. */
interface Claim {
  readonly what: string;
  readonly key: string;
}

/** The lists whose items differ in a member. The function of a reaction or task identifies its place in the log, and the time of its last run. */
const CLAIMING = [
  ['collections', 'collection', 'name'],
  ['shortcodes', 'shortcode', 'name'],
  ['blocks', 'block', 'name'],
  ['documents', 'path', 'path'],
  ['reactions', 'function', 'run'],
  ['tasks', 'function', 'run'],
] as const satisfies readonly (readonly [keyof PluginDescriptor, string, string])[];

function listClaims({ descriptor }: Plugin): readonly Claim[] {
  const { namespaces = [], extends: extensions = [] } = descriptor;
  const endpoints = [...namespaces, ...extensions].flatMap(({ routes }) =>
    routes.flatMap((route) =>
      route.endpoints.flatMap(({ methods }) => methods.map((method) => `${method} ${route.pattern}`)),
    ),
  );
  return [
    ...namespaces.map(({ namespace }) => ({ what: 'namespaces: the namespace', key: namespace })),
    ...endpoints.map((key) => ({ what: 'the route', key })),
    ...CLAIMING.flatMap(([list, noun, member]) =>
      (descriptor[list] ?? []).map((item) => ({
        what: `${list}: the ${noun}`,
        key: String(own(item as never, member)),
      })),
    ),
  ];
}

/** What is wrong with a claim that `owner` has made, too. `name`: the plugin that makes it now. */
function toClash(owner: string, name: string, what: string): string {
  if (owner !== name)
    return `is already declared by ${owner === 'the core' ? owner : `the plugin "${owner}"`}; give yours another name, or leave one of the plugins out`;
  return `is declared twice; ${what.startsWith('reactions') ? 'list all collections in one `to`' : 'leave one out, or give it another name'}`;
}

/** @throws TypeError if two plugins declare one thing, or one that the core has. `taken`: collections and namespaces of the core. */
export function checkClaims(
  plugins: readonly Plugin[],
  taken: { readonly collections: readonly CollectionDescriptor[]; readonly namespaces: readonly string[] },
): void {
  const owners = new Map<string, string>([
    ...taken.collections.map(({ name }) => [`collections: the collection ${name}`, 'the core'] as const),
    ...taken.namespaces.map((name) => [`namespaces: the namespace ${name}`, 'the core'] as const),
  ]);
  for (const plugin of plugins) {
    const { name } = plugin.descriptor;
    for (const { what, key } of listClaims(plugin)) {
      const owner = owners.get(`${what} ${key}`);
      if (owner !== undefined)
        throw new TypeError(`plugin "${name}": ${what} "${key}" ${toClash(owner, name, what)}`);
      owners.set(`${what} ${key}`, name);
    }
  }
}

/** The collections of which a plugin gets changes, on which what it shows depends, and to which its records refer, with their places. */
function listReads({ descriptor }: Plugin): readonly { readonly where: string; readonly name: string }[] {
  const { reactions = [], fields = [], shortcodes = [], blocks = [], collections = [] } = descriptor;
  const lists = { fields, shortcodes, blocks };
  return [
    ...reactions.flatMap(({ to }, at) => to.map((name) => ({ where: `reactions[${at}], to`, name }))),
    ...collections.flatMap((each) =>
      Object.entries(each.fields).flatMap(([field, { references: name }]) =>
        name === undefined ? [] : [{ where: `collections: ${each.name}, ${field}, references`, name }],
      ),
    ),
    ...Object.entries(lists).flatMap(([list, items]) =>
      items.flatMap(({ reads = [] }, at) => reads.map((name) => ({ where: `${list}[${at}], reads`, name }))),
    ),
  ];
}

/** @throws TypeError for a collection that the store does not have, or a reaction to one without a log. `known`: the collections of the site. */
export async function checkReads(
  plugins: readonly Plugin[],
  store: Pick<Store, 'versions'>,
  known: readonly CollectionDescriptor[],
): Promise<void> {
  const names = known.map(({ name }) => name);
  const silent = new Set(known.filter((each) => !isLogged(each)).map(({ name }) => name));
  for (const plugin of plugins)
    for (const { where, name } of listReads(plugin)) {
      const at = `plugin "${plugin.descriptor.name}": ${where}`;
      if (silent.has(name) && where.startsWith('reactions'))
        throw new TypeError(
          `${at}: the collection "${name}" has no log of changes; write logged: true in it, or name another one`,
        );
      if (names.includes(name)) continue;
      try {
        await store.versions([[name, 1]]);
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'invalid') throw error;
        throw new TypeError(
          `${at}: the site has no collection "${name}"; name one that it has.${suggest(name, names)}`,
          { cause: error },
        );
      }
    }
}

/** The checks of settings by member of the configuration. */
export type SettingChecks = Readonly<Record<string, SettingCheck>>;

/** What the settings of a site may say. */
interface SettingsRule {
  /** Members that belong to no plugin. */
  readonly core: SettingChecks;
  readonly plugins: readonly Plugin[];
  /** The plugin that the site could have, for settings of one that it does not have. */
  readonly ownerOf: (member: string) => string | undefined;
}

/** The mistakes of the settings of a site. `place`: what messages call their object. */
export function* listFaultsOfSettings(
  place: string,
  settings: unknown,
  { core, plugins, ownerOf }: SettingsRule,
): Generator<string> {
  if (!isObject(settings)) {
    yield `${place === '' ? 'the document' : place}: ${describe(settings)} is not an object`;
    return;
  }
  const checks: SettingChecks = Object.assign({}, core, ...plugins.map((plugin) => plugin.settings));
  const names = Object.keys(checks);
  const toPlace = (name: string): string => (place === '' ? name : `${place}.${name}`);
  for (const name of Object.keys(settings).filter((each) => !names.includes(each))) {
    const absent = ownerOf(name);
    const near = suggest(name, names);
    yield absent === undefined
      ? `${toPlace(name)}: unknown member; the members are ${names.join(', ')}${near === '' ? '' : `.${near}`}`
      : `${toPlace(name)}: the site does not have the plugin "${absent}"; add it to the plugins, or remove its settings`;
  }
  for (const [name, check] of Object.entries(checks)) {
    const given = own(settings, name);
    yield* check(toPlace(name), given === undefined ? {} : given);
  }
}
