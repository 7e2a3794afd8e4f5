import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { type Asking, createWholeSite } from '../../../support/whole-site.ts';

// Two writers, such as two processes, create the same tag: the unique key decides, and the second one is told that the term exists.
const FIXTURE = {
  site: { name: 'Races', timezone_string: 'UTC' },
  users: [{ id: 1, login: 'ada', name: 'Ada', slug: 'ada', role: 'administrator' }],
} as unknown as Fixture;
const create: Asking = { method: 'POST', target: '/cms/v2/tags', as: 'ada', body: { name: 'Harbour' } };

/** A store in which another writer goes first at the given access to terms: 0 is the first one of the request. */
function createContested(
  store: Store,
  {
    at,
    isOn,
    goFirst,
  }: { readonly at: number; readonly isOn: () => boolean; readonly goFirst: () => Promise<unknown> },
): Store {
  let accesses = 0;
  const step = async (): Promise<void> => {
    if (!isOn()) return;
    accesses += 1;
    if (accesses === at + 1) await goFirst();
  };
  return {
    ...store,
    find: async (query, waiter) => {
      if (query.collection === 'terms') await step();
      return store.find(query, waiter);
    },
    commit: async (operations, durability) => {
      if (operations.some(({ collection }) => collection === 'terms')) await step();
      return store.commit(operations, durability);
    },
  };
}

const race = suite('a tag that another writer creates at the same time');

race('is not created twice, at whatever moment the other one comes', async () => {
  let moments = 0;
  for (let at = 0; at < 20; at += 1) {
    const plain = createMemoryStore(collections);
    let isOn = false;
    let came = false;
    const goFirst = async (): Promise<void> => {
      isOn = false;
      came = true;
      assert.is((await site.ask(create)).status, 201);
    };
    const site = await createWholeSite({
      fixture: FIXTURE,
      content: 'core',
      store: createContested(plain, { at, isOn: () => isOn, goFirst }),
    });
    isOn = true;
    const { status, body } = await site.ask(create);
    const slugs = (await plain.find({ collection: 'terms' })).records.map(({ slug }) => slug);
    if (came) {
      moments += 1;
      assert.equal(
        [at, status, (body as { code?: string }).code, slugs],
        [at, 400, 'term_exists', ['harbour']],
      );
    }
    await site.close();
    if (!came) break;
  }
  assert.ok(moments >= 3);
});

race.run();
