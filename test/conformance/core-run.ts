import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Outcome, runScenarios } from '../../adapters/cli/verify/run-scenarios.ts';
import type { Scenario } from '../../adapters/cli/verify/scenario.ts';
import { createMediaFiles } from '../../adapters/media-files.ts';
import { createPictures } from '../../adapters/pictures.ts';
import { collectionsOf, createContentModel, joinContent } from '../../registry/index.ts';
import type { SiteOptions } from '../../registry/site-options.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { type HttpSite, openHttpSite } from '../support/http-site.ts';
import type { OpenStore } from '../support/store-factories.ts';
import { CORE_AREAS } from './core-areas.ts';

/** The tests run from `dist/`; the recorded files are not copied there. */
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../test/conformance/core/${name}`, import.meta.url), 'utf8'));

/** Content of the recorded site with its types, taxonomies and meta keys. */
export const coreFixture = read('fixture-core.json') as Fixture;

/** What the recorded site serves. */
export const coreContent = joinContent('core', coreFixture.registered ?? {});

/** The recorded cases of the core controllers. Some of those with pictures edit one of the recorded site. */
export const coreScenarios = ['given.json', 'binary-given.json', 'visitors-given.json'].flatMap(
  (name) => (read(name) as { readonly scenarios: readonly Scenario[] }).scenarios,
);

/** The picture of the recorded site that is edited: of this size, in another colour. */
const LANDSCAPE = { path: '2023/12/landscape.jpg', width: 1600, height: 1200 } as const;

let landscape: Buffer | null = null;

/** Empties the media library but for the picture of the recorded site. */
async function resetUploads(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const { path, ...size } = LANDSCAPE;
  landscape ??= await sharp({ create: { ...size, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer();
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), landscape);
}

const toText = ({ id, step, differences }: Outcome): string =>
  `${id}, step ${step}: ${differences
    .map(
      ({ path, expected, actual }) =>
        `${path}: ${JSON.stringify(expected)} expected, got ${JSON.stringify(actual)}`,
    )
    .join('; ')
    .slice(0, 400)}`;

/** Areas that are recorded on a site with other options. */
const AREA_OPTIONS: Readonly<Record<string, Partial<SiteOptions>>> = {
  visitors: { config: { cms: { visitorComments: true } } },
};

/** Serves the recorded site of an area while the function runs. */
export async function withCoreSite(
  {
    area,
    open,
    options = {},
  }: { readonly area: string; readonly open: OpenStore; readonly options?: Partial<SiteOptions> },
  use: (site: HttpSite) => Promise<void>,
): Promise<void> {
  const { store, remove } = await open(collectionsOf(createContentModel(coreContent)));
  const uploads = await mkdtemp(join(tmpdir(), 'core-uploads-'));
  const site = await openHttpSite(coreFixture, {
    store,
    checkAnswers: true,
    content: coreContent,
    media: createMediaFiles(uploads, { writable: true }),
    pictures: createPictures(),
    ...AREA_OPTIONS[area],
    ...options,
  });
  const reset = async (): Promise<void> => {
    await Promise.all([site.reset(), area === 'media' || area === 'binary' ? resetUploads(uploads) : null]);
  };
  try {
    await use({ ...site, reset });
  } finally {
    await site.close();
    await remove();
    await rm(uploads, { recursive: true, force: true });
  }
}

/** Runs the recorded cases of the finished areas on a store. Every case must pass except the exceptions, which must all differ. */
export function coreSuite(name: string, open: OpenStore, options: Pick<SiteOptions, 'cache'> = {}): void {
  const test = suite(`the recorded core cases on ${name}`);
  for (const [area, exceptions] of Object.entries(CORE_AREAS)) {
    test(`${area}: all pass but the exceptions, which all differ`, () =>
      withCoreSite({ area, open, options }, async (site) => {
        const scenarios = coreScenarios.filter((scenario) => scenario.area === area);
        assert.ok(scenarios.length > 0, 'no such area');
        const failed = (await runScenarios(scenarios, site, site.reset)).filter(
          ({ differences }) => differences.length > 0,
        );
        assert.equal(failed.filter(({ id }) => !Object.hasOwn(exceptions, id)).map(toText), []);
        assert.equal(
          failed.map(({ id }) => id),
          Object.keys(exceptions),
          'exceptions that no longer differ',
        );
      }));
  }
  test('the content of the site is loaded', async () => {
    const { store, remove } = await open(collectionsOf(createContentModel(coreContent)));
    const site = await openHttpSite(coreFixture, { store, content: coreContent });
    try {
      for (const [type, count] of [
        ['post', 46],
        ['page', 13],
        ['book', 8],
      ] as const) {
        const { total } = await store.find({
          collection: 'posts',
          where: { op: 'eq', field: 'type', value: type },
          limit: 1,
          total: true,
        });
        assert.is(total, count, type);
      }
    } finally {
      await site.close();
      await remove();
    }
  });
  test.run();
}
