import { defined, own } from '../lib/core/objects.ts';
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
import { checkClaims } from './core/plugin/plugin-list.ts';
import type { PluginHost } from './core/plugin/plugin-site.ts';
import {
  type BoundField,
  type BoundPlugin,
  NAMING,
  type Plugin,
  type PluginBlock,
  type PluginDescriptor,
  type PluginShortcode,
  type Render,
} from './core/plugin/plugin.ts';
import type { Task } from './core/plugin/tasks.ts';
import { previewCollection } from './core/previews/previews.ts';
import { toPostCollections, siteCollections } from './core/records/collections.ts';
import { servicesOf } from './core/services.ts';
import { DEFAULT_LANGUAGES } from './core/settings/options.ts';

/** Namespaces that the recorded index lists without any route, not even their own index. */
const BARE = ['cms-site-health/v1', 'cms-block-editor/v1', 'cms-abilities/v1'];

/** Those of them that no plugin has. */
function listBare(plugins: readonly Pick<Plugin, 'descriptor'>[]): readonly NamespaceDescriptor[] {
  const declared = plugins.flatMap(({ descriptor: { namespaces = [] } }) => namespaces);
  return BARE.filter((name) => !declared.some(({ namespace }) => namespace === name)).map((namespace) => ({
    namespace,
    index: false,
    routes: [],
  }));
}

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
      ...listBare(plugins),
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

/** The items of the lists of a plugin with the functions that they name. */
interface BoundItems {
  readonly fields: BoundField;
  readonly reactions: Reaction;
  readonly tasks: Task;
  readonly documents: BoundDocument;
  readonly rewrites: BoundRewrite;
  readonly shortcodes: Omit<PluginShortcode, 'render'> & { readonly render: Render };
  readonly blocks: Omit<PluginBlock, 'render'> & { readonly render: Render };
}

/** The items of a list of all plugins, without those whose function is null. An item without a name has that of its function. */
function listItems<K extends keyof BoundItems>(plugins: readonly Bound[], list: K): readonly BoundItems[K][] {
  const members: readonly string[] = NAMING[list];
  const [first = ''] = members;
  return plugins.flatMap(({ descriptor, functions }) =>
    ((descriptor[list] ?? []) as readonly unknown[] as readonly Readonly<Record<string, string>>[])
      .filter((item) => own(functions, own(item, first) ?? '') !== null)
      .map((item) => {
        // `bind` has checked that the functions are there.
        const bound = members.map((member) => [member, own(functions, own(item, member) ?? '')]);
        const named = { name: own(item, first) };
        const full = Object.assign(named, item, { plugin: descriptor.name }, Object.fromEntries(bound));
        return full as unknown as BoundItems[K];
      }),
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
  for (const { name, block = false, reads, render } of listItems(plugins, 'shortcodes'))
    shortcodes.set(name, {
      block,
      ...defined({ reads }),
      render: ({ attributes, inner, record = null, call }) =>
        render(attributes, { content: inner, record, call: call as Call }),
    });
  for (const block of listItems(plugins, 'blocks')) blocks.set(block.name, block);
}

/** After this time, the log names the plugin for which the site waits. */
const PATIENCE_MS = 5000;

async function bind(host: PluginHost, plugin: Plugin): Promise<Bound> {
  const message = `the start of the site waits for the function of the plugin "${plugin.descriptor.name}"`;
  const timer = setTimeout(() => host.ports.log({ level: 'warn', message }), PATIENCE_MS);
  try {
    return { descriptor: plugin.descriptor, ...(await plugin.bind(host)) };
  } finally {
    clearTimeout(timer);
  }
}

/** Joins the core and plugins with their functions. @throws TypeError that names the plugin */
export async function bindRegistry(host: PluginHost, plugins: readonly Plugin[]): Promise<BoundRegistry> {
  const bound: Bound[] = [];
  for (const plugin of plugins) bound.push(await bind(host, plugin));
  const { ports } = host;
  addToServices(ports, bound);
  const namespaces = [
    withFields(createCmsNamespace(ports), listItems(bound, 'fields'), ports),
    ...listBare(plugins).map((descriptor) => defineNamespace(descriptor, {})),
    ...bound.flatMap((each) => each.namespaces),
  ];
  return {
    namespaces: inRecordedOrder(namespaces, ({ descriptor }) => descriptor.namespace),
    extensions: bound.flatMap(({ descriptor, extensions }) =>
      extensions.map((extension) => ({ plugin: descriptor.name, extension })),
    ),
    reactions: listItems(bound, 'reactions'),
    tasks: listItems(bound, 'tasks'),
    documents: listItems(bound, 'documents'),
    rewrites: listItems(bound, 'rewrites'),
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
