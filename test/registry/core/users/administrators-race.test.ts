import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { capabilitiesOf } from '../../../../registry/core/accounts/roles.ts';
import { collections } from '../../../../registry/index.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { type Answer, type Asking, createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

// Two administrators who take away each other's rights at the same time must not both succeed.
const FIXTURE: Fixture = {
  site: { name: 'Races', timezone_string: 'UTC', default_category: 0, excerpt_length_default: 55 },
  users: ['ada', 'bo'].map((login, at) => ({
    id: at + 1,
    login,
    name: login,
    slug: login,
    role: 'administrator',
  })),
};
const [ADA, BO] = [1, 2];
/** An account of the host's own, whose rights its login gives. */
const SERVICE = { id: 7, login: 'service', name: 'service', slug: 'service', role: 'subscriber' };
const WITH_SERVICE: Fixture = { ...FIXTURE, users: [...(FIXTURE.users ?? []), SERVICE] };
const loginOfHost = (id: number) => () => ({
  id,
  role: 'administrator',
  capabilities: capabilitiesOf('administrator'),
});
const rolesOf = async ({ store }: WholeSite): Promise<readonly unknown[]> =>
  (await Promise.all([ADA, BO].map((id) => store.get('users', id)))).map((user) => user?.['role']);

/** A store in which another writer goes first when Bo's record is about to be changed or removed. */
function createContested(store: Store, goFirst: () => Promise<unknown>): Store {
  let isOver = false;
  return {
    ...store,
    commit: async (operations, durability) => {
      const isDeed =
        !isOver &&
        operations.some(
          (operation) =>
            operation.collection === 'users' &&
            'id' in operation &&
            operation.id === BO &&
            (operation.op === 'remove' || 'role' in (operation as { values: object }).values),
        );
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
async function withRace(
  [adas, bos]: readonly [Deed, Deed],
  run: (site: WholeSite, answer: Answer) => Promise<void>,
): Promise<void> {
  const site: WholeSite = await createWholeSite({
    fixture: FIXTURE,
    content: 'core',
    store: createContested(createMemoryStore(collections), async () =>
      assert.is((await site.ask({ ...bos(ADA), as: 'bo' })).status, 200),
    ),
  });
  try {
    await run(site, await site.ask({ ...adas(BO), as: 'ada' }));
  } finally {
    await site.close();
    await site.store.close();
  }
}

const race = suite('two administrators at the same time');

for (const [name, deeds] of [
  ['demote', [demote, demote]],
  ['demote and remove', [demote, remove]],
  ['remove and demote', [remove, demote]],
  ['remove', [remove, remove]],
] as const) {
  race(`${name} each other: one succeeds`, () =>
    withRace(deeds, async (site, { status, body }) => {
      assert.equal(
        [status, (body as { code: string }).code === undefined],
        [403, false],
        JSON.stringify(body),
      );
      assert.is((await site.store.get('users', BO))?.['role'], 'administrator');
    }),
  );
}

race('keep their rights when they change others', () =>
  withRace(
    [demote, (id) => ({ method: 'POST', target: `/cms/v2/users/${id}`, body: { name: 'Ada L.' } })],
    async (site, { status }) => {
      assert.is(status, 200);
      assert.equal(await rolesOf(site), ['administrator', 'editor']);
    },
  ),
);

race('do so by a login of the host as well, whose rights are not those of a record', async () => {
  for (const id of [SERVICE.id, 8]) {
    const site = await createWholeSite({
      fixture: WITH_SERVICE,
      content: 'core',
      authenticate: loginOfHost(id),
    });
    const statuses: number[] = [];
    for (const deed of [demote(ADA), demote(BO), remove(BO)]) statuses.push((await site.ask(deed)).status);
    assert.equal(statuses, [200, 403, 403]);
    assert.equal(await rolesOf(site), ['editor', 'administrator']);
    await site.close();
    await site.store.close();
  }
});

race('who depend on a third one are refused if that one goes first', async () => {
  const site: WholeSite = await createWholeSite({
    fixture: WITH_SERVICE,
    content: 'core',
    store: createContested(createMemoryStore(collections), async () =>
      assert.is((await site.ask(demote(ADA))).status, 200),
    ),
    authenticate: loginOfHost(SERVICE.id),
  });
  assert.is((await site.ask(demote(BO))).status, 403);
  assert.equal(await rolesOf(site), ['editor', 'administrator']);
  await site.close();
  await site.store.close();
});

race.run();
