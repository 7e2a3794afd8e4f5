import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openHttpSite } from '../support/http-site.ts';
import { runScenarios, type Outcome } from '../support/replay.ts';
import type { OpenedStore } from '../support/store-factories.ts';
import type { SiteOptions } from '../../registry/site/site-options.ts';
import { fixture, scenarios } from './recorded.ts';

const PATH_WINS = 'values of the path win over those of query and body, so that what is checked and what is changed are the same';

/** Cases in whose answer ours differs on purpose, in the order of the cases, and why ours is better. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'routing-041': PATH_WINS,
  'body-018': 'multipart bodies are refused (415): nothing is uploaded here, and a parser for them is one more way in',
  'list-page-038': 'an integer is written in digits: 1e1 is none',
  'list-filter-035': 'sticky=false counts together with include, as every other filter does',
  'list-coerce-025': 'author=-1 names nobody; author_exclude is the filter that excludes',
  'list-coerce-035': 'all values of a repeated name are the items of a list, as OpenAPI clients send it',
  'create-032': 'an id of 0 in a body is refused like any other id',
  'create-slug-015': 'slugs are unique, also those of drafts whose status was not named',
  'create-slug-020': 'a slug of digits stands alone: the addresses of this site hold no dates that it could be mistaken for',
  'create-slug-024': 'a post without a title is called "untitled" until it gets a slug; ids are no names',
  'create-date-037': 'a month and a day 0 are refused like any other impossible date',
  'delete-012': 'an empty slug has no address to make room in, and stays empty',
  'revisions-069': PATH_WINS,
  'revisions-076': 'a revision is deleted through its own post only, so that rights are checked on the right post',
  'batch-025': 'a list is no object: the body of an item is refused as the schema says',
  'batch-056': PATH_WINS,
  'routing-048': PATH_WINS,
  'routing-049': PATH_WINS,
  'list-filter-057': 'sticky posts come first only where they fit the filter',
  'list-filter-068': 'sticky posts come first only where they fit the filter',
};

const toText = ({ id, step, differences }: Outcome): string => `${id}, step ${step}: ${differences.map(({ path, expected, actual }) => `${path}: ${JSON.stringify(expected)} expected, got ${JSON.stringify(actual)}`).join('; ').slice(0, 400)}`;

/** How the cases are run. `runs`: one after the other on one server. */
export type RunOptions = { readonly runs: number } & Pick<SiteOptions, 'cache'>;

/** All recorded cases on a store: all pass but the exceptions, which all differ. */
export function recordedSuite(name: string, open: () => Promise<OpenedStore>, { runs, ...options }: RunOptions): void {
  const test = suite(`the recorded cases on ${name}`);
  test(`all pass but the exceptions, which all differ; ${runs} times on one server`, async () => {
    const { store, remove } = await open();
    const site = await openHttpSite(fixture, { store, ...options });
    try {
      for (let run = 1; run <= runs; run += 1) {
        const failed = (await runScenarios(scenarios, site, site.reset)).filter(({ differences }) => differences.length > 0);
        assert.equal(failed.filter(({ id }) => !(id in EXCEPTIONS)).map(toText), [], `run ${run}`);
        assert.equal(failed.map(({ id }) => id), Object.keys(EXCEPTIONS), `run ${run}: exceptions that differ no more`);
      }
    } finally {
      await site.close();
      await remove();
    }
  });
  test.run();
}
