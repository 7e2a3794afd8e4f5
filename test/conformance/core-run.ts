import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectionsOf, createContentModel, joinContent } from '../../registry/index.ts';
import type { Fixture } from '../../registry/site/fixture.ts';
import type { SiteOptions } from '../../registry/site/site-options.ts';
import { openHttpSite } from '../support/http-site.ts';
import { runScenarios, type Outcome } from '../support/replay.ts';
import type { Scenario } from '../support/replay/scenario.ts';
import type { OpenStore } from '../support/store-factories.ts';
import { CORE_AREAS } from './core-areas.ts';

/** The tests run from `dist/`; the recorded files are not copied there. */
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../../test/conformance/core/${name}`, import.meta.url), 'utf8'));

/** Content of the recorded site with its types, taxonomies and meta keys. */
export const coreFixture = read('fixture-core.json') as Fixture;

/** What the recorded site serves. */
export const coreContent = joinContent('core', coreFixture.registered ?? {});

/** The recorded cases of the core controllers. */
export const { scenarios: coreScenarios } = read('given.json') as { readonly scenarios: readonly Scenario[] };

const toText = ({ id, step, differences }: Outcome): string => (
  `${id}, step ${step}: ${differences.map(({ path, expected, actual }) => `${path}: ${JSON.stringify(expected)} expected, got ${JSON.stringify(actual)}`).join('; ').slice(0, 400)}`
);

/** Runs the recorded cases of the finished areas on a store. Every case must pass except the exceptions, which must all differ. */
export function coreSuite(name: string, open: OpenStore, options: Pick<SiteOptions, 'cache'> = {}): void {
  const test = suite(`the recorded core cases on ${name}`);
  for (const [area, exceptions] of Object.entries(CORE_AREAS)) {
    test(`${area}: all pass but the exceptions, which all differ`, async () => {
      const scenarios = coreScenarios.filter((scenario) => scenario.area === area);
      assert.ok(scenarios.length > 0, 'no such area');
      const { store, remove } = await open(collectionsOf(createContentModel(coreContent)));
      const site = await openHttpSite(coreFixture, { store, content: coreContent, ...options });
      try {
        const failed = (await runScenarios(scenarios, site, site.reset)).filter(({ differences }) => differences.length > 0);
        assert.equal(failed.filter(({ id }) => !Object.hasOwn(exceptions, id)).map(toText), []);
        assert.equal(failed.map(({ id }) => id), Object.keys(exceptions), 'exceptions that no longer differ');
      } finally {
        await site.close();
        await remove();
      }
    });
  }
  test('the content of the site is loaded', async () => {
    const { store, remove } = await open(collectionsOf(createContentModel(coreContent)));
    const site = await openHttpSite(coreFixture, { store, content: coreContent });
    try {
      for (const [type, count] of [['post', 46], ['page', 13], ['book', 8]] as const) {
        const { total } = await store.find({ collection: 'posts', where: { op: 'eq', field: 'type', value: type }, limit: 1, total: true });
        assert.is(total, count, type);
      }
    } finally {
      await site.close();
      await remove();
    }
  });
  test.run();
}
