import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import {
  catalogues,
  collections,
  createContentModel,
  createRegistry,
  registryDescriptors,
} from '../../registry/index.ts';
import { createTestPorts } from '../support/ports.ts';

// docs/plugin-routes.md has one line for each route of the plugin namespaces: its methods, its right, what it does.
const DOCUMENT = readFileSync('docs/plugin-routes.md', 'utf8');
const [RECORDED = '', FURTHER = ''] = DOCUMENT.split('## Routes that the recorded index does not have');

interface Row {
  readonly route: string;
  readonly right: string;
  readonly text: string;
}

const readRows = (part: string): readonly Row[] =>
  [...part.matchAll(/^- `([^`]+)` \(([^)]+)\): (.*)$/gm)].map(([, route = '', right = '', text = '']) => ({
    route,
    right,
    text,
  }));

/** Rights that a function of the namespace checks, as the document calls them. */
const CHECKED: Readonly<Record<string, string>> = {
  'secscan.token': 'token',
  'secscan.premium': 'token',
  'ml.tm.receive': 'token',
  'seo.meta.search': 'of the post',
  'oembed.proxy': 'edit_posts',
};

const describe = ({ routes }: NamespaceDescriptor): readonly Omit<Row, 'text'>[] =>
  routes.map(({ pattern, endpoints }) => ({
    route: `${endpoints.flatMap(({ methods }) => methods).join(', ')} ${pattern.replaceAll(/\(\?P<(\w+)>[^)]*\)/g, '{$1}')}`,
    right: [...new Set(endpoints.map(({ permission }) => CHECKED[permission] ?? permission))].join(', '),
  }));

const withoutTexts = (rows: readonly Row[]): readonly Omit<Row, 'text'>[] =>
  rows.map(({ route, right }) => ({ route, right }));
const isPlugin = ({ namespace }: NamespaceDescriptor): boolean => !namespace.startsWith('cms');
const PLUGINS = registryDescriptors.filter(isPlugin).flatMap(describe);

const table = suite('the table of plugin routes');
table('has every route of the recorded index with methods and right, in its order', () => {
  assert.is(PLUGINS.length, 79);
  assert.equal(withoutTexts(readRows(RECORDED)), PLUGINS);
});
table('has the routes of a site with the core controllers that the index does not have', async () => {
  const core = (
    await createRegistry(
      createTestPorts({ store: createMemoryStore(collections), content: createContentModel('core') }),
    )
  )
    .map(({ descriptor }) => descriptor)
    .filter(isPlugin);
  const endpoints = core.flatMap(({ namespace, routes }) =>
    routes.flatMap((route) =>
      route.endpoints.map((endpoint) => ({ namespace, routes: [{ ...route, endpoints: [endpoint] }] })),
    ),
  );
  const known = new Set(
    registryDescriptors.flatMap(({ routes }) =>
      routes.flatMap((route) => route.endpoints.map(({ handler }) => handler)),
    ),
  );
  const added = endpoints.filter(({ routes: [route] }) => !known.has(route?.endpoints[0]?.handler ?? ''));
  assert.equal(
    withoutTexts(readRows(FURTHER)).toSorted((a, b) => (a.route < b.route ? -1 : 1)),
    added.flatMap(describe).toSorted((a, b) => (a.route < b.route ? -1 : 1)),
  );
  const texts = added.flatMap(({ routes }) =>
    routes.flatMap((route) =>
      route.endpoints.flatMap(({ summary, description, args }) => [
        summary,
        description,
        ...Object.entries(args)
          .filter(([name]) => name !== 'ml_language')
          .map(([, arg]) => arg.description),
      ]),
    ),
  );
  assert.equal(
    texts.filter((text) => !Object.hasOwn(catalogues['fr'] ?? {}, text ?? '')),
    [],
  );
});
table('says of each route what it does, in a sentence of its own or by the one above', () => {
  for (const { route, text } of readRows(DOCUMENT))
    assert.ok(/^.{12,}\.( .+\.)?$/.test(text), `${route}: ${text}`);
});
table.run();
