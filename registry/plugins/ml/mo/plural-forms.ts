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
 * Plural rules for whole numbers by language, from CLDR 48 (`supplemental/plurals.json`, cardinal), in C: when a number takes each form but
 * the last one, and the languages.
 */
export const PLURAL_RULES: readonly (readonly [conditions: readonly string[], languages: string])[] = [
  [
    [],
    'bm bo dz hnj id ig ii ja jbo jv jw kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi und vi wo yo yue zh',
  ],
  [
    ['n==1'],
    'af an asa ast az bal bem bez bg brx ca ce cgg chr ckb da de dv ee el en eo es et eu fi fo fur fy gl gsw ha haw hu ia ie io it jgo jmc ka kaj kcg kk kkj kl ks ksb ku ky lb lg lij lld mas mgo ml mn mr nah nb nd ne nl nn nnh no nr ny nyn om or os pap ps pt-PT rm rof rwk saq sc scn sd sdh seh sn so sq ss ssy st sv sw syr ta te teo tig tk tn tr ts ug ur uz ve vec vo vun wae xh xog yi',
  ],
  [['n<=1'], 'ak bho csw guw ln mg nso pa pt ti wa'],
  [['n==0 || n==1'], 'am as bn doi fa ff fr gu hi hy kab kn kok kok-Latn pcm si zu'],
  [['(n==1 || n==2 || n==3) || !(n%10==4 || n%10==6 || n%10==9)'], 'ceb fil tl'],
  [['n%10==1 && n%100!=11'], 'is mk'],
  [['n<=1 || (n>=11 && n<=99)'], 'tzm'],
  [['n%10==1 && n%100!=11', '(n%10>=2 && n%10<=4) && !(n%100>=12 && n%100<=14)'], 'be bs hr ru sh sr uk'],
  [['n==0', 'n==1'], 'blo cv ksh'],
  [['n==1', 'n>=2 && n<=4'], 'cs sk'],
  [['n==1', 'n==2'], 'he iu naq sat se sma smi smj smn sms'],
  [['n==0', '(n==0 || n==1) && n!=0'], 'lag'],
  [['n%10==1 && !(n%100>=11 && n%100<=19)', '(n%10>=2 && n%10<=9) && !(n%100>=11 && n%100<=19)'], 'lt'],
  [['n%10==0 || (n%100>=11 && n%100<=19)', 'n%10==1 && n%100!=11'], 'lv prg'],
  [['n==1', 'n==0 || n!=1 && (n%100>=1 && n%100<=19)'], 'mo ro'],
  [['n==1', '(n%10>=2 && n%10<=4) && !(n%100>=12 && n%100<=14)'], 'pl'],
  [['n==0 || n==1', 'n>=2 && n<=10'], 'shi'],
  [['n%100==1', 'n%100==2', 'n%100>=3 && n%100<=4'], 'dsb hsb sl'],
  [['n==1 || n==11', 'n==2 || n==12', '(n>=3 && n<=10) || (n>=13 && n<=19)'], 'gd'],
  [['n%10==1', 'n%10==2', 'n%100==0 || n%100==20 || n%100==40 || n%100==60 || n%100==80'], 'gv'],
  [['n%10==1 && n%100!=11', 'n==2', 'n!=2 && (n%10>=2 && n%10<=9) && !(n%100>=11 && n%100<=19)'], 'sgs'],
  [
    [
      'n%10==1 && !(n%100==11 || n%100==71 || n%100==91)',
      'n%10==2 && !(n%100==12 || n%100==72 || n%100==92)',
      '((n%10>=3 && n%10<=4) || n%10==9) && !((n%100>=10 && n%100<=19) || (n%100>=70 && n%100<=79) || (n%100>=90 && n%100<=99))',
      'n!=0 && n%1000000==0',
    ],
    'br',
  ],
  [['n==1', 'n==2', 'n>=3 && n<=6', 'n>=7 && n<=10'], 'ga'],
  [['n==1', 'n==2', 'n==0 || (n%100>=3 && n%100<=10)', 'n%100>=11 && n%100<=19'], 'mt'],
  [['n==0', 'n==1', 'n==2', 'n%100>=3 && n%100<=10', 'n%100>=11 && n%100<=99'], 'ar ars'],
  [['n==0', 'n==1', 'n==2', 'n==3', 'n==6'], 'cy'],
  [
    [
      'n==0',
      'n==1',
      '(n%100==2 || n%100==22 || n%100==42 || n%100==62 || n%100==82) || n%1000==0 && ((n%100000>=1000 && n%100000<=20000) || n%100000==40000 || n%100000==60000 || n%100000==80000) || n!=0 && n%1000000==100000',
      'n%100==3 || n%100==23 || n%100==43 || n%100==63 || n%100==83',
      'n!=1 && (n%100==1 || n%100==21 || n%100==41 || n%100==61 || n%100==81)',
    ],
    'kw',
  ],
];

/** Languages with one more form before the last one, for large round numbers. Most translations do not have it. */
const WITH_LARGE: ReadonlySet<string> = new Set('ca es fr it lld pt pt-PT scn vec'.split(' '));
const LARGE = 'n!=0 && n%1000000==0';

const BY_LANGUAGE: ReadonlyMap<string, readonly string[]> = new Map(
  PLURAL_RULES.flatMap(([conditions, languages]) =>
    languages.split(' ').map((language) => [language, conditions]),
  ),
);

/**
 * The `Plural-Forms` header of a .mo file in this locale (`fr_FR`), by the rules of CLDR. A language has its form for large round numbers
 * only if `forms`, the number of forms of the texts, says so. An unknown language has the rule of English.
 */
export function pluralForms(locale: string, forms = 0): string {
  const tag = (locale.split('@')[0] ?? '').replaceAll('_', '-');
  const language = [tag, tag.split('-')[0] ?? ''].find((each) => BY_LANGUAGE.has(each)) ?? 'en';
  const rule = BY_LANGUAGE.get(language) ?? [];
  const all = WITH_LARGE.has(language) && rule.length + 2 === forms ? [...rule, LARGE] : rule;
  const choices = all.map((condition, index) => `${condition} ? ${index} : `).join('');
  return `nplurals=${all.length + 1}; plural=(${choices}${all.length});`;
}
