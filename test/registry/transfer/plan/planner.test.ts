import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { collectionsOf } from '../../../../registry/index.ts';
import type { Item } from '../../../../registry/transfer/items/item.ts';
import { Ledger } from '../../../../registry/transfer/items/ledger.ts';
import { Planner } from '../../../../registry/transfer/plan/planner.ts';
import { coreModel } from '../../../support/transfer.ts';

/** A user of the source with a password. */
const toItems = (id: number, login: string): readonly Item[] => [
  { place: login, collection: 'users', id, values: { login, slug: login } },
  { place: login, collection: 'credentials', id, values: { user: id, name: login, hash: 'h' } },
];

const planner = suite('Planner');

planner('takes no password over for a user whom the site had, unless it is asked to', async () => {
  const collections = collectionsOf(coreModel);
  const store = createMemoryStore(collections);
  await store.commit([{ op: 'create', collection: 'users', values: { login: 'ada', slug: 'ada' } }]);
  for (const credentials of [false, true]) {
    const options = { collections, content: coreModel, ledger: new Ledger('copy'), credentials };
    const plan = await new Planner(store, options).plan([...toItems(7, 'ada'), ...toItems(8, 'bob')]);
    const created = plan.operations.flatMap((each) =>
      each.op === 'create' && each.collection === 'credentials' ? [each.values['name']] : [],
    );
    assert.equal(created, credentials ? ['ada', 'bob'] : ['bob']);
    assert.equal([plan.leftOut.length, plan.logins], credentials ? [0, ['ada']] : [1, []]);
  }
  await store.close();
});

planner.run();
