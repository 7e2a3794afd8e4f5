import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { catalogues, registryDescriptors } from '../../registry/index.ts';
import { describePluginRoutes, listFurther } from '../support/plugin-route-list.ts';

const table = suite('docs/plugin-routes.md');
table('says what the descriptors of the plugins say', async () => {
  assert.ok(
    readFileSync('docs/plugin-routes.md', 'utf8').endsWith(`\n\n${await describePluginRoutes()}`),
    'node dist/test/scripts/plugin-route-documents.js writes it again',
  );
});
table('names all routes of the recorded index', () => {
  const routes = registryDescriptors.filter(({ namespace }) => !namespace.startsWith('cms'));
  assert.is(routes.flatMap((each) => each.routes).length, 79);
});
table('has a French text for each further route and its parameters', async () => {
  const endpoints = (await listFurther()).map(({ endpoint }) => endpoint);
  const args = endpoints.flatMap((each) => Object.entries(each.args));
  const texts = [
    ...endpoints.flatMap(({ summary, description }) => [summary, description]),
    ...args.filter(([name]) => name !== 'ml_language').map(([, arg]) => arg.description),
  ];
  assert.ok(texts.length > 0);
  assert.equal(
    texts.filter((text) => !Object.hasOwn(catalogues['fr'] ?? {}, text ?? '')),
    [],
  );
});
table.run();
