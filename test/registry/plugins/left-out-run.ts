import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runScenarios } from '../../../adapters/cli/verify/run-scenarios.ts';
import type { Scenario } from '../../../adapters/cli/verify/scenario.ts';
import { createRequest } from '../../../lib/index.ts';
import type { Values } from '../../../lib/store/store.ts';
import { createSite, describeRegistry, seedPlugins } from '../../../registry/index.ts';
import { EXCEPTIONS } from '../../conformance/recorded-run.ts';
import { fixture, scenarios } from '../../conformance/recorded.ts';
import { openHttpSite } from '../../support/http-site.ts';
import { openMemory } from '../../support/store-factories.ts';

const find = (name: string) => {
  const plugin = seedPlugins.find(({ descriptor }) => descriptor.name === name);
  if (plugin === undefined) throw new Error(`there is no plugin ${name}`);
  return {
    others: seedPlugins.filter((each) => each !== plugin),
    namespaces: (plugin.descriptor.namespaces ?? []).map(({ namespace }) => namespace),
    collections: (plugin.descriptor.collections ?? []).map((collection) => collection.name),
  };
};

/** Cases of which a step or its response names a namespace of the plugin, or counts namespaces. */
const isAbout = (scenario: Scenario, namespaces: readonly string[]): boolean =>
  namespaces.some((namespace) => JSON.stringify(scenario).includes(namespace)) ||
  JSON.stringify(scenario).includes('"/namespaces#"');

/** What a site is like without one of its plugins. `isWanted`: the recorded cases that it is asked. */
export function leftOutSuite(name: string, isWanted: (scenario: Scenario) => boolean = () => true): void {
  const test = suite(`a site without the plugin ${name}`);
  const { others, namespaces, collections } = find(name);

  test('serves the other namespaces, and leaves the records of the plugin as they are', async () => {
    const { store, remove } = await openMemory();
    try {
      for (const collection of collections)
        await store.commit([{ op: 'create', collection, values: {} as Values }]);
      const read = () => Promise.all(collections.map((collection) => store.find({ collection })));
      const before = await read();
      const site = await createSite({ store, plugins: others });
      const { body } = await site.engine.dispatch(createRequest('/'));
      assert.equal(
        (body as { readonly namespaces: readonly string[] }).namespaces,
        describeRegistry().flatMap(({ namespace }) => (namespaces.includes(namespace) ? [] : [namespace])),
      );
      for (const namespace of namespaces)
        assert.is((await site.engine.dispatch(createRequest(`/${namespace}`))).status, 404);
      assert.is(await site.openDocument('/robots.txt', { siteUrl: 'http://site.test' }), null);
      await site.close();
      assert.equal(await read(), before);
    } finally {
      await remove();
    }
  });

  test('answers all other recorded cases as before', async () => {
    const { store, remove } = await openMemory();
    const site = await openHttpSite(fixture, { store, plugins: others, checkAnswers: true });
    try {
      const asked = scenarios.filter((each) => isWanted(each) && !isAbout(each, namespaces));
      assert.ok(asked.length > 50, `${asked.length} cases`);
      const failed = (await runScenarios(asked, site, site.reset)).filter(
        ({ differences }) => differences.length > 0,
      );
      assert.equal(
        failed.filter(({ id }) => !(id in EXCEPTIONS)).map(({ id, differences }) => [id, differences[0]]),
        [],
      );
    } finally {
      await site.close();
      await remove();
    }
  });
  test.run();
}
