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
export interface PluralRule {
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
