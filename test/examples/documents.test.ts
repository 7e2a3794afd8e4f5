import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const ROOT = new URL('../../../', import.meta.url);

const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

const packed = suite('package');

packed('holds every file that its documents link to', () => {
  const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };
  const isPacked = (path: string): boolean =>
    path === 'README.md' ||
    path === 'LICENSE' ||
    files.some((part) => path === part || path.startsWith(`${part}/`));
  const documents = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...readdirSync(new URL('docs/', ROOT)).map((file) => `docs/${file}`),
  ];
  const links = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, target = '']) =>
      new URL(target, new URL(file, ROOT)).href.slice(ROOT.href.length),
    ),
  );
  assert.equal(
    links.filter((path) => !isPacked(path)),
    [],
  );
  // What the README says how to start.
  for (const path of ['dist/adapters/cli/bin.js', 'examples/demo-site.json']) assert.ok(isPacked(path), path);
});

packed.run();

/** The anchor that a heading gets. */
const toAnchor = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

const anchors = suite('anchors of links');

anchors('are headings of the pages that they name', () => {
  const documents = [
    'README.md',
    'CHANGELOG.md',
    ...readdirSync(new URL('docs/', ROOT)).map((file) => `docs/${file}`),
  ];
  const headings = new Map(
    documents.map((file) => [
      file,
      new Set(
        [
          ...read(file)
            .replaceAll(/^```.*?^```/gms, '')
            .matchAll(/^#+ (.*)$/gm),
        ].map(([, heading = '']) => toAnchor(heading)),
      ),
    ]),
  );
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].flatMap(
      ([link, target = '', anchor = '']) => {
        const page = target === '' ? file : new URL(target, new URL(file, ROOT)).href.slice(ROOT.href.length);
        return headings.get(page)?.has(anchor) === false ? [`${file}: ${link}`] : [];
      },
    ),
  );
  assert.equal(broken, []);
});

anchors.run();
