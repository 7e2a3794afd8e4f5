import { readFileSync, writeFileSync } from 'node:fs';
import { runScenarios } from '../../adapters/cli/verify/run-scenarios.ts';
import { mutates, type Scenario } from '../../adapters/cli/verify/scenario.ts';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { collectionsOf, type ContentOption, createContentModel } from '../../registry/index.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { fixture, scenarios } from '../conformance/recorded.ts';
import { openHttpSite } from '../support/http-site.ts';
import { PROJECT } from '../support/sources.ts';

// Writes conformance/cases.json, the recorded cases that hold whatever content a site has: `npm run build && node dist/test/scripts/verify-cases.js`.
const demo = JSON.parse(readFileSync(`${PROJECT}examples/demo-site.json`, 'utf8')) as Fixture;
/** What sites declare changes the arguments and fields of posts. */
const DECLARED: ContentOption = {
  core: true,
  seo: true,
  types: [
    { name: 'book', base: 'books', taxonomies: ['genre'], meta: { isbn: { type: 'string', indexed: true } } },
  ],
  taxonomies: [{ name: 'genre', base: 'genres', types: ['post'] }],
  meta: [
    { of: 'post', key: 'subtitle', type: 'string' },
    { of: 'user', key: 'motto', type: 'string' },
  ],
};
const SITES: readonly (readonly [Fixture, ContentOption])[] = [
  [{ site: {} }, 'seed'],
  [{ site: {} }, 'core'],
  [demo, 'core'],
  [demo, DECLARED],
  [fixture, 'seed'],
];

async function findPassing(
  cases: readonly Scenario[],
  [content, option]: readonly [Fixture, ContentOption],
): Promise<readonly Scenario[]> {
  const store = createMemoryStore(collectionsOf(createContentModel(option)));
  const site = await openHttpSite(content, { store, content: option, jsonp: false });
  try {
    const outcomes = await runScenarios(cases, site, () => Promise.resolve());
    return cases.filter((_, index) => outcomes[index]?.differences.length === 0);
  } finally {
    await site.close();
  }
}

/** Areas whose answers describe the interface itself. */
const DESCRIBING: ReadonlySet<string> = new Set(['index', 'namespace', 'options']);

/** Whether the case does not depend on a record that a site may have: it reads a description, or is refused for what it asks. */
function isGeneral({ area, steps }: Scenario): boolean {
  return steps.every(
    ({ path, query = '', expect }) =>
      (DESCRIBING.has(area) || expect.status >= 400) && !/\/\d+/.test(path) && !query.includes('url='),
  );
}

let cases: readonly Scenario[] = scenarios.filter(
  (each) =>
    !mutates(each) &&
    each.quirk === undefined &&
    each.steps.every(({ as }) => as === null) &&
    isGeneral(each),
);
for (const site of SITES) cases = await findPassing(cases, site);
writeFileSync(
  `${PROJECT}conformance/cases.json`,
  `{"scenarios": [\n${cases.map((each) => JSON.stringify(each)).join(',\n')}\n]}\n`,
);
console.log(`${cases.length} of ${scenarios.length} cases`);
