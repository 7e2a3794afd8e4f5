import { own } from '../lib/core/objects.ts';
import type { Call } from '../lib/route/call.ts';
import type { NamespaceDescriptor } from '../lib/route/descriptor.ts';
import { defineNamespace, type Namespace } from '../lib/route/namespace.ts';
import type { CollectionDescriptor } from '../lib/store/collection.ts';
import type { Reaction } from './core/changes/reactions.ts';
import { createCmsNamespace, describeCms } from './core/cms.ts';
import { CMS } from './core/host/contribution.ts';
import { NEUTRAL_NAMES } from './core/host/names.ts';
import type { Ports } from './core/host/ports.ts';
import { createContentModel, type ContentModel } from './core/model/content-model.ts';
import type { BoundDocument, BoundRewrite } from './core/plugin/documents.ts';
import { withFields } from './core/plugin/fields.ts';
import { toPeriodMs, checkClaims } from './core/plugin/plugin-list.ts';
import type {
  BoundPlugin,
  DocumentWrite,
  FieldValue,
  FieldWrite,
  Plugin,
  PluginDescriptor,
  PluginHost,
  ReactionRun,
  Render,
  RewriteRun,
  TaskRun,
} from './core/plugin/plugin.ts';
import type { Task } from './core/plugin/tasks.ts';
import { previewCollection } from './core/previews/previews.ts';
import { toPostCollections, siteCollections } from './core/records/collections.ts';
import { servicesOf } from './core/services.ts';
import { DEFAULT_LANGUAGES } from './core/settings/options.ts';

/** Namespaces that the index lists without any route, not even their own index. */
export const siteHealthDescriptor = {
  namespace: 'cms-site-health/v1',
  index: false,
  routes: [],
} as const satisfies NamespaceDescriptor;

export const blockEditorDescriptor = {
  namespace: 'cms-block-editor/v1',
  index: false,
  routes: [],
} as const satisfies NamespaceDescriptor;

export const abilitiesDescriptor = {
  namespace: 'cms-abilities/v1',
  index: false,
  routes: [],
} as const satisfies NamespaceDescriptor;

/** The namespaces that the recorded index lists without routes, if no plugin has one of this name. */
const bareOf = (plugins: readonly Pick<Plugin, 'descriptor'>[]): readonly NamespaceDescriptor[] =>
  [siteHealthDescriptor, blockEditorDescriptor, abilitiesDescriptor].filter(
    (bare) =>
      !plugins.some(({ descriptor: { namespaces = [] } }) =>
        namespaces.some(({ namespace }) => namespace === bare.namespace),
      ),
  );

/** The namespaces of the recorded index, in its order. Others follow. */
const RECORDED_ORDER: readonly string[] = [
  'oembed/1.0',
  'ml/v1',
  'secscan/v1',
  'seo/v1',
  'ml/tm/v1',
  'ml/ate/v1',
  'ml/st/v1',
  'builder/photofeed',
  'builder',
  'pkg/installer/v1',
  'cms/v2',
  'cms-site-health/v1',
  'cms-block-editor/v1',
  'cms-abilities/v1',
];

/** Brings namespaces into the order of the recorded index. */
function inRecordedOrder<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  const placeOf = (item: T): number => {
    const place = RECORDED_ORDER.indexOf(nameOf(item));
    return place === -1 ? RECORDED_ORDER.length : place;
  };
  return items.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** Every namespace of the core and of plugins as plain data, in the order of the index. */
export function describeRegistry(plugins: readonly Plugin[] = []): readonly NamespaceDescriptor[] {
  return inRecordedOrder(
    [
      describeCms(createContentModel(), DEFAULT_LANGUAGES),
      ...bareOf(plugins),
      ...plugins.flatMap(({ descriptor }) => descriptor.namespaces ?? []),
    ],
    ({ namespace }) => namespace,
  );
}

/** Every collection of a site with this content and these plugins. Indexed meta keys add fields and indexes; everything else is the same for all sites. @throws TypeError if two plugins declare one thing, or one that the core has */
export function collectionsOf(
  content: ContentModel,
  plugins: readonly Plugin[] = [],
): readonly CollectionDescriptor[] {
  const ofPosts = [...toPostCollections(content), previewCollection];
  checkClaims(plugins, { collections: [...siteCollections, ...ofPosts], namespaces: [CMS] });
  return [
    ...siteCollections,
    ...plugins.flatMap(({ descriptor }) => descriptor.collections ?? []),
    ...ofPosts,
  ];
}

/** The core and plugins with their functions. */
export interface BoundRegistry {
  /** Namespaces, in the order of the index. */
  readonly namespaces: readonly Namespace[];
  /** The routes that plugins add below other namespaces. */
  readonly extensions: readonly { readonly plugin: string; readonly extension: Namespace }[];
  readonly reactions: readonly Reaction[];
  readonly tasks: readonly Task[];
  readonly documents: readonly BoundDocument[];
  readonly rewrites: readonly BoundRewrite[];
}

type Bound = BoundPlugin & { readonly descriptor: PluginDescriptor };

/** The lists of a plugin, and the member of their items that names what an item does. */
const LISTS = {
  fields: 'value',
  reactions: 'run',
  tasks: 'run',
  documents: 'write',
  rewrites: 'run',
  shortcodes: 'render',
  blocks: 'render',
} as const;

/** The items of a list of all plugins, each with its plugin and the functions that it names, without those whose function is null. */
function listItems<K extends keyof typeof LISTS>(plugins: readonly Bound[], list: K) {
  type Item = NonNullable<PluginDescriptor[K]>[number];
  return plugins.flatMap(({ descriptor, functions }) =>
    ((descriptor[list] ?? []) as readonly Item[])
      .filter((item) => own(functions, String(own(item as never, LISTS[list]))) !== null)
      .map((item) => ({
        item,
        plugin: descriptor.name,
        // `bind` has checked that the function is there.
        call: <F>(id: string | undefined): F => own(functions, id ?? '') as unknown as F,
      })),
  );
}

/** Adds what the core calls to the services of the site. It must be there before the core is built. */
function addToServices(ports: Ports, plugins: readonly Bound[]): void {
  const { shortcodes, blocks, departures, notices, watchers } = servicesOf(ports);
  for (const plugin of plugins) {
    for (const [name, shortcode] of plugin.shortcodes ?? []) shortcodes.set(name, shortcode);
    if (plugin.departure !== undefined) departures.push(plugin.departure);
    if (plugin.notify !== undefined) notices.push(plugin.notify);
    if (plugin.watch !== undefined) watchers.push(plugin.watch);
  }
  for (const { item, call } of listItems(plugins, 'shortcodes')) {
    const render = call<Render>(item.render);
    const { name, block = false, reads } = item;
    shortcodes.set(name, {
      block,
      ...(reads === undefined ? {} : { reads }),
      render: ({ attributes, inner, record = null, call: shown }) =>
        render(attributes, { content: inner, record, call: shown as Call }),
    });
  }
  for (const { item, call } of listItems(plugins, 'blocks'))
    blocks.set(item.name, { ...item, render: call<Render>(item.render) });
}

/** Joins the core and plugins with their functions. @throws TypeError that names the plugin */
export async function bindRegistry(host: PluginHost, plugins: readonly Plugin[]): Promise<BoundRegistry> {
  const bound: Bound[] = [];
  for (const plugin of plugins) bound.push({ descriptor: plugin.descriptor, ...(await plugin.bind(host)) });
  const { ports } = host;
  addToServices(ports, bound);
  const fields = listItems(bound, 'fields').map(({ item, plugin, call }) =>
    Object.assign({}, item, {
      plugin,
      compute: call<FieldValue>(item.value),
      plan: call<FieldWrite | null | undefined>(item.write) ?? undefined,
    }),
  );
  const core = createCmsNamespace(ports);
  const namespaces = [
    withFields(core, fields, ports),
    ...bareOf(plugins).map((descriptor) => defineNamespace(descriptor, {})),
    ...bound.flatMap((each) => each.namespaces),
  ];
  return {
    namespaces: inRecordedOrder(namespaces, ({ descriptor }) => descriptor.namespace),
    extensions: bound.flatMap(({ descriptor, extensions }) =>
      extensions.map((extension) => ({ plugin: descriptor.name, extension })),
    ),
    reactions: listItems(bound, 'reactions').map(({ item, call }) => ({
      name: item.run,
      to: item.to,
      run: call<ReactionRun>(item.run) as Reaction['run'],
    })),
    tasks: listItems(bound, 'tasks').map(({ item, call }) => ({
      name: item.run,
      everyMs: toPeriodMs(item.every),
      run: call<TaskRun>(item.run),
    })),
    documents: listItems(bound, 'documents').map(({ item, plugin, call }) => ({
      plugin,
      path: item.path,
      write: call<DocumentWrite>(item.write),
    })),
    rewrites: listItems(bound, 'rewrites').map(({ item, plugin, call }) => ({
      plugin,
      run: call<RewriteRun>(item.run),
    })),
  };
}

/** @throws TypeError for a plugin that asks too early */
export const notBuilt = (): never => {
  throw new TypeError('a plugin has asked its site for a response before createSite was ready');
};

/** Every namespace with its handlers, in the order of the index. */
export async function createRegistry(
  ports: Ports,
  plugins: readonly Plugin[],
): Promise<readonly Namespace[]> {
  const { settings } = servicesOf(ports);
  return (await bindRegistry({ ports, settings, names: NEUTRAL_NAMES, dispatch: notBuilt }, plugins))
    .namespaces;
}
