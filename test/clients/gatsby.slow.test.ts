import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasClients, loadClient, skipClient } from '../support/clients/installed.ts';
import { checkSequence } from '../support/clients/sequences.ts';
import { withClientServer } from '../support/clients/server.ts';

interface GatsbyNode {
  readonly internal: { readonly type: string };
  readonly id: string;
}
interface Plugin {
  sourceNodes(api: object, options: object): Promise<void>;
}

/** The part of Gatsby that the plugin calls. */
function createGatsby(nodes: GatsbyNode[]): object {
  return {
    actions: { createNode: (node: GatsbyNode) => nodes.push(node), touchNode: () => undefined },
    store: { getState: () => ({ status: { plugins: {} } }) },
    cache: { get: async () => undefined, set: async () => undefined },
    getNode: () => undefined,
    getNodes: () => [],
    createNodeId: (name: string) => name,
    createContentDigest: (value: unknown) => String(JSON.stringify(value).length),
    reporter: { log: () => undefined, warn: () => undefined },
  };
}

const ROUTES = [
  'posts',
  'pages',
  'categories',
  'tags',
  'media',
  'users',
  'taxonomies',
  'types',
  'statuses',
  'comments',
  'books',
  'genres',
].map((name) => `/wp/v2/${name}`);

/** Number of nodes by type. Types and statuses are one node each, as the plugin knows lists only. */
const NODES = {
  wordpress__CATEGORY: 7,
  wordpress__PAGE: 7,
  wordpress__POST: 34,
  wordpress__TAG: 5,
  wordpress__acf_options: 1,
  wordpress__site_metadata: 1,
  wordpress__wp_books: 5,
  wordpress__wp_comments: 6,
  wordpress__wp_genres: 4,
  wordpress__wp_media: 5,
  wordpress__wp_statuses: 1,
  wordpress__wp_taxonomies: 3,
  wordpress__wp_types: 4,
  wordpress__wp_users: 4,
};

function gatsbySuite(): void {
  const gatsby = suite('gatsby-source-wordpress 3');
  gatsby('finds the routes in the index, reads all pages of each and makes nodes', async () => {
    const nodes: GatsbyNode[] = [];
    const requests = await withClientServer(async (origin) => {
      // Without its media: the plugin downloads files through Gatsby's cache.
      await loadClient<Plugin>('gatsby-source-wordpress/gatsby-node.js').sourceNodes(createGatsby(nodes), {
        baseUrl: `${new URL(origin).host}/en`,
        protocol: 'http',
        hostingWPCOM: false,
        useACF: false,
        perPage: 10,
        concurrentRequests: 2,
        verboseOutput: false,
        includedRoutes: ROUTES,
        minimizeDeprecationNotice: true,
      });
    });
    const counts = new Map<string, number>();
    for (const {
      internal: { type },
    } of nodes)
      counts.set(type, (counts.get(type) ?? 0) + 1);
    assert.equal(Object.fromEntries([...counts].toSorted()), NODES);
    checkSequence('gatsby-source-wordpress', requests);
  });
  gatsby.run();
}

if (hasClients()) gatsbySuite();
else skipClient('gatsby-source-wordpress 3');
