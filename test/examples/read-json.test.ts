import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inFile, readJson } from '../../adapters/cli/site/read-json.ts';
import { refusalOf } from '../support/refusal.ts';
import { inFolder } from '../support/temporary.ts';

/** Runs with a file that holds the bytes. */
function withFile(bytes: string | Uint8Array, use: (file: string) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const file = join(folder, 'site.json');
    writeFileSync(file, bytes);
    await use(file);
  });
}

async function messageOf(file: string): Promise<string> {
  const outcome: unknown = await readJson(file).catch((error: unknown) => error);
  assert.instance(outcome, TypeError);
  return (outcome as TypeError).message;
}

const reading = suite('readJson');

reading('reads a file, with and without a byte order mark', async () => {
  for (const mark of ['', '\u{FEFF}'])
    await withFile(`${mark}{"a": ["é"]}`, async (file) => assert.equal(await readJson(file), { a: ['é'] }));
});

/** What is not JSON, and the place where it stops being so. */
const FAULTS: readonly (readonly [text: string, place: string])[] = [
  ['{', 'line 1, column 2'],
  ['{"a":1,}', 'line 1, column 8'],
  ['[1,]', 'line 1, column 4'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
  ['{\n  "a": tru\n}', 'line 2, column 11'],
  ['{"a": 1} x', 'line 1, column 10'],
  ['x', 'line 1, column 1'],
  ["{'a': 1}", 'line 1, column 2'],
  ['{\r\n"a": "b\r\nc"}', 'line 2, column 8'],
  ['{"a": "\\q"}', 'line 1, column 9'],
  ['// site\n{}', 'line 1, column 1'],
  ['{"a": .5}', 'line 1, column 7'],
  ['{"a": 1e}', 'line 1, column 9'],
  ['{"a":\n', 'line 2, column 1'],
  ['{"a": "\\u12x4"}', 'line 1, column 12'],
  ['{"a": NaN}', 'line 1, column 7'],
  ['   ', 'line 1, column 4'],
  [`${'[\n'.repeat(2000)}}`, 'line 2001, column 1'],
];

for (const [text, place] of FAULTS) {
  reading(`names line and column of ${JSON.stringify(text.slice(0, 40))}`, () =>
    withFile(text, async (file) => {
      const message = await messageOf(file);
      assert.ok(message.startsWith(`${file}: ${place}: `), message);
    }),
  );
}

reading('says what is wrong with a file that is not a text', async () => {
  await withFile('', async (file) => assert.is(await messageOf(file), `${file}: the file is empty`));
  await withFile(Buffer.from('{"a": "é"}', 'latin1'), async (file) =>
    assert.is(await messageOf(file), `${file}: the file is not valid UTF-8`),
  );
  await withFile(Buffer.from('\u{FEFF}{}', 'utf16le'), async (file) =>
    assert.is(await messageOf(file), `${file}: the file is not valid UTF-8`),
  );
  await withFile('{}', async (file) => {
    assert.match(await messageOf(`${file}.not`), /site\.json\.not: there is no such file or directory/);
    assert.match(await messageOf(join(file, '..')), / is a directory/);
  });
});

reading.run();

const placing = suite('inFile');

placing('puts the name of the file before a complaint', () => {
  assert.is(
    inFile('a.json', () => 5),
    5,
  );
  assert.is(
    refusalOf(() =>
      inFile('a.json', () => {
        throw new RangeError('too much');
      }),
    ),
    'a.json: too much',
  );
});

placing.run();
