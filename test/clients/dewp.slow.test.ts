import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileClient, hasClients, skipClient } from '../support/clients/installed.ts';
import { checkSequence } from '../support/clients/sequences.ts';
import { withClientServer } from '../support/clients/server.ts';

interface Collection {
  readonly schema: { parseAsync(data: unknown): Promise<Record<string, unknown>> };
  readonly loader: { load(context: object): Promise<void> };
}
interface Dewp {
  wpCollections(options: { readonly endpoint: string }): Readonly<Record<string, Collection>>;
}

/** What Astro makes while it builds a site. Its own functions stand behind `astro:content`. */
const MODULES = new Map([
  [
    'astro:content',
    "export { defineCollection } from 'astro/content/config'; import { createReference } from 'astro/content/runtime'; export const reference = createReference({ lookupMap: {} });",
  ],
  ['astro:data-layer-content', 'export default new Map();'],
]);

async function loadCollection({
  schema,
  loader,
}: Collection): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const entries = new Map<string, Record<string, unknown>>();
  await loader.load({
    store: {
      set: ({ id, data }: { readonly id: string; readonly data: Record<string, unknown> }) =>
        entries.set(id, data),
    },
    parseData: ({ data }: { readonly data: unknown }) => schema.parseAsync(data),
  });
  return entries;
}

function dewpSuite(): void {
  const dewp = suite('dewp (Astro)');
  dewp('loads all its collections, and every entry fits its schema', async () => {
    const { wpCollections } = await compileClient<Dewp>(
      "export { wpCollections } from 'dewp/loaders';",
      MODULES,
    );
    const sizes: Record<string, number> = {};
    const requests = await withClientServer(async (origin) => {
      for (const [name, collection] of Object.entries(wpCollections({ endpoint: `${origin}/en/wp-json/` })))
        sizes[name] = (await loadCollection(collection)).size;
    });
    assert.equal(sizes, {
      posts: 34,
      pages: 7,
      tags: 5,
      categories: 7,
      comments: 6,
      users: 4,
      media: 5,
      statuses: 1,
      taxonomies: 3,
      types: 4,
      'site-settings': 1,
    });
    checkSequence('dewp', requests);
  });
  dewp.run();
}

if (hasClients()) dewpSuite();
else skipClient('dewp (Astro)');
