import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeErrors, listTableNames, listTables, toStatus } from './support/error-list.ts';
import { PROJECT, readSources } from './support/sources.ts';

const errors = suite('docs/errors.md');

errors('ends with the codes of the tables', async () => {
  const codes = await describeErrors();
  assert.ok(
    readFileSync(`${PROJECT}docs/errors.md`, 'utf8').endsWith(`\n\n${codes}`),
    'node dist/test/scripts/error-documents.js writes it again',
  );
  const names = (await listTables()).flatMap(([, table]) => Object.keys(table));
  assert.equal(
    names.filter((name) => !codes.includes(`\`${name}\``)),
    [],
  );
});

errors('a table is found on one line and on several', () => {
  assert.equal(listTableNames("export const A = { a: [400, 'A.'] } as const satisfies ErrorTable;\n"), ['A']);
  assert.equal(
    listTableNames(
      "export const B = {\n  b: [400, 'B.'],\n} as const satisfies ErrorTable;\nexport const OTHER = { c: 1 };\n",
    ),
    ['B'],
  );
  assert.equal(listTableNames("export const C: ErrorTable = { c: [400, 'C.'] };\n"), ['C']);
});

errors('every table of errors is exported, so that it can be found', () => {
  const sources = readSources('lib', 'registry', 'adapters');
  const names = new Set(sources.flatMap(({ text }) => listTableNames(text)));
  assert.ok(names.size > 5);
  // `createErrors` is the only function that makes an error from a table.
  const made = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/(?<!function )\bcreateErrors(?:<\w+>)?\(([^)]*)\)/g)].map((match) => ({
      file,
      table: match[1] ?? '',
    })),
  );
  assert.ok(made.length > 5);
  assert.equal(
    made.filter(({ table }) => !names.has(table)),
    [],
  );
});

errors('every status is an HTTP status, and every message is a sentence', async () => {
  for (const [file, table] of await listTables()) {
    for (const [code, [status, message]] of Object.entries(table)) {
      assert.ok(
        status === 'denied' || (Number.isInteger(status) && status >= 400 && status < 600),
        `${file} ${code}`,
      );
      assert.ok(message.length > 3 && message.trim() === message, `${file} ${code}: ${message}`);
    }
  }
});

errors('explains every code that occurs in data.details', () => {
  const text = readFileSync(`${PROJECT}docs/errors.md`, 'utf8');
  const used = new Set(
    readSources('lib')
      .filter(({ file }) => /^lib\/schema\/(?:formats|failure-messages|validate)\.ts$/.test(file))
      .flatMap((source) => source.text.match(/(?<=')rest_\w+(?=')/g) ?? []),
  );
  const explained = new Set(
    [...text.slice(text.indexOf('## Details'), text.indexOf('## Codes')).matchAll(/^- `(\w+)`: ./gm)].map(
      (match) => match[1],
    ),
  );
  assert.equal(
    [...used].filter((code) => !explained.has(code)),
    [],
  );
  assert.equal(
    [...explained].filter((code) => code !== undefined && !used.has(code)),
    [],
  );
});

errors('only tables make errors', () => {
  const others = readSources('lib', 'registry', 'adapters')
    .filter(
      // The client reads errors. A response to a plugin repeats one.
      ({ file, text }) =>
        !/^lib\/core\/errors|^adapters\/client/.test(file) &&
        /new RestError\((?!\s*(?:error|body)\.code)/.test(text),
    )
    .map(({ file }) => file);
  assert.equal(others, []);
});

/** Codes to which WordPress gives another status where they are about a parameter. */
const STATUSES_OF_WORDPRESS = [
  'rest_post_invalid_id: 404, 400',
  'rest_term_invalid: 404, 400',
  'rest_user_invalid_role: 400, 401 / 403',
];

errors('a code has the same status everywhere, except where WordPress has two', async () => {
  const byCode = new Map<string, Set<string>>();
  for (const [, table] of await listTables()) {
    for (const [code, [status]] of Object.entries(table))
      byCode.set(code, (byCode.get(code) ?? new Set()).add(toStatus(status)));
  }
  assert.equal(
    [...byCode]
      .filter(([, statuses]) => statuses.size > 1)
      .map(([code, statuses]) => `${code}: ${[...statuses].join(', ')}`),
    STATUSES_OF_WORDPRESS,
  );
});

errors.run();
