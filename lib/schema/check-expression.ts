// How much a regular expression of a descriptor costs. JavaScript tries one way to match after the other, so that repetitions
// that can share characters multiply each other: `^.*.*x$` takes the square of a text's length. This finds them without trying texts.

import { createMemo } from '../core/memo.ts';

/** A part of an expression: characters of one kind, and how many of them. */
interface Part {
  /** Each matches one character. */
  readonly kinds: readonly string[];
  readonly least: number;
  readonly most: number;
  /** The groups and choices around it, from outside to inside. */
  readonly scopes: readonly Scope[];
}

/** One branch of a group. The expression as a whole is a group as well. */
interface Scope {
  readonly group: object;
  /** Whether a match can do without it: it is one of several branches, or its group is optional. */
  isOptional: boolean;
}

interface Group {
  readonly scopes: Scope[];
  /** Index of its first part. */
  readonly first: number;
}

interface Parts {
  readonly parts: readonly Part[];
  /** In how many ways choices and optional groups can be taken. */
  readonly ways: number;
  readonly isAnchored: boolean;
}

const TOKEN =
  /(?<open>\((?:\?(?:[:=!]|<[=!]|<\w+>))?)|(?<close>\))|(?<or>\|)|(?<place>[$^]|\\[bB])|(?<again>\\(?:[1-9]\d*|k<\w+>))|(?<kind>\\(?:[pPu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)|\[(?:\\.|[^\]\\])*(?:\]|$)|[^\\])/giy;
const COUNT = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const ANY = '[^]';

const isVariable = ({ least, most }: Part): boolean => least !== most;

/** Reads an expression from left to right. @throws TypeError for a repetition with a repetition or a choice in it */
class PartReader {
  readonly #parts: Part[] = [];
  readonly #groups: Group[] = [];
  #ways = 1;

  read(expression: string): Parts {
    this.#open();
    let at = 0;
    while (at < expression.length) {
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(expression)?.groups ?? {};
      at = TOKEN.lastIndex;
      const [least, most, length] =
        token['close'] === undefined && token['kind'] === undefined
          ? ([1, 1, 0] as const)
          : toCount(expression, at);
      at += length;
      if (token['open'] !== undefined) this.#open();
      else if (token['or'] !== undefined)
        this.#groups.at(-1)?.scopes.push({ group: this.#groups.at(-1) as Group, isOptional: true });
      else if (token['close'] !== undefined) this.#close(least, most);
      else if (token['again'] !== undefined) this.#add([ANY], 0, Infinity);
      else if (token['kind'] !== undefined) this.#add([token['kind']], least, most);
    }
    const [whole] = this.#groups;
    const isAnchored = expression.startsWith('^') && whole?.scopes.length === 1;
    this.#close(1, 1);
    return { parts: this.#parts, ways: this.#ways, isAnchored };
  }

  #open(): void {
    const group: Group = { scopes: [], first: this.#parts.length };
    group.scopes.push({ group, isOptional: false });
    this.#groups.push(group);
  }

  #add(kinds: readonly string[], least: number, most: number): void {
    this.#parts.push({
      kinds,
      least,
      most,
      scopes: this.#groups.map(({ scopes }) => scopes.at(-1) as Scope),
    });
  }

  #close(least: number, most: number): void {
    const { scopes, first } = this.#groups.pop() as Group;
    const inner = this.#parts.slice(first);
    this.#ways *= scopes.length * (least === 0 && most === 1 ? 2 : 1);
    if (most < 2) {
      if (scopes.length > 1 || least === 0) for (const scope of scopes) scope.isOptional = true;
      return;
    }
    const isFixed = (part: Part): boolean =>
      !isVariable(part) && !part.scopes.slice(this.#groups.length).some((scope) => scope.isOptional);
    if (scopes.length > 1 || !inner.every(isFixed))
      throw new TypeError('a repetition or a choice within a repetition can take exponential time');
    this.#parts.length = first;
    const size = inner.reduce((sum, part) => sum + part.most, 0);
    if (size > 0)
      this.#add(
        inner.flatMap(({ kinds }) => kinds),
        least * size,
        most * size,
      );
  }
}

function toCount(expression: string, at: number): readonly [least: number, most: number, length: number] {
  COUNT.lastIndex = at;
  const [count = '', least, comma, most] = COUNT.exec(expression) ?? [];
  if (count === '') return [1, 1, 0];
  if (least === undefined)
    return [count.startsWith('+') ? 1 : 0, count.startsWith('?') ? 1 : Infinity, count.length];
  return [
    Number(least),
    comma === undefined ? Number(least) : most === '' ? Infinity : Number(most),
    count.length,
  ];
}

/** All characters of the basic plane except halves of pairs, and one beyond it. */
let alphabet = '';

/** Whether one character is of all kinds. */
function overlaps(kinds: readonly (readonly string[])[], flags: string): boolean {
  // Not in one call of fromCharCode: as arguments they need half of the stack.
  alphabet ||= [
    ...Array.from({ length: 0xd800 }, (_, code) => code),
    ...Array.from({ length: 0x2000 }, (_, code) => 0xe000 + code),
    0x1f600,
  ]
    .map((code) => String.fromCodePoint(code))
    .join('');
  return new RegExp(`${kinds.map((each) => `(?=${each.join('|')})`).join('')}${ANY}`, flags).test(alphabet);
}

/** Whether both repetitions can match the same characters, so that each division of these is tried. */
function competes(
  earlier: Part,
  later: Part,
  { parts, flags }: { readonly parts: readonly Part[]; readonly flags: string },
): boolean {
  const isElsewhere = earlier.scopes.some((scope) =>
    later.scopes.some((other) => other.group === scope.group && other !== scope),
  );
  if (isElsewhere || !overlaps([earlier.kinds, later.kinds], flags)) return false;
  // What must stand between them.
  const between = parts
    .slice(parts.indexOf(earlier) + 1, parts.indexOf(later))
    .filter(
      ({ least, scopes }) =>
        least > 0 &&
        scopes.every(
          (scope) => !scope.isOptional || earlier.scopes.includes(scope) || later.scopes.includes(scope),
        ),
    );
  return between.every(({ kinds }) => overlaps([earlier.kinds, later.kinds, kinds], flags));
}

/** Repetitions at the end of an expression never have to try again. */
function withoutEnd(parts: readonly Part[], expression: string): readonly Part[] {
  const kept = [...parts];
  for (
    let last = kept.at(-1);
    !expression.endsWith('$') && last !== undefined && last.scopes.length === 1 && isVariable(last);
    last = kept.at(-1)
  ) {
    kept.pop();
    if (last.least > 0) kept.push({ ...last, most: last.least });
  }
  return kept;
}

/** The same search without `.*` at its beginning, which does not change whether a text matches. */
export const toSearch = (expression: string): string => expression.replace(/^\.\*\??/, '');

/** Steps that take a few milliseconds. */
const MOST_STEPS = 2_000_000;
/** Most steps for each character of a text of any length. */
const MOST_WAYS = 100;

const remember = createMemo<number>(5_000);

/**
 * The longest text for which an expression takes at most some 10 ms; Infinity if its time grows only with the length. `count`: how many
 * such texts one request can have.
 * @throws TypeError for one that can take exponential time, SyntaxError for one that cannot be compiled
 */
export function findLongest(expression: string, flags: string, count = 1): number {
  return remember(`${flags} ${count} ${expression}`, () => judge(expression, flags, count));
}

function judge(expression: string, flags: string, count: number): number {
  const search = new RegExp(toSearch(expression), flags).source;
  const { parts: all, ways, isAnchored } = new PartReader().read(search);
  const parts = [
    ...(isAnchored ? [] : [{ kinds: [ANY], least: 0, most: Infinity, scopes: [] }]),
    ...withoutEnd(all, search),
  ];
  const variable = parts.filter(isVariable);
  const spans = variable
    .filter((part, index) =>
      variable.slice(0, index).some((earlier) => competes(earlier, part, { parts, flags })),
    )
    .map(({ least, most }) => most - least + 1);
  const isBounded = parts.every(({ most }) => most < Infinity);
  const steps = (length: number): number =>
    spans.reduce((product, span, index) => product * Math.min(span, 1 + length / (index + 2)), ways * length);
  if (
    isBounded
      ? steps(parts.reduce((sum, { most }) => sum + most, 1)) <= MOST_STEPS
      : spans.reduce((product, span) => product * span, ways) <= MOST_WAYS
  )
    return Infinity;
  let longest = 0;
  for (let step = MOST_STEPS; step >= 1; step = Math.floor(step / 2))
    if (count * steps(longest + step) <= MOST_STEPS) longest += step;
  return longest;
}
