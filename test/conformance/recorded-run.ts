import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Outcome, runScenarios } from '../../adapters/cli/verify/run-scenarios.ts';
import type { SiteOptions } from '../../registry/site-options.ts';
import { openHttpSite } from '../support/http-site.ts';
import type { OpenedStore } from '../support/store-factories.ts';
import { fixture, scenarios } from './recorded.ts';

const PATH_WINS =
  'values of the path take precedence over those of query and body, so that the checked record is the changed one';

/** Cases in which our response differs on purpose, in the order of the cases, with the reason. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'routing-041': PATH_WINS,
  'body-018':
    'multipart bodies are rejected (415): there are no uploads, and a parser would add an attack surface',
  'list-page-038': 'an integer must be written in digits, and 1e1 is not',
  'list-filter-035': 'sticky=false is combined with include, like every other filter',
  'list-coerce-025': 'author=-1 does not match any author; author_exclude is the filter that excludes',
  'list-coerce-035': 'the values of a repeated name form a list, as OpenAPI clients send it',
  'create-032': 'an id of 0 in a body is rejected like any other id',
  'create-slug-015': 'slugs are unique, including those of drafts created without a status',
  'create-slug-020': 'a slug of digits gets no suffix, because the URLs of this site do not contain dates',
  'create-slug-024': 'a post without a title is called "untitled" until it gets a slug; an id is not a name',
  'create-date-037': 'a month and a day 0 are rejected like any other impossible date',
  'delete-012': 'an empty slug does not block a URL, and stays empty',
  'revisions-069': PATH_WINS,
  'revisions-076':
    'a revision is deleted through its own post only, so that permissions are checked on the right post',
  'batch-025': 'a list is not an object: the body of an item is rejected, as the schema requires',
  'batch-056': PATH_WINS,
  'routing-048': PATH_WINS,
  'routing-049': PATH_WINS,
  'list-filter-057': 'sticky posts come first only if they match the filter',
  'list-filter-068': 'sticky posts come first only if they match the filter',
};

const toText = ({ id, step, differences }: Outcome): string =>
  `${id}, step ${step}: ${differences
    .map(
      ({ path, expected, actual }) =>
        `${path}: ${JSON.stringify(expected)} expected, got ${JSON.stringify(actual)}`,
    )
    .join('; ')
    .slice(0, 400)}`;

/** How the cases are run. `runs`: number of runs, one after the other on the same server. */
export type RunOptions = { readonly runs: number } & Pick<SiteOptions, 'cache'>;

/** Runs all recorded cases on a store. Every case must pass except the exceptions, which must all differ. */
export function recordedSuite(
  name: string,
  open: () => Promise<OpenedStore>,
  { runs, ...options }: RunOptions,
): void {
  const test = suite(`the recorded cases on ${name}`);
  test(`all pass but the exceptions, which all differ; ${runs} times on one server`, async () => {
    const { store, remove } = await open();
    const site = await openHttpSite(fixture, { store, checkAnswers: true, ...options });
    try {
      for (let run = 1; run <= runs; run += 1) {
        const failed = (await runScenarios(scenarios, site, site.reset)).filter(
          ({ differences }) => differences.length > 0,
        );
        assert.equal(failed.filter(({ id }) => !(id in EXCEPTIONS)).map(toText), [], `run ${run}`);
        assert.equal(
          failed.map(({ id }) => id),
          Object.keys(EXCEPTIONS),
          `run ${run}: exceptions that no longer differ`,
        );
      }
    } finally {
      await site.close();
      await remove();
    }
  });
  test.run();
}
