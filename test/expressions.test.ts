import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { own } from '../lib/core/objects.ts';
import { collectExpressions, isLinear } from './support/expressions.ts';
import { isAll } from './support/long-mode.ts';

/** Files with an expression that the judges do not call linear: its beginning, and what bounds it. */
const BOUNDED: Readonly<Record<string, readonly [beginning: string, bound: string]>> = {
  'registry/plugins/secscan/rules/spam.ts': [
    'スーパー',
    'every repetition in a branch has a count of at most 12',
  ],
  'registry/transfer/wxr/decode.ts': [
    '<\\?xml[^>]{0,200}?',
    'DECLARATION_BYTES: it reads the first 512 bytes of a file',
  ],
};

/** An expression whose automaton takes the judge a minute. It begins with fixed text that its repetitions cannot pass twice. */
const TOO_LARGE = ['-----BEGIN (?:'];

/** Expressions whose judging takes most of the time. `npm run test:all` judges them; here a changed one is judged until the list has its new text. */
const SLOW = new Set(
  JSON.parse(
    readFileSync(new URL('../../test/slow-expressions.json', import.meta.url), 'utf8'),
  ) as readonly string[],
);

/** Files that build expressions from parts, and how many. The judges do not see these: what they are made of is fixed, or judged elsewhere. */
const BUILT: Readonly<Record<string, number>> = {
  'lib/route/pattern.ts': 2,
  'lib/compile/check-groups.ts': 2,
  'lib/schema/check-expression.ts': 2,
  'lib/schema/validate.ts': 2,
  'lib/http/media-type.ts': 2,
  'lib/compile/check-endpoint.ts': 1,
  'lib/core/text.ts': 3,
  'registry/core/records/meta-values.ts': 1,
  'registry/core/content/html/plain-markup.ts': 2,
  'registry/core/content/slug.ts': 1,
  'registry/core/content/shortcodes/render-post.ts': 3,
  'registry/core/addresses/find-target.ts': 1,
  'registry/plugins/ml/machine/machine-text.ts': 1,
  'registry/plugins/ml/glossary/import-csv.ts': 1,
  'registry/plugins/secscan/rules/spam.ts': 2,
  'registry/transfer/plan/references.ts': 1,
  'registry/transfer/wxr/read-wxr.ts': 2,
  'registry/transfer/index.ts': 1,
  'adapters/files.ts': 1,
  'adapters/http/part-head.ts': 1,
  'adapters/cli/verify/run-scenarios.ts': 1,
  'lib/mcp/tools.ts': 1,
  'adapters/client.ts': 1,
  'registry/core/plugin/documents.ts': 1,
};

const { literals, built } = collectExpressions();
const fileOf = (place: string): string => place.split(':')[0] ?? '';

const expressions = suite('regular expressions');

expressions('take linear time, or are bounded where they stand', () => {
  assert.ok(literals.length > 400);
  const judged = literals.filter(
    ({ source }) => !TOO_LARGE.some((beginning) => source.startsWith(beginning)),
  );
  assert.is(literals.length - judged.length, TOO_LARGE.length);
  const slow = judged
    .filter((each) => (isAll || !SLOW.has(each.source)) && !isLinear(each))
    .map(({ place, source }) => [fileOf(place), source] as const);
  assert.equal(
    slow
      .filter(([file, source]) => !source.startsWith(own(BOUNDED, file)?.[0] ?? '\0'))
      .map((each) => each.join(' ')),
    [],
  );
  if (isAll)
    assert.equal(
      Object.keys(BOUNDED).filter((file) => !slow.some((each) => each[0] === file)),
      [],
      'no longer needed',
    );
});

expressions('that take long to judge are there', () => {
  const sources = new Set(literals.map(({ source }) => source));
  assert.equal(
    [...SLOW].filter((each) => !sources.has(each)),
    [],
    'no longer needed',
  );
});

expressions('that are built are known', () => {
  const files = built.map(fileOf);
  assert.equal(
    Object.fromEntries(files.map((file) => [file, files.filter((each) => each === file).length])),
    BUILT,
  );
});

expressions('the judges find what they should', () => {
  for (const source of ['\\/*$', '<[^>]*>', '^(a+)+$', '([?&][^=&]*(?:key)[^=&]*=)[^&]*', '^a*(?=a)a*$'])
    assert.not(isLinear({ source, flags: '' }), source);
  for (const source of ['^a+$', '<[^<>]*>', '(?<!a)a+$']) assert.ok(isLinear({ source, flags: '' }), source);
});

expressions.run();
