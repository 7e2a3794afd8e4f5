import { PLURAL_RULES } from './plural-rules.ts';

const BY_LANGUAGE: ReadonlyMap<string, readonly string[]> = new Map(
  PLURAL_RULES.flatMap(([conditions, languages]) =>
    languages.split(' ').map((language) => [language, conditions]),
  ),
);
const ENGLISH: readonly string[] = ['n = 1'];

// UTS 35, part 3, 5.1.1: a relation such as `n % 100 = 2..4,9`. For whole numbers, `i` is the number itself and the other operands are 0.
const RELATION = /^([niveftwc])(?: % (\d+))? (!?=) ([\d.,]+)$/;

function toComparison(operand: string, range: string): string {
  const [from = '', to] = range.split('..');
  if (to === undefined) return `${operand}==${from}`;
  return from === '0' ? `${operand}<=${to}` : `(${operand}>=${from} && ${operand}<=${to})`;
}

/** A relation in C; true or false if it does not depend on the number. */
function toRelation(text: string): string | boolean {
  const [, letter = '', modulus, sign, list = ''] = RELATION.exec(text) ?? [];
  const ranges = list.split(',');
  if (letter === '') throw new TypeError(`"${text}" is not a relation of a plural rule`);
  if (letter !== 'n' && letter !== 'i')
    return ranges.some((range) => /^0(?:\.\.|$)/.test(range)) === (sign === '=');
  const operand = modulus === undefined ? 'n' : `n%${modulus}`;
  const equal = ranges.map((range) => toComparison(operand, range)).join(' || ');
  if (sign === '=') return ranges.length === 1 ? equal : `(${equal})`;
  return ranges.length === 1 && !equal.includes('>') ? equal.replace('==', '!=') : `!(${equal})`;
}

/** Joins the parts. `deciding`: the value of a part that decides the whole. */
function join(parts: readonly (string | boolean)[], sign: '&&' | '||', deciding: boolean): string | boolean {
  if (parts.includes(deciding)) return deciding;
  const open = parts.filter((part) => typeof part === 'string');
  return open.length === 0 ? !deciding : open.join(` ${sign} `);
}

const toCondition = (condition: string): string | boolean =>
  join(
    condition.split(' or ').map((either) => join(either.split(' and ').map(toRelation), '&&', false)),
    '||',
    true,
  );

/** The form of large round numbers in French, Spanish and some other languages. Most translations do not have it. */
const isCompact = (condition: string): boolean => condition.startsWith('e = 0');

function toHeader(conditions: readonly string[]): string {
  const choice = conditions
    .map((condition, index) => `${String(toCondition(condition))} ? ${index} : `)
    .join('');
  return `nplurals=${conditions.length + 1}; plural=(${choice}${conditions.length});`;
}

/**
 * The `Plural-Forms` header of a .mo file in this locale (`fr_FR`), by the rules of CLDR. Of the two rules of a language with a form for
 * large round numbers, the one with it is used if `forms`, the number of forms of the texts, says so. An unknown language has the rule of English.
 */
export function pluralForms(locale: string, forms = 0): string {
  const tag = (locale.split('@')[0] ?? '').replaceAll('_', '-');
  const rule = BY_LANGUAGE.get(tag) ?? BY_LANGUAGE.get(tag.split('-')[0] ?? '') ?? ENGLISH;
  return toHeader(rule.length + 1 === forms ? rule : rule.filter((condition) => !isCompact(condition)));
}
