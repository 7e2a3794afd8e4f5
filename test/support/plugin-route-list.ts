import { createMemoryStore } from '../../adapters/memory-store.ts';
import { groupBy } from '../../lib/core/objects.ts';
import type { EndpointDescriptor, NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import {
  collections,
  createContentModel,
  createRegistry,
  registryDescriptors,
} from '../../registry/index.ts';
import { createTestPorts } from './ports.ts';

/** What stands above the generated part of docs/plugin-routes.md ends here. */
export const ROUTES_HEADING = '## `';

/** Rights that a function of the namespace checks, as the document calls them. */
const CHECKED: Readonly<Record<string, string>> = {
  'secscan.token': 'token',
  'secscan.premium': 'token',
  'ml.tm.receive': 'token',
  'seo.meta.search': 'of the post',
  'oembed.proxy': 'edit_posts',
};

/** An endpoint with the pattern of its route. */
export interface PluginEndpoint {
  readonly pattern: string;
  readonly endpoint: EndpointDescriptor;
}

const isPlugin = ({ namespace }: NamespaceDescriptor): boolean => !namespace.startsWith('cms');
const toEndpoints = ({ routes }: NamespaceDescriptor): readonly PluginEndpoint[] =>
  routes.flatMap(({ pattern, endpoints }) => endpoints.map((endpoint) => ({ pattern, endpoint })));

/** Endpoints of a site with the core controllers and all plugins that the recorded index does not have. */
export async function listFurther(): Promise<readonly PluginEndpoint[]> {
  const ports = createTestPorts({
    store: createMemoryStore(collections),
    content: createContentModel('core'),
  });
  const known = new Set(registryDescriptors.flatMap(toEndpoints).map(({ endpoint }) => endpoint.handler));
  return (await createRegistry(ports))
    .map(({ descriptor }) => descriptor)
    .filter(isPlugin)
    .flatMap(toEndpoints)
    .filter(({ endpoint }) => !known.has(endpoint.handler));
}

const toRight = ({ permission }: EndpointDescriptor): string => CHECKED[permission] ?? permission;

/** One line for each route and right: its methods, what its endpoints do. */
function toLines(endpoints: readonly PluginEndpoint[]): string {
  const routes = groupBy(endpoints, ({ pattern, endpoint }) => `${pattern} ${toRight(endpoint)}`).values();
  return [...routes]
    .map((each) => {
      const [pattern = ''] = each.map((route) => route.pattern.replaceAll(/\(\?P<(\w+)>[^)]*\)/g, '{$1}'));
      const [right] = each.map(({ endpoint }) => toRight(endpoint));
      const methods = each.flatMap(({ endpoint }) => endpoint.methods).join(', ');
      const texts = new Set(each.map(({ endpoint }) => endpoint.summary));
      return `- \`${methods} ${pattern}\` (${right}): ${[...texts].join('; ')}`;
    })
    .join('\n');
}

/** The generated part of docs/plugin-routes.md. */
export async function describePluginRoutes(): Promise<string> {
  const plugins = registryDescriptors.filter(isPlugin);
  return [
    ...plugins.flatMap((descriptor) => [`## \`${descriptor.namespace}\``, toLines(toEndpoints(descriptor))]),
    '## Routes that the recorded index does not have',
    'They come with the core controllers (`--content core`), or if `extraRoutes` of `config.ml`, `config.seo` or `config.pkg` is true; if it is false, never.',
    toLines(await listFurther()),
  ]
    .join('\n\n')
    .concat('\n');
}
