import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Identity } from '../../lib/core/identity.ts';
import { isObject } from '../../lib/core/objects.ts';
import { createRequest } from '../../lib/http/create-request.ts';
import { capabilitiesOf } from '../../registry/core/accounts/roles.ts';
import { loadFixture } from '../../registry/transfer/fixture/fixture.ts';
import { allTypesFixture, BATCH_CONTENT, BATCH_USERS, createProbe } from '../support/batch/fixture.ts';
import { generateBatch, type GeneratedItem } from '../support/batch/generate.ts';
import { countRuns, isAll } from '../support/long-mode.ts';
import { createRandom, type Random } from '../support/random.ts';
import { createRenewableStore, type RenewableStore } from '../support/renewable-store.ts';
import { createWholeSite, SITE_URL, type WholeSite } from '../support/whole-site.ts';

// A batch must have the same effect as its items sent one by one to a copy of the site. FUZZ_SEED changes the random batches.
const SEED = Number(process.env['FUZZ_SEED'] ?? 63_030);
const BATCHES = countRuns(isAll ? 5000 : 2500, 100_000);
/** Number of consecutive batches on one copy of the site. The two copies must be equal at the end. */
const PER_COPY = 20;

const CALLERS: readonly Identity[] = [
  { id: 0, role: '', capabilities: new Set<string>() },
  ...BATCH_USERS.map((role, index) => ({ id: index + 1, role, capabilities: capabilitiesOf(role) })),
];

interface Copy {
  readonly site: WholeSite;
  readonly store: RenewableStore;
  runs(): number;
}

async function createCopy(): Promise<Copy> {
  const store = createRenewableStore();
  const probe = createProbe();
  const site = await createWholeSite({
    fixture: allTypesFixture,
    store,
    namespaces: [probe.namespace],
    content: BATCH_CONTENT,
  });
  return { site, store, runs: probe.runs };
}

async function renew({ store }: Copy): Promise<void> {
  store.renew();
  await loadFixture(store, allTypesFixture, { content: BATCH_CONTENT });
}

interface Sent {
  readonly items: readonly GeneratedItem[];
  readonly identity: Identity;
  readonly language: string;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function sendBatch(
  { site }: Copy,
  { items, identity, language }: Sent,
  validation: string,
): Promise<Readonly<Record<string, unknown>>> {
  const body = { validation, requests: items.map(({ item }) => item) };
  const response = await site.engine.dispatch(
    createRequest('/batch/v1', { method: 'POST', body, language, siteUrl: SITE_URL }),
    identity,
  );
  assert.is(response.status, 207, JSON.stringify(response.body));
  assert.ok(isObject(response.body));
  return response.body;
}

async function sendAlone(
  { site }: Copy,
  { method, target, body, headers }: GeneratedItem,
  { identity, language }: Sent,
): Promise<unknown> {
  const request = createRequest(target, {
    method,
    headers,
    language,
    siteUrl: SITE_URL,
    ...(body === undefined ? {} : { body }),
  });
  const answer = await site.engine.dispatch(request, identity);
  return plain({ body: answer.body, status: answer.status, headers: answer.headers });
}

function responsesOf(batch: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(batch['responses']) ? batch['responses'] : [];
}

function codeOf(response: unknown): unknown {
  return isObject(response) && isObject(response['body']) ? response['body']['code'] : undefined;
}

async function checkItems(alone: Copy, sent: Sent, responses: readonly unknown[]): Promise<void> {
  assert.is(responses.length, sent.items.length);
  for (const [index, item] of sent.items.entries()) {
    const at = `${sent.identity.role} ${sent.language}, item ${index}: ${JSON.stringify(item)}`;
    const response = plain(responses[index]);
    if (item.refusal === null) assert.equal(response, await sendAlone(alone, item, sent), at);
    else
      assert.equal(
        [codeOf(response), isObject(response) && response['status']],
        [item.refusal, item.refusal === 'rest_no_route' ? 404 : 400],
        at,
      );
  }
}

const toSent = (random: Random): Sent => ({
  items: generateBatch(random),
  identity: random.pick(CALLERS),
  language: random.pick(['en', 'fr']),
});

/** Errors that a batch detects before it runs any item. */
const KNOWN_BEFORE: ReadonlySet<unknown> = new Set([
  'rest_no_route',
  'rest_batch_not_allowed',
  'parse_path_failed',
  'rest_invalid_encoding',
]);

/** Errors of an item whose parameters are not valid. */
const INVALID: ReadonlySet<unknown> = new Set(['rest_invalid_param', 'rest_missing_callback_param']);

async function runBatches(
  count: number,
  random: Random,
  run: (copies: { batched: Copy; alone: Copy }, sent: Sent) => Promise<void>,
): Promise<void> {
  const batched = await createCopy();
  const alone = await createCopy();
  for (let batch = 0; batch < count; batch += 1) {
    await run({ batched, alone }, toSent(random));
    if (batch % PER_COPY !== PER_COPY - 1) continue;
    const left = await batched.store.dump();
    assert.is(left, await alone.store.dump(), `after batch ${batch}`);
    assert.not.match(left, 'nested');
    await Promise.all([renew(batched), renew(alone)]);
  }
  // The counting route does not allow batches, and the test sends it in batches only.
  assert.equal([batched.runs(), alone.runs()], [0, 0]);
  assert.equal([...batched.site.logged, ...alone.site.logged], []);
  await batched.site.close();
  await alone.site.close();
}

const test = suite('batches');

test('each item gets the same response as alone', async () => {
  await runBatches(Math.ceil(BATCHES * 0.8), createRandom(SEED), async ({ batched, alone }, sent) => {
    await checkItems(alone, sent, responsesOf(await sendBatch(batched, sent, 'normal')));
  });
});

test('require-all-validate: nothing is written when one item does not validate; else the same as normal', async () => {
  let refused = 0;
  await runBatches(Math.floor(BATCHES * 0.2), createRandom(SEED + 1), async ({ batched, alone }, sent) => {
    const before = await batched.store.dump();
    const answer = await sendBatch(batched, sent, 'require-all-validate');
    const responses = responsesOf(answer);
    if (answer['failed'] !== 'validation') {
      assert.equal(
        sent.items.filter(({ refusal }) => refusal !== null),
        [],
      );
      await checkItems(alone, sent, responses);
      return;
    }
    refused += 1;
    assert.is(await batched.store.dump(), before);
    const wrong = sent.items
      .map((item, index) => [item, responses[index]] as const)
      .filter(([, response]) => response !== null);
    assert.ok(wrong.length > 0);
    for (const [{ refusal }, response] of wrong)
      assert.ok(
        refusal === codeOf(response) || (refusal === null && INVALID.has(codeOf(response))),
        JSON.stringify(response),
      );
    assert.equal(
      sent.items.filter(({ refusal }, index) => KNOWN_BEFORE.has(refusal) && responses[index] === null),
      [],
    );
  });
  assert.ok(refused > BATCHES * 0.04);
});

test.run();
