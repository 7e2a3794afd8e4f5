import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pluralForms, readPluralForms } from '../../../../../registry/plugins/ml/mo/plural-forms.ts';

interface Plurals {
  readonly supplemental: {
    readonly 'plurals-type-cardinal': Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

function readCldr(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const file = createRequire(import.meta.url).resolve('cldr-core/supplemental/plurals.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as Plurals).supplemental['plurals-type-cardinal'];
}

const NUMBERS = [
  ...Array.from({ length: 1201 }, (_, n) => n),
  10_000,
  20_000,
  40_000,
  99_999,
  100_000,
  1_000_000,
  1_000_001,
  2_000_000,
];

/** The sample numbers that CLDR lists for a form. */
function* samplesOf(rule: string): Generator<number> {
  const [, list = ''] = /@integer ([^@]*)/.exec(rule) ?? [];
  for (const [, from = '', to = from] of list.matchAll(/(?<![\dc.])(\d+)(?:~(\d+))?(?![c\d])/g)) {
    for (let n = Number(from); n <= Number(to); n += 1) yield n;
  }
}

const formulas = suite('pluralForms');
for (const [language, rules] of Object.entries(readCldr())) {
  formulas(`the formula of ${language} chooses the forms of the samples of CLDR`, () => {
    const whole = Object.values(rules).filter((rule) => rule.includes('@integer'));
    const rule = readPluralForms(pluralForms(language.replace('-', '_'), whole.length));
    assert.is(rule?.forms, whole.length);
    whole.forEach((each, form) => {
      for (const n of samplesOf(each)) assert.is(rule?.choose(n), form, `${n} in ${language}`);
    });
  });
}
formulas('a language without a form for large numbers in its texts has none in its rule', () => {
  for (const [locale, forms] of [
    ['fr_FR', 2],
    ['es_MX', 2],
    ['it', 2],
    ['pt_BR', 2],
    ['fr_FR', 0],
  ] as const) {
    const rule = readPluralForms(pluralForms(locale, forms));
    assert.equal([rule?.forms, rule?.choose(1_000_000)], [2, 1], locale);
  }
  assert.equal(readPluralForms(pluralForms('fr_FR', 3))?.forms, 3);
});
const LOCALES: readonly (readonly [locale: string, n: number, form: number])[] = [
  ['nl_NL', 1, 0],
  ['nl_NL', 0, 1],
  ['fr_CA', 0, 0],
  ['fr_CA', 2, 1],
  ['pl_PL', 22, 1],
  ['ar', 11, 4],
  ['sr_RS@latin', 21, 0],
  ['xx', 1, 0],
  ['xx', 0, 1],
  ['ja', 7, 0],
  ['lt_LT', 11, 2],
  ['sl_SI', 102, 1],
  ['cy_GB', 6, 4],
];
for (const [locale, n, form] of LOCALES)
  formulas(`${n} takes form ${form} in ${locale}`, () => {
    assert.is(readPluralForms(pluralForms(locale))?.choose(n), form);
  });
formulas.run();

const reading = suite('readPluralForms');
const FORMULAS: readonly string[] = [
  'n != 1',
  '(n > 1)',
  'n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2',
  'n==1 ? 0 : n==2 ? 1 : 2',
  '!(n==1)',
  '0',
  ' n  <  3 ',
  '(n/10 + 2*3 - 1) % 3',
  'n==0 || n==1 && n!=5',
];
for (const text of FORMULAS) {
  reading(`${text} counts as in C`, () => {
    const rule = readPluralForms(`nplurals=3; plural=${text};`);
    // oxlint-disable-next-line no-implied-eval -- the oracle: these operators are the same in C, except for the division
    const oracle = new Function('n', `return Number(${text.replace('n/10', 'Math.trunc(n/10)')})`) as (
      n: number,
    ) => number;
    for (const n of NUMBERS) assert.is(rule?.choose(n), oracle(n), String(n));
  });
}
const WRONG: readonly string[] = [
  '',
  'nplurals=INTEGER; plural=EXPRESSION;',
  'nplurals=2; plural=n',
  'nplurals=2; plural=',
  'nplurals=2; plural=(n!=1',
  'nplurals=2; plural=n!=1);',
  'nplurals=2; plural=n ? 0;',
  'nplurals=2; plural=x;',
  'nplurals=0; plural=0;',
  'nplurals=2; plural=n%0;',
  'nplurals=2; plural=0; plural=1;',
  `nplurals=2; plural=${'('.repeat(2000)}n;`,
  'nplurals=2; plural=n--1;',
];
for (const header of WRONG)
  reading(`refuses "${header.slice(0, 60)}"`, () => {
    assert.is(readPluralForms(header), null);
  });
reading.run();
