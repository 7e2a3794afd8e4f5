type Formula = (n: number) => number;

/** Operators of C by rising precedence. All of them are left-associative. */
const LEVELS: readonly ReadonlyMap<string, (a: number, b: number) => number>[] = [
  new Map([['||', (a, b) => Number(a !== 0 || b !== 0)]]),
  new Map([['&&', (a, b) => Number(a !== 0 && b !== 0)]]),
  new Map([
    ['==', (a, b) => Number(a === b)],
    ['!=', (a, b) => Number(a !== b)],
  ]),
  new Map([
    ['<', (a, b) => Number(a < b)],
    ['<=', (a, b) => Number(a <= b)],
    ['>', (a, b) => Number(a > b)],
    ['>=', (a, b) => Number(a >= b)],
  ]),
  new Map([
    ['+', (a, b) => a + b],
    ['-', (a, b) => a - b],
  ]),
  new Map([
    ['*', (a, b) => a * b],
    ['/', (a, b) => Math.trunc(a / b)],
    ['%', (a, b) => a % b],
  ]),
];
const TOKEN = /\s*(\d{1,10}|\|\||&&|[=!<>]=|[-n<>+*/%!?:()])/y;
/** Maximum length of a header. It bounds the depth of a formula, too. */
const MAX_LENGTH = 600;
const HEADER = /^\s*nplurals\s*=\s*([1-9])\s*;\s*plural\s*=([^;]+);?$/;
/** The numbers with which `msgfmt -c` tries a formula. */
const TRIED = 1000;

function toTokens(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let done = 0; done < text.trimEnd().length; done = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return null;
    tokens.push(token);
  }
  return tokens.toReversed();
}

const apply =
  (operator: (a: number, b: number) => number, left: Formula, right: Formula): Formula =>
  (n) =>
    operator(left(n), right(n));

/** Reads a formula from a list of tokens in reverse order. null: the text is not a formula. */
class FormulaReader {
  readonly #tokens: string[];

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  read(): Formula | null {
    const formula = this.#choice();
    return this.#tokens.length === 0 ? formula : null;
  }

  #take(token: string): boolean {
    if (this.#tokens.at(-1) !== token) return false;
    this.#tokens.pop();
    return true;
  }

  #choice(): Formula | null {
    const condition = this.#binary(0);
    if (condition === null || !this.#take('?')) return condition;
    const yes = this.#choice();
    if (yes === null || !this.#take(':')) return null;
    const no = this.#choice();
    return no === null ? null : (n) => (condition(n) !== 0 ? yes(n) : no(n));
  }

  #binary(level: number): Formula | null {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#single();
    let left = this.#binary(level + 1);
    for (
      let operator = operators.get(this.#tokens.at(-1) ?? '');
      left !== null && operator !== undefined;
      operator = operators.get(this.#tokens.at(-1) ?? '')
    ) {
      this.#tokens.pop();
      const second = this.#binary(level + 1);
      left = second === null ? null : apply(operator, left, second);
    }
    return left;
  }

  #single(): Formula | null {
    const token = this.#tokens.pop() ?? '';
    if (token === 'n') return (n) => n;
    if (/^\d/.test(token)) return () => Number(token);
    const inner = token === '!' ? this.#single() : token === '(' ? this.#choice() : null;
    if (inner === null) return null;
    if (token === '!') return (n) => Number(inner(n) === 0);
    return this.#take(')') ? inner : null;
  }
}

/** The rule of a `Plural-Forms` header: the number of forms, and which of them a number takes. */
interface PluralRule {
  readonly forms: number;
  readonly choose: (n: number) => number;
}

/** Reads a `Plural-Forms` header. null: it is not valid, or its formula chooses a form that does not exist. */
export function readPluralForms(header: string): PluralRule | null {
  const [, count = '', text = ''] = HEADER.exec(header.slice(0, MAX_LENGTH).trimEnd()) ?? [];
  const tokens = toTokens(text);
  const choose = tokens === null ? null : new FormulaReader(tokens).read();
  if (choose === null) return null;
  const forms = Number(count);
  for (let n = 0; n <= TRIED; n += 1) {
    const form = choose(n);
    if (!(form >= 0 && form < forms)) return null;
  }
  return { forms, choose };
}

/**
 * Plural rules for whole numbers by language, from CLDR 48 (`supplemental/plurals.json`, cardinal): the conditions of all forms but the
 * last in their order, and the languages. Conditions stand as in CLDR (UTS 35, part 3, 5.1). Forms that only fractions take are left out.
 */
export const PLURAL_RULES: readonly (readonly [conditions: readonly string[], languages: string])[] = [
  [
    ['n = 1'],
    'af an asa az bal bem bez bg brx ce cgg chr ckb dv ee el eo eu fo fur gsw ha haw hu jgo jmc ka kaj kcg kk kkj kl ks ksb ku ky lb lg mas mgo ml mn mr nah nb nd ne nn nnh no nr ny nyn om or os pap ps rm rof rwk saq sd sdh seh sn so sq ss ssy st syr ta te teo tig tk tn tr ts ug uz ve vo vun wae xh xog',
  ],
  [['n = 0..1'], 'ak bho csw guw ln mg nso pa ti wa'],
  [['i = 0 or n = 1'], 'am as bn doi fa gu hi kn kok kok-Latn pcm zu'],
  [['n = 0', 'n = 1', 'n = 2', 'n % 100 = 3..10', 'n % 100 = 11..99'], 'ar ars'],
  [['i = 1 and v = 0'], 'ast de en et fi fy gl ia ie io lij nl sc sv sw ur yi'],
  [['n % 10 = 1 and n % 100 != 11', 'n % 10 = 2..4 and n % 100 != 12..14'], 'be'],
  [['n = 0', 'n = 1'], 'blo cv ksh'],
  [
    [],
    'bm bo dz hnj id ig ii ja jbo jv jw kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi und vi wo yo yue zh',
  ],
  [
    [
      'n % 10 = 1 and n % 100 != 11,71,91',
      'n % 10 = 2 and n % 100 != 12,72,92',
      'n % 10 = 3..4,9 and n % 100 != 10..19,70..79,90..99',
      'n != 0 and n % 1000000 = 0',
    ],
    'br',
  ],
  [
    [
      'v = 0 and i % 10 = 1 and i % 100 != 11 or f % 10 = 1 and f % 100 != 11',
      'v = 0 and i % 10 = 2..4 and i % 100 != 12..14 or f % 10 = 2..4 and f % 100 != 12..14',
    ],
    'bs hr sh sr',
  ],
  [
    ['i = 1 and v = 0', 'e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5'],
    'ca it lld pt-PT scn vec',
  ],
  [['v = 0 and i = 1,2,3 or v = 0 and i % 10 != 4,6,9 or v != 0 and f % 10 != 4,6,9'], 'ceb fil tl'],
  [['i = 1 and v = 0', 'i = 2..4 and v = 0'], 'cs sk'],
  [['n = 0', 'n = 1', 'n = 2', 'n = 3', 'n = 6'], 'cy'],
  [['n = 1 or t != 0 and i = 0,1'], 'da'],
  [
    [
      'v = 0 and i % 100 = 1 or f % 100 = 1',
      'v = 0 and i % 100 = 2 or f % 100 = 2',
      'v = 0 and i % 100 = 3..4 or f % 100 = 3..4',
    ],
    'dsb hsb',
  ],
  [['n = 1', 'e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5'], 'es'],
  [['i = 0,1'], 'ff hy kab'],
  [['i = 0,1', 'e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5'], 'fr'],
  [['n = 1', 'n = 2', 'n = 3..6', 'n = 7..10'], 'ga'],
  [['n = 1,11', 'n = 2,12', 'n = 3..10,13..19'], 'gd'],
  [['v = 0 and i % 10 = 1', 'v = 0 and i % 10 = 2', 'v = 0 and i % 100 = 0,20,40,60,80'], 'gv'],
  [['i = 1 and v = 0 or i = 0 and v != 0', 'i = 2 and v = 0'], 'he'],
  [['t = 0 and i % 10 = 1 and i % 100 != 11 or t % 10 = 1 and t % 100 != 11'], 'is'],
  [['n = 1', 'n = 2'], 'iu naq sat se sma smi smj smn sms'],
  [
    [
      'n = 0',
      'n = 1',
      'n % 100 = 2,22,42,62,82 or n % 1000 = 0 and n % 100000 = 1000..20000,40000,60000,80000 or n != 0 and n % 1000000 = 100000',
      'n % 100 = 3,23,43,63,83',
      'n != 1 and n % 100 = 1,21,41,61,81',
    ],
    'kw',
  ],
  [['n = 0', 'i = 0,1 and n != 0'], 'lag'],
  [['n % 10 = 1 and n % 100 != 11..19', 'n % 10 = 2..9 and n % 100 != 11..19'], 'lt'],
  [
    [
      'n % 10 = 0 or n % 100 = 11..19 or v = 2 and f % 100 = 11..19',
      'n % 10 = 1 and n % 100 != 11 or v = 2 and f % 10 = 1 and f % 100 != 11 or v != 2 and f % 10 = 1',
    ],
    'lv prg',
  ],
  [['v = 0 and i % 10 = 1 and i % 100 != 11 or f % 10 = 1 and f % 100 != 11'], 'mk'],
  [['i = 1 and v = 0', 'v != 0 or n = 0 or n != 1 and n % 100 = 1..19'], 'mo ro'],
  [['n = 1', 'n = 2', 'n = 0 or n % 100 = 3..10', 'n % 100 = 11..19'], 'mt'],
  [['i = 1 and v = 0', 'v = 0 and i % 10 = 2..4 and i % 100 != 12..14'], 'pl'],
  [['i = 0..1', 'e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5'], 'pt'],
  [['v = 0 and i % 10 = 1 and i % 100 != 11', 'v = 0 and i % 10 = 2..4 and i % 100 != 12..14'], 'ru uk'],
  [['n % 10 = 1 and n % 100 != 11', 'n = 2', 'n != 2 and n % 10 = 2..9 and n % 100 != 11..19'], 'sgs'],
  [['i = 0 or n = 1', 'n = 2..10'], 'shi'],
  [['n = 0,1 or i = 0 and f = 1'], 'si'],
  [['v = 0 and i % 100 = 1', 'v = 0 and i % 100 = 2', 'v = 0 and i % 100 = 3..4 or v != 0'], 'sl'],
  [['n = 0..1 or n = 11..99'], 'tzm'],
];

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
