import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isObject } from '../../../lib/core/objects.ts';
import { batchFixture } from '../../support/batch/fixture.ts';
import { type Answer, createWholeSite, type WholeSite } from '../../support/whole-site.ts';

const POST = '/cms/v2/posts/101';
const WORKERS = 40;
const ROUNDS = 25;

function titleOf({ body }: Pick<Answer, 'body'>): string {
  const title = isObject(body) ? body['title'] : null;
  return isObject(title) ? String(title['raw']) : '';
}

const readPost = (site: WholeSite): Promise<Answer> =>
  site.ask({ target: `${POST}?context=edit`, as: 'editor' });

/** Writes a title if the post still has the state of this response. @returns the status */
type Write = (site: WholeSite, read: Answer, title: string) => Promise<number>;

const writeAlone: Write = async (site, { headers }, title) =>
  (
    await site.ask({
      method: 'PUT',
      target: POST,
      as: 'editor',
      body: { title },
      headers: { 'if-match': headers['ETag'] ?? '' },
    })
  ).status;

const writeInBatch: Write = async (site, { headers }, title) => {
  const requests = [
    { method: 'PUT', path: POST, body: { title }, headers: { 'If-Match': headers['ETag'] ?? '' } },
  ];
  const { body } = await site.ask({ method: 'POST', target: '/batch/v1', as: 'editor', body: { requests } });
  const responses = isObject(body) && Array.isArray(body['responses']) ? body['responses'] : [];
  const [first] = responses;
  return isObject(first) ? Number(first['status']) : 0;
};

const test = suite('If-Match');

for (const [name, write] of [
  ['alone', writeAlone],
  ['in a batch', writeInBatch],
] as const) {
  test(`1,000 increments at once, ${name}: as many count as were accepted`, async () => {
    const site = await createWholeSite({ fixture: batchFixture });
    await site.ask({ method: 'PUT', target: POST, as: 'editor', body: { title: 'n0' } });
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: WORKERS }, async (_each, worker) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const read = await readPost(site);
          // Lets the workers drift apart, so that some come first and others later.
          for (let pause = (worker * 7 + round * 3) % 11; pause > 0; pause -= 1)
            await new Promise((resolve) => {
              setImmediate(resolve);
            });
          statuses.push(await write(site, read, `n${Number(titleOf(read).slice(1)) + 1}`));
        }
      }),
    );
    const accepted = statuses.filter((status) => status === 200).length;
    assert.equal([...new Set(statuses)].sort(), [200, 412]);
    assert.is(statuses.length, WORKERS * ROUNDS);
    assert.is(titleOf(await readPost(site)), `n${accepted}`);
    const { headers } = await site.ask({ target: `${POST}/revisions?per_page=1`, as: 'editor' });
    // Each accepted write created its revision, including that of n0.
    assert.is(Number(headers['X-CMS-Total']), accepted + 1);
    await site.close();
  });

  test(`a lost update is refused, ${name}; the tag of any representation of the version will do`, async () => {
    const site = await createWholeSite({ fixture: batchFixture });
    const first = await readPost(site);
    const asStranger = await site.ask({ target: POST });
    assert.is.not(first.headers['ETag'], asStranger.headers['ETag']);
    assert.is(await write(site, asStranger, 'mine'), 200);
    assert.is(await write(site, first, 'theirs'), 412);
    assert.is(titleOf(await readPost(site)), 'mine');
    await site.close();
  });
}

test('a delete is refused as well, and nothing is deleted', async () => {
  const site = await createWholeSite({ fixture: batchFixture });
  const { headers } = await readPost(site);
  await site.ask({ method: 'PUT', target: POST, as: 'editor', body: { title: 'changed' } });
  for (const target of [POST, `${POST}?force=true`]) {
    const answer = await site.ask({
      method: 'DELETE',
      target,
      as: 'editor',
      headers: { 'if-match': headers['ETag'] ?? '' },
    });
    assert.is(answer.status, 412);
  }
  assert.is((await readPost(site)).status, 200);
  const fresh = (await readPost(site)).headers['ETag'] ?? '';
  assert.is(
    (
      await site.ask({
        method: 'DELETE',
        target: `${POST}?force=true`,
        as: 'editor',
        headers: { 'if-match': fresh },
      })
    ).status,
    200,
  );
  assert.is((await readPost(site)).status, 404);
  await site.close();
});

test('without If-Match, concurrent writes all take effect, one after the other', async () => {
  const site = await createWholeSite({ fixture: batchFixture });
  const fields = [{ title: 'T' }, { content: 'C' }, { excerpt: 'E' }, { format: 'aside' }];
  const answers = await Promise.all(
    fields.map((body) => site.ask({ method: 'PUT', target: POST, as: 'editor', body })),
  );
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const { body } = await readPost(site);
  assert.ok(isObject(body) && isObject(body['content']) && isObject(body['excerpt']));
  assert.equal(
    [titleOf({ body }), body['content']['raw'], body['excerpt']['raw'], body['format']],
    ['T', 'C', 'E', 'aside'],
  );
  await site.close();
});

test.run();
