// Two administrators who take away each other's rights at the same time must not both succeed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/site/fixture.ts';
import { createWholeSite, type Answer, type Asking, type WholeSite } from '../../../support/whole-site.ts';

const FIXTURE: Fixture = {
  site: { name: 'Races', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: ['ada', 'bo'].map((login, at) => ({ id: at + 1, login, name: login, slug: login, role: 'administrator' })),
};
const [ADA, BO] = [1, 2];

/** A store in which another writer goes first when Bo's record is about to be changed or removed. */
function createContested(store: Store, goFirst: () => Promise<unknown>): Store {
  let isOver = false;
  return {
    ...store,
    commit: async (operations, durability) => {
      const isDeed = !isOver && operations.some((operation) => operation.collection === 'users' && 'id' in operation && operation.id === BO && (operation.op === 'remove' || 'role' in (operation as { values: object }).values));
      if (isDeed) {
        isOver = true;
        await goFirst();
      }
      return store.commit(operations, durability);
    },
  };
}

type Deed = (id: number) => Omit<Asking, 'as'>;

const demote: Deed = (id) => ({ method: 'POST', target: `/cms/v2/users/${id}`, body: { roles: ['editor'] } });
const remove: Deed = (id) => ({ method: 'DELETE', target: `/cms/v2/users/${id}?force=true&reassign=0` });

/** Ada's deed, while Bo's is done first. */
async function withRace([adas, bos]: readonly [Deed, Deed], run: (site: WholeSite, answer: Answer) => Promise<void>): Promise<void> {
  const site: WholeSite = await createWholeSite({
    fixture: FIXTURE, content: 'core', store: createContested(createMemoryStore(collections), async () => assert.is((await site.ask({ ...bos(ADA), as: 'bo' })).status, 200)),
  });
  try {
    await run(site, await site.ask({ ...adas(BO), as: 'ada' }));
  } finally {
    await site.close();
    await site.store.close();
  }
}

const race = suite('two administrators at the same time');

for (const [name, deeds] of [['demote', [demote, demote]], ['demote and remove', [demote, remove]], ['remove and demote', [remove, demote]], ['remove', [remove, remove]]] as const) {
  race(`${name} each other: one succeeds`, () => withRace(deeds, async (site, { status, body }) => {
    assert.equal([status, (body as { code: string }).code === undefined], [403, false], JSON.stringify(body));
    assert.is((await site.store.get('users', BO))?.['role'], 'administrator');
  }));
}

race('keep their rights when they change others', () => withRace([demote, (id) => ({ method: 'POST', target: `/cms/v2/users/${id}`, body: { name: 'Ada L.' } })], async (site, { status }) => {
  assert.is(status, 200);
  assert.equal((await Promise.all([ADA, BO].map((id) => site.store.get('users', id)))).map((user) => user?.['role']), ['administrator', 'editor']);
}));

race.run();
