import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSiteConfig } from '../../adapters/cli/site/site-config.ts';
import { runScenarios } from '../../adapters/cli/verify/run-scenarios.ts';
import type { Scenario } from '../../adapters/cli/verify/scenario.ts';
import { collectionsOf, type ContentDefinition, createContentModel } from '../../registry/index.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { openHttpSite } from '../support/http-site.ts';
import type { OpenStore } from '../support/store-factories.ts';
import { inFolder } from '../support/temporary.ts';
import { EXCEPTIONS } from './recorded-run.ts';
import { fixture, scenarios } from './recorded.ts';

/** A configuration of a site: everything that posts have, under another name. */
const CONFIG = {
  content: {
    types: [
      {
        name: 'note',
        base: 'notes',
        labels: { name: 'Notes', singular: 'Note' },
        supports: [
          'title',
          'editor',
          'author',
          'thumbnail',
          'excerpt',
          'trackbacks',
          'custom-fields',
          'comments',
          'revisions',
          'post-formats',
          'sticky',
        ],
        taxonomies: ['category', 'post_tag'],
        permalink: '/%postname%/',
      },
    ],
  },
};

/** Reads the content as `--config` does. */
const readConfigured = (): Promise<ContentDefinition> =>
  inFolder(async (folder) => {
    const file = join(folder, 'site.json');
    await writeFile(file, JSON.stringify(CONFIG));
    return (await readSiteConfig(file)).content as ContentDefinition;
  });

/** Names of posts, and those of the type. The order matters: longer names first. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\/cms\/v2\/posts/g, '/cms/v2/notes'],
  [/\/cms\/v2\/types\/post/g, '/cms/v2/types/note'],
  [/"post-revision"/g, '"note-revision"'],
  [/"type":"post"/g, '"type":"note"'],
  [/"\/type":"post"/g, '"/type":"note"'],
  [/"\/\*\/type":"post"/g, '"/*/type":"note"'],
  [/"\/schema\/title":"post"/g, '"/schema/title":"note"'],
  [/"title":"post"/g, '"title":"note"'],
  [/\{home\}\/\?p=/g, '{home}/?post_type=note&p='],
];

const rename = (scenario: Scenario): Scenario =>
  JSON.parse(
    NAMES.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(scenario)),
  ) as Scenario;

/** Areas about posts alone. The others are about the index, namespaces and oEmbed, which name posts in other ways. */
const isAboutPosts = ({ steps }: Scenario): boolean =>
  steps.every(({ path }) => path.startsWith('/cms/v2/posts'));

/** Runs the recorded cases of posts with a type of its own in their place. */
export function ownTypeSuite(name: string, open: OpenStore): void {
  const own = suite(`a type of ones own with the recorded cases of posts on ${name}`);
  own('passes all of them that posts pass', async () => {
    const content = await readConfigured();
    const { posts = [], ...others } = fixture;
    const renamed = {
      ...others,
      notes: posts,
      note_revisions: fixture.revisions ?? [],
      revisions: [],
      registered: content,
    } as unknown as Fixture;
    const { store, remove } = await open(collectionsOf(createContentModel(content)));
    const site = await openHttpSite(renamed, { store, content });
    try {
      const cases = scenarios
        .filter((each) => isAboutPosts(each) && !Object.hasOwn(EXCEPTIONS, each.id))
        .map(rename);
      assert.ok(cases.length > 500, `${cases.length} cases`);
      const failed = (await runScenarios(cases, site, site.reset)).filter(
        ({ differences }) => differences.length > 0,
      );
      assert.equal(
        failed.map(
          ({ id, step, differences }) => `${id}, step ${step}: ${JSON.stringify(differences).slice(0, 300)}`,
        ),
        [],
      );
    } finally {
      await site.close();
      await remove();
    }
  });
  own.run();
}
