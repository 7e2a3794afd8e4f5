import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withDeadline } from '../../../adapters/outbound/deadline.ts';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { OutboundRefused, type Outbound, type OutboundAnswer, type OutboundRequest } from '../../../lib/ports/outbound.ts';
import { collectionsOf, createContentModel } from '../../../registry/index.ts';
import { WORDPRESS_NAMES } from '../../../registry/names.ts';
import { importItems, loadReadContext, openRest, type ImportReport } from '../../../registry/transfer/index.ts';
import { eq, not } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { coreContent, coreFixture } from '../../conformance/core-run.ts';
import { openHttpSite } from '../../support/http-site.ts';

const content = createContentModel(coreContent);
const collections = collectionsOf(content);

/** What a test makes of an answer. */
type Fault = (answer: OutboundAnswer, request: OutboundRequest) => OutboundAnswer | Promise<OutboundAnswer>;

interface Old {
  /** Reads the old site into a store. */
  read(store: Store, options?: { readonly fault?: Fault; readonly login?: string | null; readonly signal?: AbortSignal; readonly retryMs?: readonly number[] }): Promise<ImportReport>;
}

/** Runs a function with the recorded site, served with the names of WordPress. */
async function withOldSite(use: (old: Old) => Promise<void>): Promise<void> {
  const site = await openHttpSite(coreFixture, { store: createMemoryStore(collections), content: coreContent, names: WORDPRESS_NAMES });
  const send: Outbound = async ({ url, authorization }) => {
    const answer = await fetch(url, { headers: authorization === undefined ? {} : { authorization } });
    return { status: answer.status, url, headers: Object.fromEntries(answer.headers), body: new Uint8Array(await answer.arrayBuffer()) };
  };
  try {
    await use({
      async read(store, { fault = (answer: OutboundAnswer) => answer, login = 'admin:adminpass', signal, retryMs = [1, 1] } = {}) {
        const outbound: Outbound = (request) => withDeadline(60_000, request.signal, async () => fault(await send(request), request));
        const authorization = login === null ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
        const context = await loadReadContext(store, { content, languages: ['nl', 'en', 'fr'] });
        const { total: _total, done: _done, ...source } = await openRest({ url: `${site.origin}/en/wp-json`, outbound, authorization, retryMs, signal }, context);
        return importItems({ ...source, name: 'old' }, { store, collections, content, signal });
      },
    });
  } finally {
    await site.close();
  }
}

const openStore = (): Store => createMemoryStore(collections);
const countOf = async (store: Store, collection: string): Promise<number> => (await store.find({ collection, limit: 1, total: true })).total ?? 0;
const isPage = ({ url }: OutboundRequest): boolean => /\/wp\/v2\/posts\?per_page=100/.test(url);
const text = (answer: OutboundAnswer, status: number, body: string): OutboundAnswer => ({ ...answer, status, body: Buffer.from(body) });

const COMPLETE = { options: 2, users: 7, terms: 16, media: 7, posts: 67, post_history: 67, comments: 12 };

const live = suite('openRest');

live('reads a site with its drafts, and does nothing the second time', () => withOldSite(async ({ read }) => {
  const store = openStore();
  const first = await read(store);
  assert.equal([first.complete, first.created, first.leftOut], [true, COMPLETE, []]);
  const { records: [post] } = await store.find({ collection: 'posts', where: { op: 'eq', field: 'id', value: 126 } });
  assert.equal([post?.['password'], post?.['status'], post?.['language']], ['sesame', 'publish', 'en']);
  assert.is((await store.find({ collection: 'posts', where: { op: 'eq', field: 'status', value: 'draft' } })).records.length > 2, true);
  const second = await read(store);
  assert.equal([second.created, second.unchanged, second.leftOut], [{}, COMPLETE, []]);
}));

live('reads as an anonymous caller what is published', () => withOldSite(async ({ read }) => {
  const store = openStore();
  const { created, leftOut } = await read(store, { login: null });
  assert.is((await store.find({ collection: 'posts', where: not(eq('status', 'publish')), limit: 1, total: true })).total, 0);
  assert.ok((created['posts'] ?? 0) > 40, JSON.stringify(created));
  assert.ok(leftOut.some(({ reason }) => reason === 'it is protected by a password; give --user and --password of an editor'));
}));

live('sends a request again that failed for the moment', () => withOldSite(async ({ read }) => {
  const failed = new Set<string>();
  const { created, leftOut } = await read(openStore(), {
    fault(answer, { url }) {
      if (failed.has(url) || url.endsWith('/wp-json/')) return answer;
      failed.add(url);
      if (failed.size % 2 === 0) throw new OutboundRefused(new Error('connection reset'));
      return text(answer, 503, '');
    },
  });
  assert.equal([created, leftOut], [COMPLETE, []]);
}));

const FAULTS: readonly (readonly [name: string, Fault, reason: RegExp])[] = [
  ['500', (answer) => text(answer, 500, '{"message": "There has been a critical error"}'), /^the site answers 500: There has been a critical error\. Run the import again/],
  ['no JSON', (answer) => text(answer, 200, '<p>maintenance</p>'), /^the site sends something else than JSON/],
  ['an object', (answer) => text(answer, 200, '{"0": {}}'), /^the answer is not a list/],
];

for (const [name, break_, reason] of FAULTS) {
  live(`leaves out a page with ${name}, and a further import reads it`, () => withOldSite(async ({ read }) => {
    const store = openStore();
    const first = await read(store, { fault: (answer, request) => (isPage(request) ? break_(answer, request) : answer) });
    assert.ok(first.complete);
    assert.is(first.created['posts'], 21);
    assert.equal(first.leftOut.filter(({ what }) => what.endsWith('of post')).map(({ what }) => what), ['46 records of post']);
    assert.match(first.leftOut.find(({ what }) => what === '46 records of post')?.reason ?? '', reason);
    await read(store);
    assert.equal([await countOf(store, 'posts'), await countOf(store, 'comments'), await countOf(store, 'post_history')], [67, 12, 67]);
  }));
}

live('ends when the site is gone, keeps what it has, and continues', () => withOldSite(async ({ read }) => {
  const store = openStore();
  const gone: Fault = (answer, { url }) => {
    if (/\/wp\/v2\/pages\?per_page=100/.test(url)) throw new OutboundRefused(new Error('connect ECONNREFUSED'));
    return answer;
  };
  const error = await read(store, { fault: gone }).then(() => null, (reason: unknown) => reason as Error);
  assert.match(error?.message ?? '', /\/wp\/v2\/pages\?per_page=100.* cannot be read: connect ECONNREFUSED$/);
  await read(store);
  assert.equal([await countOf(store, 'posts'), await countOf(store, 'comments')], [67, 12]);
}));

live('stops at a signal, and continues', () => withOldSite(async ({ read }) => {
  const store = openStore();
  const stop = new AbortController();
  const first = await read(store, { signal: stop.signal, fault: (answer, request) => { if (isPage(request)) stop.abort(); return answer; } });
  assert.is(first.complete, false);
  const second = await read(store);
  assert.ok(second.complete);
  assert.is(await countOf(store, 'posts'), 67);
}));

live('reports records that the site counts and does not send', () => withOldSite(async ({ read }) => {
  const { leftOut } = await read(openStore(), { fault(answer, { url }) {
    if (!url.includes('/books?')) return answer;
    return url.includes('&page=1&') || url.includes('per_page=1&') ? { ...answer, headers: { ...answer.headers, 'x-wp-total': '250' } } : text(answer, 200, '[]');
  } });
  assert.equal(leftOut.map(({ what, reason }) => `${what}: ${reason}`).filter((each) => each.includes('counts')), ['242 records of book: the site counts 250 and sent 8; it may have changed meanwhile']);
}));

live('reports a record once, on the page that failed or in the rest that is missing', () => withOldSite(async ({ read }) => {
  const { leftOut } = await read(openStore(), { fault(answer, { url }) {
    if (!url.includes('/books?')) return answer;
    if (url.includes('&page=2&')) return text(answer, 200, '[]');
    return url.includes('&page=3&') ? text(answer, 500, '') : { ...answer, headers: { ...answer.headers, 'x-wp-total': '250' } };
  } });
  assert.equal(leftOut.filter(({ what }) => what.endsWith('of book')).map(({ what, reason }) => `${what}: ${reason}`), [
    '50 records of book: the site answers 500. Run the import again to read them',
    '192 records of book: the site counts 250 and sent 8, and 50 are on pages that could not be read; it may have changed meanwhile',
  ]);
}));

for (const [name, wait] of [
  ['a request', (): Promise<OutboundAnswer> => new Promise(() => undefined)], ['a waiting time', (answer: OutboundAnswer): OutboundAnswer => text(answer, 503, '')],
] as const) {
  live(`ends ${name} at a signal, and continues`, () => withOldSite(async ({ read }) => {
    const store = openStore();
    const stop = new AbortController();
    const began = performance.now();
    const first = await read(store, { signal: stop.signal, retryMs: [60_000], fault(answer, request) {
      if (!isPage(request)) return answer;
      setTimeout(() => stop.abort(), 10);
      return wait(answer);
    } });
    assert.ok(performance.now() - began < 30_000);
    assert.equal([first.complete, first.created['media'], first.leftOut], [false, 7, []]);
    assert.ok((await read(store)).complete);
    assert.is(await countOf(store, 'posts'), 67);
  }));
}

live('refuses an address without such an interface, and a wrong login', () => withOldSite(async ({ read }) => {
  const refused = (options: Parameters<Old['read']>[1]): Promise<string> => read(openStore(), options).then(() => '', (error: unknown) => (error as Error).message);
  assert.match(await refused({ fault: (answer) => text(answer, 200, '{"namespaces": ["shop/v1"]}') }), /is not the index of a REST interface of WordPress\. Give its address/);
  assert.match(await refused({ fault: (answer) => text(answer, 200, '<html>') }), /wp-json: the site sends something else than JSON/);
  assert.match(await refused({ login: 'admin:nope' }), /wp-json: the site answers 401/);
}));

live.run();
