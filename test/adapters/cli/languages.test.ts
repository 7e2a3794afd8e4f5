import { writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkLanguageChoice,
  readLanguageOptions,
  toSiteLanguages,
} from '../../../adapters/cli/site/languages.ts';
import { routebook, withServer } from '../../support/routebook.ts';
import { inFolder } from '../../support/temporary.ts';

const choice = suite('languages');

const NONE = { languages: undefined, prefixes: undefined, 'default-language': undefined };

const REFUSED: readonly (readonly [given: Partial<Record<keyof typeof NONE, string>>, says: RegExp])[] = [
  [
    { languages: 'en,,fr' },
    /languages of the command line is \["en","","fr"\]; it must be a list of different language codes/,
  ],
  [{ languages: 'en,en' }, /languages of the command line/],
  [{ languages: '../x' }, /languages of the command line/],
  [{ prefixes: 'en' }, /languages of the command line is missing/],
  [
    { languages: 'en,fr', prefixes: 'de' },
    /prefixes of the command line names "de", which is not one of the languages en, fr/,
  ],
  [
    { languages: 'en,fr', 'default-language': 'de' },
    /the default language "de" of the command line must be one of the prefixes en, fr/,
  ],
];

for (const [given, says] of REFUSED)
  choice(`${JSON.stringify(given)} is refused`, () =>
    assert.throws(() => readLanguageOptions({ ...NONE, ...given }), says),
  );

choice('the default language is the first prefix', () => {
  assert.equal(toSiteLanguages({ languages: ['en', 'fr', 'de'], defaultLanguage: 'de' }), {
    languages: ['en', 'fr', 'de'],
    prefixes: ['de', 'en', 'fr'],
  });
  assert.equal(toSiteLanguages({}, { languages: ['en', 'fr', 'de'], prefixes: ['fr', 'en'] }), {
    languages: ['en', 'fr', 'de'],
    prefixes: ['fr', 'en'],
  });
  assert.equal(toSiteLanguages({}, {}), { languages: ['nl', 'en', 'fr'] });
  assert.throws(
    () => checkLanguageChoice({ languages: 'en' as unknown as readonly string[] }, 'the document'),
    /languages of the document/,
  );
});

choice.run();

const served = suite('routebook serve --languages');

const FIXTURE = {
  site: { name: 'Three', ml_language: 'en' },
  posts: ['en', 'fr', 'de'].map((language, index) => ({
    id: index + 1,
    ml_language: language,
    group: 1,
    status: 'publish',
    slug: `post-${language}`,
    title: language,
    date: '2025-01-01T00:00:00',
  })),
};

interface Shown {
  readonly link: string;
  readonly ml_language: string;
}

served('serves each language below its prefix, and pages of a language without one', () =>
  inFolder(async (folder) => {
    await writeFile(`${folder}/site.json`, JSON.stringify(FIXTURE));
    const args = [
      'serve',
      '--store',
      'memory',
      '--port',
      '0',
      '--fixtures',
      `${folder}/site.json`,
      '--languages',
      'en,fr,de',
      '--prefixes',
      'en,fr',
      '--default-language',
      'fr',
    ];
    await withServer(args, async (origin) => {
      const shown = await Promise.all(
        [1, 2, 3].map(
          async (id) => (await (await fetch(`${origin}/en/cms-json/cms/v2/posts/${id}`)).json()) as Shown,
        ),
      );
      assert.equal(
        shown.map(({ ml_language: language }) => language),
        ['en', 'fr', 'de'],
      );
      for (const { link } of shown) assert.is((await fetch(link)).status, 200, link);
      const bare = (await (await fetch(`${origin}/cms-json/cms/v2/posts`)).json()) as readonly Shown[];
      assert.equal(
        bare.map(({ ml_language: language }) => language),
        ['fr'],
      );
    });
  }),
);

served('refuses content in a language that was taken away, by name', () =>
  inFolder(async (folder) => {
    await writeFile(`${folder}/site.json`, JSON.stringify(FIXTURE));
    const serve = [
      'serve',
      '--store',
      `file:${folder}/data`,
      '--port',
      '0',
      '--fixtures',
      `${folder}/site.json`,
    ];
    const unknown = await routebook([...serve, '--languages', 'en,fr']);
    assert.equal([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /posts\[2\]\.ml_language: "de" is not one of the site's languages en, fr/);
    await withServer([...serve, '--languages', 'en,fr,de'], async () => undefined);
    const taken = await routebook([
      'serve',
      '--store',
      `file:${folder}/data`,
      '--port',
      '0',
      '--languages',
      'en,fr',
    ]);
    assert.is(taken.code, 1);
    assert.match(
      taken.stderr,
      /The store holds posts in the language "de" \(id 3\), which is not one of en, fr\. Add it to --languages/,
    );
    const forgotten = await routebook(['serve', '--store', `file:${folder}/data`, '--port', '0']);
    assert.is(forgotten.code, 1);
    assert.match(forgotten.stderr, /"de" \(id 3\), which is not one of nl, en, fr\. Add it to --languages/);
  }),
);

served('begins an empty site where the demo does not fit, and reports its health', async () => {
  await withServer(
    ['serve', '--store', 'memory', '--port', '0', '--languages', 'de,it', '--access-log', 'json'],
    async (origin) => {
      assert.equal(await (await fetch(`${origin}/de/cms-json/cms/v2/posts`)).json(), []);
      const health = await fetch(`${origin}/healthz`);
      assert.equal(
        [health.status, await health.text(), health.headers.get('Cache-Control')],
        [200, '{"status":"ok"}', 'no-store'],
      );
      assert.is((await fetch(`${origin}/healthz`, { method: 'POST' })).status, 404);
    },
  );
});

served.run();
