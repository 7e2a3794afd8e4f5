import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toGraph } from '../../../../../registry/plugins/seo/head/graph.ts';
import { toTexts } from '../../../../../registry/plugins/seo/head/texts.ts';
import type { HeadFacts } from '../../../../../registry/plugins/seo/values/head-facts.ts';
import { PROJECT } from '../../../../support/sources.ts';
import { inFolder } from '../../../../support/temporary.ts';
import { ARTICLE, AUTHOR, factsOf } from '../values/facts.ts';

const { site } = factsOf();
const owned = (type: 'Organization' | 'Person'): HeadFacts['site'] => ({
  ...site,
  owner: {
    ...site.owner,
    type,
    name: 'Ada',
    description: 'A person',
    logo: 'https://example.org/a.png',
    sameAs: ['https://b.example/'],
  },
});
const IMAGE = { url: 'https://example.org/b.png', width: 10, height: 20, type: 'image/png', caption: 'B' };

/** One graph for each kind of page, and all of their nodes. */
const GRAPHS: Readonly<Record<string, HeadFacts>> = {
  article: factsOf({
    images: [IMAGE],
    article: { ...ARTICLE, comments: true, keywords: ['red'] },
    site: owned('Organization'),
  }),
  person: factsOf({ site: owned('Person') }),
  protected: factsOf({ isProtected: true }),
  front: factsOf({ kind: 'front', article: null }),
  archive: factsOf({ kind: 'archive', article: null }),
  author: factsOf({
    kind: 'author',
    article: null,
    person: { ...AUTHOR, description: 'Ann', sameAs: ['https://ann.example/'] },
  }),
  search: factsOf({ kind: 'search', article: null }),
};

/** Search engines document two things that schema.org does not have: sizes of images as numbers, and `query-input` of a search. */
const toSchema = (graph: unknown): unknown =>
  JSON.parse(JSON.stringify(graph), (name, value: unknown) => {
    if (name === 'query-input') return undefined;
    return (name === 'width' || name === 'height') && typeof value === 'number'
      ? { '@type': 'QuantitativeValue', value }
      : value;
  });

/** What the compiler says of a program with these values as graphs of schema-dts. */
function compile(graphs: readonly (readonly [name: string, graph: unknown])[]): Promise<string> {
  const types = createRequire(import.meta.url)
    .resolve('schema-dts')
    .replace(/\.js$/, '');
  return inFolder(async (folder) => {
    const lines = graphs.map(
      ([name, graph]) => `export const ${name}: Graph = ${JSON.stringify(graph, null, 1)};`,
    );
    writeFileSync(
      join(folder, 'graphs.ts'),
      [`import type { Graph } from ${JSON.stringify(types)};`, ...lines].join('\n'),
    );
    const tsc = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [
      tsc,
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      join(folder, 'graphs.ts'),
    ];
    return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 120_000 }).stdout;
  });
}

const types = suite('structured data in the eyes of schema-dts');
types('has only types and members of schema.org', async () => {
  assert.is(
    await compile(
      Object.entries(GRAPHS).map(
        ([name, facts]) =>
          [name.replace('protected', 'closed'), toSchema(toGraph(facts, toTexts(facts)))] as const,
      ),
    ),
    '',
  );
});
types('is refused with a member that its type does not have', async () => {
  assert.match(
    await compile([
      [
        'wrong',
        {
          '@context': 'https://schema.org',
          '@graph': [{ '@type': 'Person', logo: { '@type': 'ImageObject' } }],
        },
      ],
    ]),
    /logo/,
  );
});
types.run();
