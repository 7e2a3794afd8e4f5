import { existsSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFloors, listFoldersOf, listUpwards } from './support/floors.ts';
import { findForeignKeys } from './support/foreign-keys.ts';
import {
  listFiles,
  onlyComments,
  PROJECT,
  readSources,
  withoutComments,
  type Import,
  type Source,
} from './support/sources.ts';

const CODE = readSources('lib', 'registry', 'adapters', 'examples');
const TESTS = readSources('test');
const under = (folder: string): readonly Source[] => CODE.filter(({ file }) => file.startsWith(`${folder}/`));

/** Files of the project that package.json names as entries. */
function listEntries(): ReadonlySet<string> {
  const { exports } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as {
    exports: Readonly<Record<string, { default: string }>>;
  };
  return new Set(
    Object.values(exports).map((entry) => entry.default.replace('./dist/', '').replace(/\.js$/, '.ts')),
  );
}

/** `file -> specifier` of each import that the rule forbids. */
function findImports(
  sources: readonly Source[],
  isAllowed: (each: Import, source: Source) => boolean,
): readonly string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((each) => !isAllowed(each, source))
      .map(({ specifier }) => `${source.file} -> ${specifier}`),
  );
}

const isIn = (each: Import, ...folders: readonly string[]): boolean =>
  each.file !== null && folders.some((folder) => each.file?.startsWith(`${folder}/`));

const imports = suite('imports');

/** Every runtime with Request and Response has these as well. */
const LIB_BUILTINS: ReadonlySet<string> = new Set([
  'node:async_hooks',
  'node:crypto',
  'node:diagnostics_channel',
  'node:zlib',
]);
const LIB_PACKAGES: ReadonlySet<string> = new Set(['ajv', 'ajv-formats', 'find-my-way']);

const ENTRIES = listEntries();

/** The command line is a program: like an example, it composes the public entries. So do the pages that it serves. */
const isComposed = (each: Import, source: Source): boolean =>
  /^adapters\/(?:cli|pages)\//.test(source.file) && each.file !== null && ENTRIES.has(each.file);

for (const top of ['lib', 'registry', 'adapters']) {
  const floors = listFloors(top);

  imports(`each folder of ${top} has a line in docs/architecture.md`, () => {
    const folders = under(top).flatMap(({ file }) => listFoldersOf(file));
    assert.equal([...new Set(folders)].filter((folder) => folder !== top).toSorted(), floors.toSorted());
  });

  imports(`folders of ${top} import downwards, in the order of docs/architecture.md`, () => {
    assert.equal(listUpwards(under(top), floors, isComposed), []);
  });
}

const PLUGIN_FOLDERS = [...new Set(under('registry/plugins').map(({ file }) => file.split('/')[2] ?? ''))];

imports(
  'a plugin imports the public entry of lib, the entry for authors of plugins, and its own folder',
  () => {
    for (const plugin of PLUGIN_FOLDERS)
      assert.equal(
        findImports(
          under(`registry/plugins/${plugin}`),
          ({ file }) =>
            file === null ||
            file === 'lib/index.ts' ||
            file === 'registry/plugin.ts' ||
            file.startsWith(`registry/plugins/${plugin}/`),
        ),
        [],
      );
  },
);

/** The files that are loaded with an entry. `late`: also what these load later. */
function listLoaded(entry: string, late = false): ReadonlySet<string> {
  const byFile = new Map(CODE.map((source) => [source.file, source]));
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const each of byFile.get(file)?.imports ?? [])
      if (each.file !== null && !each.isType && (late || !each.isLate)) loaded.add(each.file);
  return loaded;
}

const inPlugins = (files: Iterable<string>): readonly string[] =>
  [...files].filter((file) => file.startsWith('registry/plugins/'));

imports('a plugin that is left out is not loaded: no entry but that of all plugins imports one', () => {
  assert.ok(PLUGIN_FOLDERS.length >= 8);
  for (const entry of ENTRIES)
    if (entry !== 'registry/index.ts' && !entry.startsWith('registry/plugins/'))
      assert.equal(inPlugins(listLoaded(entry)), [], entry);
  assert.equal(inPlugins(listLoaded('adapters/cli/commands/serve.ts')), []);
});

/** What the entry for authors of plugins loads. */
const AUTHORS = listLoaded('registry/plugin.ts');

for (const plugin of PLUGIN_FOLDERS)
  imports(
    `a site with the plugin ${plugin} loads no file of another plugin, and its code only when it is built`,
    () => {
      const entry = `registry/plugins/${plugin}/plugin.ts`;
      const folder = `registry/plugins/${plugin}/`;
      const all = inPlugins(listLoaded(entry, true));
      assert.equal(
        all.filter((file) => !file.startsWith(folder)),
        [],
      );
      const declared = listLoaded(entry);
      assert.ok(inPlugins(declared).length <= 15, 'what a plugin declares is a few files');
      const more = [...declared].filter((file) => !file.startsWith(folder) && !AUTHORS.has(file));
      assert.equal(more, [], 'it loads nothing but the entry for authors of plugins');
    },
  );

imports('lib imports itself, three packages and no part of Node that reaches outside', () => {
  assert.equal(
    findImports(
      under('lib'),
      (each) => isIn(each, 'lib') || LIB_BUILTINS.has(each.specifier) || LIB_PACKAGES.has(each.specifier),
    ),
    [],
  );
});

/** Only adapters use sockets, files and processes. */
const OUTSIDE =
  /^node:(?:http|https|http2|net|tls|dgram|dns|fs|child_process|cluster|worker_threads|sqlite)(?:\/|$)/;

/** Unless the host provides it, the scan reads the free disk space from the file system. */
const FREE_ROOM = 'registry/plugins/secscan/connection/host.ts -> node:fs/promises';

imports('registry imports lib and itself, and nothing that reaches outside', () => {
  const found = findImports(under('registry'), (each) =>
    each.file === null ? !OUTSIDE.test(each.specifier) : isIn(each, 'lib', 'registry'),
  );
  assert.equal(
    found.filter((each) => each !== FREE_ROOM),
    [],
  );
});

imports(
  'adapters import lib and themselves, and of the registry only the types of its ports; the command line and its pages also its public entry',
  () => {
    assert.equal(
      findImports(
        under('adapters'),
        (each, source) =>
          each.file === null ||
          isIn(each, 'lib', 'adapters') ||
          isComposed(each, source) ||
          (each.isType && each.file === 'registry/core/host/ports.ts'),
      ),
      [],
    );
  },
);

imports('examples import public entries and each other', () => {
  assert.equal(
    findImports(under('examples'), (each) =>
      each.file === null ? isBuiltin(each.specifier) : isIn(each, 'examples') || ENTRIES.has(each.file),
    ),
    [],
  );
});

imports('parts of Node are called by their full name', () => {
  assert.equal(
    findImports(
      [...CODE, ...TESTS],
      (each) => !isBuiltin(each.specifier) || each.specifier.startsWith('node:'),
    ),
    [],
  );
});

for (const name of [
  'ajv',
  'ajv-formats',
  'find-my-way',
  'undici',
  'pg',
  'libsql',
  'node:sqlite',
  'saxes',
  'parse5',
  '@fastify/busboy',
  'sharp',
  'node:zlib',
]) {
  imports(`${name} is imported in at most one file`, () => {
    const files = CODE.filter((source) =>
      source.imports.some(
        (each) => !each.isType && (each.specifier === name || each.specifier.startsWith(`${name}/`)),
      ),
    ).map(({ file }) => file);
    assert.ok(files.length <= 1, files.join(', '));
  });
}

imports('packages are those of package.json', () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(`${PROJECT}package.json`, 'utf8'),
  ) as Readonly<Record<string, object | undefined>>;
  const known = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  // Database drivers are optional and loaded on demand.
  const optional = new Set(['libsql', 'pg']);
  const wrong = findImports(
    CODE,
    (each, source) =>
      each.file !== null ||
      isBuiltin(each.specifier) ||
      known.has(each.specifier) ||
      (optional.has(each.specifier) && source.file.startsWith('adapters/')),
  );
  assert.equal(wrong, []);
});

/** The first import cycle, including type imports; null when there is none. */
function findCycle(sources: readonly Source[]): readonly string[] | null {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const each of byFile.get(file)?.imports ?? []) {
      const cycle = each.file === null ? null : visit(each.file, [...way, file]);
      if (cycle !== null) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const { file } of sources) {
    const cycle = visit(file, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

imports('have no cycle, types included', () =>
  assert.is(findCycle([...CODE, ...TESTS])?.join(' -> '), undefined),
);

imports('refer to existing files', () =>
  assert.equal(
    findImports([...CODE, ...TESTS], (each) => each.file === null || existsSync(`${PROJECT}${each.file}`)),
    [],
  ),
);

imports.run();

const sizes = suite('sizes');

const FILE_LINES = 400;
/** A namespace is one table, in the order of its index. */
const TABLE_LINES = 600;
sizes(
  `files have at most ${FILE_LINES} lines, and tables of routes and of rules at most ${TABLE_LINES}`,
  () => {
    const most = (file: string): number => (/(?:routes|rules)\.ts$/.test(file) ? TABLE_LINES : FILE_LINES);
    const long = CODE.map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 })).filter(
      ({ file, lines }) => lines > most(file),
    );
    assert.equal(long, []);
  },
);

const FOLDER_FILES = 20;

sizes(`folders have at most ${FOLDER_FILES} files`, () => {
  const counts = new Map<string, number>();
  for (const { file } of CODE) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const large = [...counts].filter(([folder, count]) => count > FOLDER_FILES && folder !== 'examples');
  assert.equal(large, []);
});

/** What is compiled at the start of a light entry, in KB, without packages. */
const LIGHT: readonly (readonly [entry: string, most: number])[] = [
  ['registry/plugin', 620],
  ['adapters/cli', 100],
  ['adapters/cli/bin', 100],
];

for (const [entry, most] of LIGHT)
  sizes(`${entry}.ts loads at most ${most} KB`, () => {
    const built = [...listLoaded(`${entry}.ts`)].map((file) => `${PROJECT}dist/${file.replace(/ts$/, 'js')}`);
    const bytes = built.reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(bytes <= most * 1024, `${Math.ceil(bytes / 1024)} KB`);
  });

sizes('the linter limits functions to 97 lines and 3 parameters', () => {
  const { rules, overrides } = JSON.parse(readFileSync(`${PROJECT}.oxlintrc.json`, 'utf8')) as {
    rules: Record<string, unknown>;
    overrides: { files: readonly string[] }[];
  };
  assert.equal(
    [rules['max-lines-per-function'], rules['max-params']],
    [
      ['error', { max: 97, skipBlankLines: true, skipComments: true }],
      ['error', 3],
    ],
  );
  assert.equal(
    overrides.flatMap(({ files }) => files),
    ['test/**'],
  );
  assert.equal(
    CODE.filter(({ text }) => /(?:ox|es)lint-disable[^\n]*(?:max-|no-explicit-any)/.test(text)).map(
      ({ file }) => file,
    ),
    [],
  );
});

sizes.run();

const suites = suite('suites');

for (const { file, text } of TESTS.filter((source) => source.file.endsWith('.test.ts'))) {
  suites(`${file} runs each of its suites, without preparation before them`, () => {
    const code = withoutComments(text);
    const declared = [...code.matchAll(/^ *const (\w+) = suite\(/gm)].map((match) => match[1] ?? '');
    assert.is(
      declared.length,
      [...code.matchAll(/\bsuite\(/g)].length,
      'every suite must have its own variable',
    );
    assert.ok(declared.length > 0 || /\b\w+\.run\(\)|Suite|Contract/.test(code), 'no suite');
    const ran = [...code.matchAll(/^ *(\w+)\.run\(\);/gm)].map((match) => match[1] ?? '');
    assert.equal(ran.toSorted(), declared.toSorted());
    assert.not.match(code, /\.before\(|\.only\(|\.skip\(/);
  });
}

suites('every test file is compiled and found by the runner', () => {
  const compiled = new Set(
    listFiles('dist/test', '.test.js').map((file) => file.replace('dist/', '').replace(/\.js$/, '.ts')),
  );
  assert.equal(
    TESTS.map(({ file }) => file).filter((file) => file.endsWith('.test.ts') && !compiled.has(file)),
    [],
  );
});

suites.run();

const keys = suite('objects');

/** Fields of records: `checkCollections` rejects field names that every object inherits. */
const FIELD_READERS =
  /^(?:lib\/store\/(?:row|match|check-operations)|adapters\/memory-store|adapters\/stores\/(?:memory|sql|sqlite|postgres)\/[\w/-]+)\.ts:/;
/** The names come from the rules. Options may be an instance of a class, and may therefore be inherited. */
const OPTION_READER = /^lib\/core\/check-options\.ts:/;

keys('are not read by an arbitrary string: use own(), a Map, or check with Object.hasOwn()', () => {
  const toFile = (path: string): string => path.slice(PROJECT.length);
  const found = findForeignKeys(`${PROJECT}tsconfig.json`, (path) =>
    CODE.some(({ file }) => file === toFile(path)),
  ).map(toFile);
  // Both exceptions are still needed: the rule finds their reads.
  assert.ok([FIELD_READERS, OPTION_READER].every((exception) => found.some((read) => exception.test(read))));
  assert.equal(
    found.filter((read) => !FIELD_READERS.test(read) && !OPTION_READER.test(read)),
    [],
  );
});

const PLANTED = `
declare const TABLE: Readonly<Record<string, number>>;
declare const NESTED: { readonly inner?: Readonly<Record<string, number>> };
declare const FORMS: { readonly view: number; readonly edit: number };
declare const list: readonly number[];
export const faults = (word: string, from: string | undefined, record: Record<string, number>): unknown => {
  const { [word]: taken } = TABLE;
  return [TABLE[word], NESTED.inner?.[word], record[from ?? ''], FORMS[word as keyof typeof FORMS], word in TABLE, record[word]++, taken];
};
export const inGeneral = <K extends string>(word: K): unknown => TABLE[word];
export const sound = (word: keyof typeof FORMS, text: string, at: number, record: Record<string, number>): unknown => {
  for (const name in record) record[name] = record[name] ?? 0;
  record[text] = 1;
  return [FORMS[word], list[at], TABLE['view'], 'view' in FORMS, record['other'], Object.hasOwn(TABLE, text) ? TABLE[text] : 0];
};
`;

keys('the rule finds exactly the planted reads', () => {
  const files = {
    '/planted/tsconfig.json':
      '{ "compilerOptions": { "strict": true, "target": "ES2023", "types": [] }, "files": ["table.ts"] }',
    '/planted/table.ts': PLANTED,
  };
  const found = findForeignKeys('/planted/tsconfig.json', (path) => path.endsWith('/table.ts'), {
    cwd: '/planted',
    fs: createVirtualFileSystem(files),
  });
  assert.equal(
    found.map((read) => read.replace('/planted/table.ts:', '')),
    [
      '7: { [word]: taken }',
      '8: TABLE[word]',
      '8: NESTED.inner?.[word]',
      "8: record[from ?? '']",
      '8: FORMS[word as keyof typeof FORMS]',
      '8: word in TABLE',
      '8: record[word]',
      '10: TABLE[word]',
    ],
  );
});

keys.run();

const types = suite('exported types');

types('do not contain any', () => {
  const files = ['lib', 'registry', 'adapters']
    .flatMap((folder) => listFiles(`dist/${folder}`, '.d.ts'))
    // What an earlier build left of a file that is gone does not count.
    .filter((file) => existsSync(`${PROJECT}${file.replace('dist/', '').replace('.d.ts', '.ts')}`));
  assert.ok(files.length > 50);
  const withAny = files.filter((file) =>
    /\bany\b/.test(
      withoutComments(readFileSync(`${PROJECT}${file}`, 'utf8')).replaceAll(/"[^"\n]*"|'[^'\n]*'/g, ''),
    ),
  );
  assert.equal(withAny, []);
});

types.run();

const words = suite('words');

/** Terms of one vendor belong to descriptors and to the names map. Comments may contain them. */
const VENDOR = /(?<![a-z])(?:cms|wp|wordpress|wpml|secscan|seo|ml_\w+|x-cms|x-wp)(?![a-z])/i;

words('lib does not depend on a vendor', () => {
  const found = under('lib').flatMap(({ file, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => VENDOR.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.equal(found, []);
});

/** A type literal: `type === 'post'`, `eq('type', 'page')`, `type: 'book'`. Only tables name types. */
const NAMED_TYPE =
  /(?:\btype|'type'\])\s*(?:[!=]==|:)\s*'(?:post|page|attachment|book)'|eq\('type', '|oneOf\('type', \['/;

words('the core knows no content type by name', () => {
  const core = under('registry/core').filter(({ file }) => !file.startsWith('registry/core/model/'));
  const found = core.flatMap(({ file, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => NAMED_TYPE.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.equal(found, []);
  assert.ok(
    ["found['type'] !== 'post'", "eq('type', 'page')", "type: 'post', language: ''"].every((line) =>
      NAMED_TYPE.test(line),
    ),
    'the rule finds what it should',
  );
});

/** A note that holds an error would be a failure that nobody is told of. */
const NOTED_FAILURE = /level: 'info',[^}]*\berror\b/;

words('an event of the level info is never a failure', () => {
  assert.equal(
    CODE.flatMap(({ file, text }) =>
      [...withoutComments(text).matchAll(new RegExp(NOTED_FAILURE, 'g'))].map(
        ([found]) => `${file}: ${found}`,
      ),
    ),
    [],
  );
  assert.ok(
    NOTED_FAILURE.test("log({ level: 'info', message: 'a request failed', error: error.cause })"),
    'the rule finds what it should',
  );
});

/** JavaScript's own takes time that grows with the square of the marks in a row. */
const OWN_NORMALIZE = /\.normalize\((?:'NF|form\b|\))/;

words('texts are normalized in one place', () => {
  assert.equal(
    CODE.filter(({ text }) => OWN_NORMALIZE.test(withoutComments(text))).map(({ file }) => file),
    ['lib/core/text.ts'],
  );
});

words('what makes a temporary folder removes it', () => {
  const makers = TESTS.filter(({ file, text }) => file.endsWith('.test.ts') && /\bmakeFolder\(/.test(text));
  assert.equal(
    makers.filter(({ text }) => !/\bremoveFolder\(/.test(text)).map(({ file }) => file),
    [],
  );
});

/** A time that is measured says how busy the machine is. Tests count, wait for events, or move the clock (support/moved-clock.ts). */
const CLOCK = /\b(?:performance|Date)\.now\(\)|\bhrtime\b|\bprocess\.uptime\(/;

/** What may read it, and why. */
const CLOCK_READERS: ReadonlyMap<string, string> = new Map([
  ['test/run.ts', 'says how long files take'],
  ['test/support/block.ts', 'keeps the processor busy'],
  ['test/support/turns.ts', 'measures turns of the loop by the time of the processor'],
  ['test/support/postgres-crash.ts', 'tells a flush when its request began'],
  ['test/adapters/stores/postgres/server-epoch.slow.test.ts', 'tells a flush when its request began'],
  ['test/adapters/stores/postgres/write/later-commits.test.ts', 'tells a flush when its request began'],
  ['test/adapters/stores/postgres/read/revisions.test.ts', 'tells a read when its request began'],
  ['test/adapters/stores/sqlite/write/transaction.test.ts', 'tells a flush when its request began'],
  ['test/adapters/stores/sqlite/full.test.ts', 'tells a flush when its request began'],
  [
    'test/adapters/stores/sqlite/write/index-builder.test.ts',
    'allows one more attempt for each second that has passed',
  ],
  ['test/adapters/cli/webhook.test.ts', 'verifiers refuse times that are not now'],
  ['test/adapters/http/admission/waiting.test.ts', 'a wait is shorter than a limit'],
  ['test/lib/dispatch/time-limit.test.ts', 'reads a clock that it moves'],
  ['test/registry/core/limits/run-locked.test.ts', 'reads a clock that it moves'],
  ['test/registry/core/posts/watch-schedule.slow.test.ts', 'schedules posts of other processes'],
  ['test/registry/plugins/changes/webhooks.slow.test.ts', 'verifiers refuse times that are not now'],
  ['test/registry/plugins/changes/webhooks.test.ts', 'verifiers refuse times that are not now'],
]);

words('tests do not measure time by the clock, except those that are named', () => {
  const readers = TESTS.filter(
    ({ file, text }) => !file.startsWith('test/bench/') && CLOCK.test(withoutComments(text)),
  ).map(({ file }) => file);
  assert.equal(readers.toSorted(), [...CLOCK_READERS.keys()].toSorted());
});

/** Names that say nothing: each has stood for several things at once. */
const BAG_TYPE =
  /^export (?:interface|type|class) (?:Place|Part|Open|Found|Held|Kept|Candidate|Known|Source)\b/m;

words('exported types are named after what they are', () => {
  assert.equal(
    CODE.filter(({ text }) => BAG_TYPE.test(text)).map(({ file }) => file),
    [],
  );
});

words('file names are specific', () => {
  const vague = /(?:^|[-/])(?:managers?|helpers?|utils?|base|common|data|infos?)\.ts$/;
  assert.equal(
    CODE.map(({ file }) => file).filter((file) => vague.test(file)),
    [],
  );
});

words('the files that comments name exist', () => {
  const names = new Set([...CODE, ...TESTS].map(({ file }) => basename(file)));
  const gone = CODE.flatMap(({ file, text }) =>
    [...onlyComments(text).matchAll(/[\w.-]+\.ts\b/g)]
      .filter(([name]) => !names.has(name))
      .map(([name]) => `${file}: ${name}`),
  );
  assert.equal(gone, []);
  assert.match(onlyComments("const file = 'text.ts'; // See gone.ts."), /^\/\/ See gone\.ts\.$/);
});

words('every export has a docstring', () => {
  const bare = under('lib').flatMap(({ file, text }) =>
    [...text.matchAll(/(?<=\n\n|\}\n)export (?:async )?(?:function|class) (\w+)/g)].map(
      (match) => `${file}: ${match[1]}`,
    ),
  );
  assert.equal(bare, []);
});

words.run();
