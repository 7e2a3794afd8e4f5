import { Ajv } from 'ajv';
import { suite } from 'uvu';
// Runs alone: it counts what its process compiles.
// A thousand types are registered at the cost of few. Cost is counted, or compared with other work of the same process.
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { createRequest } from '../../../../lib/index.ts';
import { toShapedRoutes } from '../../../../registry/core/post-views/describe-kind.ts';
import { createPostChecks } from '../../../../registry/core/records/kind.ts';
import { createKinds, type PostKind } from '../../../../registry/core/records/kind.ts';
import {
  collectionsOf,
  createContentModel,
  createSite,
  defineContentType,
  type ContentDefinition,
  type Site,
} from '../../../../registry/index.ts';
import { SITE_URL } from '../../../support/whole-site.ts';

const MANY = 1000;

/** Most times that registration may take as long as parsing the index. It took 31 times as long when the schemas of every type were checked and compiled anew, and takes 6 to 16 times. */
const MOST_PARSES = 24;
/** The index is larger than the usual limit of responses. */
const INDEX_BYTES = 2 ** 26;

const createTypes = (count: number): ContentDefinition => ({
  types: Array.from({ length: count }, (_each, number) =>
    defineContentType({
      name: `book${number}`,
      base: `books${number}`,
      supports: ['title', 'editor', 'excerpt', 'author', 'thumbnail', 'revisions', 'page-attributes'],
      taxonomies: ['category'],
      meta: { [`isbn${number}`]: { type: 'string', maxLength: 13 } },
    }),
  ),
});

/** Opens a site, and tells how long the processor took, in microseconds, and how many schemas were compiled. */
async function openSite(
  count: number,
): Promise<{ readonly site: Site; readonly cpu: number; readonly compiled: number }> {
  const content = createTypes(count);
  const store = createMemoryStore(collectionsOf(createContentModel(content)));
  const { compile } = Ajv.prototype;
  let compiled = 0;
  Ajv.prototype.compile = function count(this: Ajv, ...args: Parameters<Ajv['compile']>) {
    compiled += 1;
    return Reflect.apply(compile, this, args) as ReturnType<Ajv['compile']>;
  } as Ajv['compile'];
  try {
    const before = process.cpuUsage();
    const site = await createSite({ store, content, answerLimit: INDEX_BYTES, log: () => undefined });
    const { user, system } = process.cpuUsage(before);
    return { site, cpu: user + system, compiled };
  } finally {
    Ajv.prototype.compile = compile;
  }
}

const many = suite('a site with a thousand types');

many('compiles no more schemas for fifty types than for one, although each has meta of its own', async () => {
  const counts: number[] = [];
  // The first site compiles what the process does not have yet, so that the others are compared with each other.
  for (const count of [1, 2, 50]) {
    const { site, compiled } = await openSite(count);
    counts.push(compiled);
    await site.close();
  }
  assert.ok(Number(counts[0]) > 10, 'schemas with a default are compiled');
  // A second type adds its own schema of meta, and so does each of the others, but none of them is compiled before a value comes.
  assert.equal(counts.slice(1), [0, 0]);
});

many('is registered in a small multiple of the time in which its index is parsed', async () => {
  const { site, cpu } = await openSite(MANY);
  const index = Buffer.from(
    (await site.engine.serve(createRequest('/cms/v2', { siteUrl: SITE_URL }))).body ?? '',
  ).toString('utf8');
  const before = process.cpuUsage();
  assert.ok(Object.keys((JSON.parse(index) as { routes: object }).routes).length > MANY * 5);
  const { user, system } = process.cpuUsage(before);
  await site.close();
  assert.ok(
    cpu < MOST_PARSES * (user + system),
    `${cpu} µs, against ${user + system} µs for ${index.length} bytes`,
  );
});

many('shares what types of one shape and with the same rights have', () => {
  const supports = ['title', 'editor'] as const;
  const types = [
    ...['first', 'second'].map((name) => ({ name, base: name, supports })),
    { name: 'third', base: 'third', supports, capabilities: 'page' },
  ];
  const kinds = createKinds(createContentModel({ types }));
  const [first, second, third] = ['first', 'second', 'third'].map((name) => kinds.get(name) as PostKind) as [
    PostKind,
    PostKind,
    PostKind,
  ];
  assert.is(toShapedRoutes(first, true), toShapedRoutes(second, true));
  const checkOf = (kind: PostKind): unknown => createPostChecks(kind)['status-filter'];
  assert.is(checkOf(first), checkOf(second));
  assert.is.not(checkOf(first), checkOf(third));
});

many('refuses a mistake in the meta of the last one', () => {
  const { types = [] } = createTypes(MANY);
  const wrong = {
    name: 'wrong',
    base: 'wrongs',
    meta: { code: { type: 'string', pattern: '(a+)+' } },
  } as const;
  assert.throws(
    () => createContentModel({ types: [...types, wrong] }),
    (error: Error) => error instanceof TypeError && error.message.includes(`types[${MANY}].meta.code`),
  );
});

many.run();
