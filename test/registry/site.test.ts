import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { collections, createSite, type SiteOptions } from '../../registry/index.ts';

/** The text of the TypeError that building the site ends in. */
async function refusalOf(options: object | undefined): Promise<string> {
  const outcome: unknown = await createSite(options as SiteOptions).then(() => null, (error: unknown) => error);
  assert.instance(outcome, TypeError);
  return (outcome as TypeError).message;
}

const site = suite('createSite');

site('refuses to do without a store', async () => {
  for (const options of [undefined, {}, { store: null }, { store: './data' }]) assert.match(await refusalOf(options), 'createSite needs a store');
});

site('refuses options that it does not have', async () => {
  const store = createMemoryStore(collections);
  assert.match(await refusalOf({ store, namespace: [] }), 'unknown member "namespace" of the options of createSite');
});

site('accepts every option', async () => {
  const options: SiteOptions = { store: createMemoryStore(collections), prefixes: ['nl'], languages: ['nl'], secret: new Uint8Array(32), namespaces: [], jsonp: true, cache: false, config: {}, log: () => undefined };
  const made = await createSite(options);
  assert.equal(made.engine.prefixes, ['nl']);
  await made.close();
});

site.run();
