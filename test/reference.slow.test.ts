import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listUndocumented } from './support/reference/doc-text.ts';
import { readEntries, type Declaration } from './support/reference/read-entries.ts';
import { writePages } from './support/reference/write-pages.ts';
import { PROJECT } from './support/sources.ts';

const entries = readEntries();
const pages = writePages(entries);

const reference = suite('the API reference');

reference('explains every export and every member of it', () => {
  const missing = entries.flatMap(({ declarations }) => declarations.flatMap(listUndocumented));
  assert.equal([...new Set(missing)], [], 'write a docstring for each');
});

reference('has a page for each entry of the package', () => {
  const { exports } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  assert.equal(
    [...pages.keys()],
    [
      ...Object.keys(exports).map((entry) => `${entry.replace('.', 'routebook').replaceAll('/', '-')}.md`),
      'index.md',
    ],
  );
  assert.equal(
    [...(pages.get('index.md') ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file),
    [...pages.keys()].filter((file) => file !== 'index.md'),
  );
});

reference('shows signatures, members and what no entry exports by name, each once', () => {
  const all = [...pages.values()].join('\n');
  assert.match(
    pages.get('routebook.md') ?? '',
    /### createEngine\n\n[A-Z][^\n]+\n\n```ts\nfunction createEngine</,
  );
  assert.match(
    pages.get('routebook.md') ?? '',
    /\n\| `find\(query: Query, waiter\?: Waiter\): Promise<FindResult>` \| Returns records/,
  );
  for (const name of ['### Store\n', '### RuntimeOptions\n', '### loadFixture\n'])
    assert.is(all.split(name).length, 2, name);
});

reference('finds what lacks a docstring, unless that of its type names it', () => {
  const member = (name: string, docComment = ''): Declaration => ({
    kind: 'PropertySignature',
    name,
    docComment,
  });
  const type = (docComment: string): Declaration => ({
    kind: 'Interface',
    name: 'Box',
    fileUrlPath: 'box.d.ts',
    docComment,
    members: [member('lid'), member('size', '/** In metres. */')],
  });
  assert.equal(listUndocumented(type('')), ['box.d.ts: Box', 'box.d.ts: Box.lid']);
  assert.equal(listUndocumented(type('/** A box. */')), ['box.d.ts: Box.lid']);
  assert.equal(listUndocumented(type('/** A box. `lid`: on top. */')), []);
});

reference.run();
