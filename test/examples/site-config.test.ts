import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readNames } from '../../adapters/cli/site/read-names.ts';
import { readSiteConfig } from '../../adapters/cli/site/site-config.ts';
import { CONNECTED_SERVICES, NEUTRAL_NAMES, seedPlugins, WORDPRESS_NAMES } from '../../registry/index.ts';
import { routebook, serveHere } from '../support/routebook.ts';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';

/** Runs in a folder with a function that writes a document into it. */
function withWriter(
  use: (folder: string, write: (document: unknown) => string) => Promise<void>,
): Promise<void> {
  return inFolder((folder) =>
    use(folder, (document) => {
      const file = join(folder, 'site.json');
      writeFileSync(file, JSON.stringify(document));
      return file;
    }),
  );
}

/** What the TypeError says of the file, without its name. */
async function refusalOf(file: string, reading: Promise<unknown>): Promise<string> {
  const outcome: unknown = await reading.catch((error: unknown) => error);
  assert.instance(outcome, TypeError);
  const { message } = outcome as TypeError;
  assert.ok(message.startsWith(`${file}: `), message);
  return message.slice(file.length + 2);
}

const ORIGIN = 'https://a.example';

const config = suite('readSiteConfig');

const WRONG_CONFIGS: readonly (readonly [document: unknown, refusal: string])[] = [
  [null, 'the document: must be an object'],
  [[], 'the document: must be an object'],
  [
    { namespace: {} },
    'the document: unknown member "namespace"; known are plugins, namespaces, services, directories, content, permalinks, languages, prefixes, defaultLanguage, cache, changeLog',
  ],
  [{ namespaces: [] }, 'namespaces: [] is not an object'],
  [
    { namespaces: { soe: {} } },
    'namespaces.soe: unknown member; the members are cms, oembed, ml, secscan, seo, builder, photofeed, pkg. Did you mean "seo"?',
  ],
  [{ namespaces: { seo: { mediaHosts: 'x' } } }, 'namespaces.seo.mediaHosts: "x" is not a list'],
  [
    { namespaces: { photofeed: { provider: {} } } },
    'namespaces.photofeed.provider.list is missing; it must be a function',
  ],
  [{ services: [] }, 'services: must be an object'],
  [
    { services: { kwtol: { origin: ORIGIN } } },
    'services: unknown member "kwtol"; known are kwtool, ranktracker, ate, ams, tp, photofeed, pkg, deepl, libretranslate',
  ],
  [{ services: { kwtool: ORIGIN } }, `services.kwtool: "${ORIGIN}" is not an object`],
  [
    { services: { kwtool: { orgin: ORIGIN } } },
    'services.kwtool.orgin: unknown member; the members are origin, headers',
  ],
  [
    { services: { kwtool: {} } },
    'services.kwtool.origin is missing; it must be an http or https URL without a user name, query or fragment',
  ],
  [
    { services: { kwtool: { origin: ORIGIN, headers: ['hushed'] } } },
    'services.kwtool.headers: the value is not an object',
  ],
  [
    { services: { kwtool: { origin: ORIGIN, headers: { Authorization: 'hushed\n' } } } },
    'services.kwtool.headers.Authorization: the value is not one line of text in Latin-1',
  ],
  [
    { services: { kwtool: { origin: ORIGIN, headers: { 'a b': 'x' } } } },
    'services.kwtool.headers.a b: the name is not a header name',
  ],
  [{ directories: 'x' }, 'directories: must be an object'],
  [
    { directories: { meida: 'x' } },
    'directories: unknown member "meida"; known are media, imports, locales, output',
  ],
  [{ directories: { media: 5 } }, 'directories.media: must be the path of a directory'],
  [
    { directories: { media: '/no/such' } },
    'directories.media: "/no/such" is not a directory; make it, or correct the path, which is relative to the working directory',
  ],
  [{ directories: { output: 'x' } }, 'directories: locales and output must be given together'],
];

for (const [document, refusal] of WRONG_CONFIGS) {
  config(`refuses ${JSON.stringify(document)}`, () =>
    withWriter(async (_folder, write) => {
      const file = write(document);
      assert.is(await refusalOf(file, readSiteConfig(file)), refusal);
    }),
  );
}

config('takes what fits', () =>
  withWriter(async (folder, write) => {
    mkdirSync(join(folder, 'locales'));
    const directories = {
      media: folder,
      imports: folder,
      locales: join(folder, 'locales'),
      output: join(folder, 'made/later'),
    };
    const services = Object.fromEntries(
      CONNECTED_SERVICES.map((name) => [name, { origin: ORIGIN, headers: { Authorization: 'Bearer x' } }]),
    );
    const read = await readSiteConfig(
      write({ namespaces: { seo: { introductions: ['welcome'] } }, services, directories }),
    );
    assert.equal(
      [Object.keys(read).sort(), read.config, read.upstream?.origin('tp')],
      [
        ['config', 'files', 'imports', 'media', 'plugins', 'upstream'],
        { seo: { introductions: ['welcome'] } },
        ORIGIN,
      ],
    );
    const plugins = seedPlugins;
    assert.equal(
      [await readSiteConfig(write({})), await readSiteConfig(undefined)],
      [{ plugins }, { plugins }],
    );
  }),
);

/** The JSON of a document, as it stands there. */
function readExample(file: string): string {
  return /```json\n([^]*?)```/.exec(readFileSync(`${PROJECT}${file}`, 'utf8'))?.[1] ?? '';
}

config('takes the example of docs/configuration.md, where its directories are', () =>
  withWriter(async (folder, write) => {
    for (const name of ['media', 'imports', 'locales']) mkdirSync(join(folder, name));
    const read = await readSiteConfig(
      write(JSON.parse(readExample('docs/configuration.md').replaceAll('/srv/site', folder))),
    );
    assert.is(read.upstream?.origin('kwtool'), 'https://keywords.example');
  }),
);

config('knows the services that docs/configuration.md names', () => {
  const [, table = ''] = readFileSync(`${PROJECT}docs/configuration.md`, 'utf8').split('## Services');
  const named = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  assert.equal(named, CONNECTED_SERVICES);
});

config.run();

const names = suite('readNames');

const WRONG_NAMES: readonly (readonly [document: unknown, refusal: RegExp])[] = [
  [[], /^a names map must be an object$/],
  ['wordpress', /^a names map must be an object$/],
  [{ apiSegmnt: 'x' }, /^unknown member "apiSegmnt" of names; /],
  [{ apiSegment: 'a/b' }, /^apiSegment of names is "a\/b"/],
  [{ segments: { cms: 5 } }, /^cms of segments of names is 5; /],
  [{ segments: [] }, /^segments of names is \[\]; /],
  [{ segments: { cmss: 'wp' } }, /^segments\.cmss: no route has this neutral name$/],
  [{ params: { ml_langauge: 'lang' } }, /^params\.ml_langauge: no route has this neutral name$/],
];

for (const [document, refusal] of WRONG_NAMES) {
  names(`refuses ${JSON.stringify(document)}`, () =>
    withWriter(async (_folder, write) => {
      const file = write(document);
      assert.match(await refusalOf(file, readNames(file)), refusal);
    }),
  );
}

names('takes a preset, a file with some of the words, and nothing else', () =>
  withWriter(async (_folder, write) => {
    assert.equal(
      [await readNames('neutral'), await readNames('wordpress'), await readNames(write(WORDPRESS_NAMES))],
      [NEUTRAL_NAMES, WORDPRESS_NAMES, WORDPRESS_NAMES],
    );
    assert.equal(await readNames(write({ params: { ml_language: 'lang' } })), {
      ...NEUTRAL_NAMES,
      params: { ml_language: 'lang' },
    });
    for (const name of ['wordpres', 'constructor', ''])
      assert.match(
        String(await readNames(name).catch((error: unknown) => error)),
        `TypeError: --names "${name}": must be neutral, wordpress, or an existing file`,
      );
  }),
);

names.run();

const server = suite('the command serve');

for (const [option, document, refusal] of [
  [
    '--fixtures',
    { site: {}, posts: [{ date: '2024-07-01T12:00:00', status: 'publihs' }] },
    /site\.json: posts\[0\]\.status: "publihs" is not one of publish, /,
  ],
  [
    '--fixtures',
    { site: { ml_language: 'de' } },
    /site\.json: site\.ml_language: "de" is not one of the site's languages nl, en, fr/,
  ],
  [
    '--config',
    { namespaces: { ml: { appliedStatus: 'drfat' } } },
    /site\.json: namespaces\.ml\.appliedStatus: "drfat" is not one of draft, original/,
  ],
  [
    '--config',
    { content: { core: true, types: [{ name: 'constructor', base: 'constructor' }] } },
    /site\.json: content\.types\[0\]\.base: "constructor" is not a path segment of /,
  ],
  ['--names', { apiSegmnt: 'x' }, /site\.json: unknown member "apiSegmnt" of names/],
] as const) {
  server(`opens no store when what ${option} names does not fit`, () =>
    withWriter(async (folder, write) => {
      const store = join(folder, 'data');
      const { code, stderr } = await routebook([
        'serve',
        '--port',
        '0',
        '--store',
        `file:${store}`,
        option,
        write(document),
      ]);
      assert.is(code, 1);
      assert.match(stderr, refusal);
      assert.is(existsSync(store), false);
    }),
  );
}

server('names content of the store that nobody declares, once it is there', () =>
  withWriter(async (folder, write) => {
    const store = `file:${join(folder, 'data')}`;
    const content = {
      types: [
        { name: 'book', base: 'books', taxonomies: ['genre'] },
        { name: 'film', base: 'films' },
      ],
      taxonomies: [{ name: 'genre', base: 'genres', types: ['book'] }],
    };
    const record = (type: string, id: number): object => ({
      id,
      ml_language: 'en',
      slug: `${type}-${id}`,
      title: type,
      content: '',
      status: 'publish',
      date: '2024-01-01T10:00:00',
      date_gmt: '2024-01-01T10:00:00',
    });
    const fixture = write({
      site: {},
      registered: content,
      posts: [record('post', 1)],
      books: [record('book', 2), record('book', 3)],
      films: [record('film', 4)],
      genres: [{ id: 5, ml_language: 'en', name: 'Crime', slug: 'crime' }],
    });
    const warnings = async (...args: readonly string[]): Promise<readonly string[]> => {
      const running = await serveHere(['serve', '--store', store, '--port', '0', ...args]);
      await running.stop();
      return running.written.split('\n').filter((line) => line.startsWith('warning: the store holds'));
    };
    assert.equal(await warnings('--fixtures', fixture), []);
    assert.equal(await warnings('--fixtures', 'demo'), [
      'warning: the store holds records of the type book, film and of the taxonomy genre, which are shown to nobody, because the site does not declare them. Start with the --config or the --fixtures that declares them (docs/content-types.md).',
    ]);
    assert.equal(await warnings('--config', write({ content })), []);
  }),
);

server('says that pages of the store are not shown without the core controllers', () =>
  withWriter(async (folder, write) => {
    const store = `file:${join(folder, 'data')}`;
    const page = {
      id: 1,
      ml_language: 'en',
      slug: 'team',
      title: 'Team',
      content: '',
      status: 'publish',
      date: '2024-01-01T10:00:00',
      date_gmt: '2024-01-01T10:00:00',
    };
    const fixture = write({ site: {}, pages: [page] });
    const says = async (...args: readonly string[]): Promise<boolean> => {
      const running = await serveHere([
        'serve',
        '--store',
        store,
        '--port',
        '0',
        '--fixtures',
        fixture,
        ...args,
      ]);
      await running.stop();
      return running.written.includes(
        'warning: the store holds records of the type page, which are shown to nobody, because this start is without the core controllers. Start with --content core',
      );
    };
    assert.equal([await says('--content', 'core'), await says()], [false, true]);
  }),
);

server('warns of rights that no role has, and of no others', () =>
  withWriter(async (_folder, write) => {
    const types = [
      { name: 'book', base: 'books', capabilities: 'book' },
      { name: 'film', base: 'films', capabilities: 'page' },
    ];
    const meta = [
      { of: 'post', key: 'isbn', type: 'string', write: 'edit_books' },
      { of: 'post', key: 'shelf', type: 'string', write: 'manage_options' },
    ];
    const program = await serveHere([
      'serve',
      '--port',
      '0',
      '--store',
      'memory',
      '--config',
      write({ content: { core: true, types, meta } }),
    ]);
    await program.stop();
    assert.equal(
      program.written
        .split('\n')
        .filter((line) => line.startsWith('warning: '))
        .map((line) => line.split(', so ')[0]),
      [
        'warning: type "book": no role has edit_books, edit_others_books, delete_books, publish_books, read_private_books, delete_private_books, delete_published_books, delete_others_books, edit_private_books, edit_published_books',
        'warning: meta key "isbn" of post: no role has edit_books',
      ],
    );
  }),
);

server.run();
