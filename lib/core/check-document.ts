import { ANY, describe, FUNCTION, LIST, OBJECT, type OptionRule, TEXT } from './check-options.ts';
import { findUnknownMember, isPlainObject } from './objects.ts';

/** What a value of a document must be, including everything in it. Members are checked if the value is an object, items if it is a list or an object. */
export interface DocumentRule extends OptionRule {
  /** Members of an object. */
  readonly members?: DocumentRules;
  /** The object may have other members as well. */
  readonly isOpen?: true;
  /** Rule of each item of a list, or of each member of an object with arbitrary names. */
  readonly items?: DocumentRule;
  /** What the names of an object with arbitrary names must be. */
  readonly names?: OptionRule;
  /** The value is secret: messages do not show it. */
  readonly secret?: true;
}

/** Rules of the members of an object. */
export type DocumentRules = Readonly<Record<string, DocumentRule>>;

/** A text, which may be empty. */
export const ANY_TEXT: DocumentRule = { wanted: 'a text', fits: (value) => typeof value === 'string' };
/** A list of texts that are not empty. */
export const TEXTS: DocumentRule = listOf(TEXT);
/** An absolute address of the web. */
export const WEB_ADDRESS: DocumentRule = {
  wanted: 'an http or https address',
  fits: (value) =>
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
};

/** An object with these members and no others. */
export function objectOf(members: DocumentRules): DocumentRule {
  return { ...OBJECT, members };
}

/** A list of items that follow one rule. */
export function listOf(items: DocumentRule): DocumentRule {
  return { ...LIST, items };
}

/** An object with arbitrary names, whose values follow one rule. */
export function mapOf(items: DocumentRule, names: OptionRule = ANY): DocumentRule {
  return { ...OBJECT, items, names };
}

/** An object with at least these functions. */
export function withFunctions(...names: readonly string[]): DocumentRule {
  return {
    ...OBJECT,
    isOpen: true,
    members: Object.fromEntries(names.map((name) => [name, { ...FUNCTION, needed: true }])),
  };
}

/** One of the given words. */
export function wordOf(words: readonly string[]): DocumentRule {
  return {
    wanted: `one of ${words.join(', ')}`,
    fits: (value) => typeof value === 'string' && words.includes(value),
  };
}

function joinPlace(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}

function* findInMembers(place: string, value: object, members: DocumentRules): Generator<string> {
  for (const [name, rule] of Object.entries(members)) {
    // The functions of an instance are inherited. A document inherits only what every object does, such as `constructor`.
    const member: unknown =
      isPlainObject(value) && !Object.hasOwn(value, name) ? undefined : Reflect.get(value, name);
    if (member !== undefined) yield* findFaults(joinPlace(place, name), member, rule);
    else if (rule.needed === true) yield `${joinPlace(place, name)} is missing; it must be ${rule.wanted}`;
  }
}

function* findInItems(place: string, value: object, { items, names }: DocumentRule): Generator<string> {
  if (items === undefined) return;
  for (const [name, item] of Object.entries(value)) {
    if (names?.fits(name) === false) yield `${joinPlace(place, name)}: the name is not ${names.wanted}`;
    yield* findFaults(joinPlace(place, name), item, items);
  }
}

function* findInObject(place: string, value: object, rule: DocumentRule): Generator<string> {
  const { members, isOpen } = rule;
  const known = Object.keys(members ?? {});
  const unknown =
    members === undefined || isOpen === true ? undefined : findUnknownMember(value, new Set(known));
  if (unknown !== undefined)
    yield `${joinPlace(place, unknown)}: unknown member; the members are ${known.join(', ')}`;
  yield* findInMembers(place, value, members ?? {});
  yield* findInItems(place, value, rule);
}

/** Yields the mistakes of a document with their places, in its order: `posts[3].status: "publihs" is not one of publish, draft`. Of several unknown members of an object, the first. */
export function* findFaults(place: string, value: unknown, rule: DocumentRule): Generator<string> {
  if (!rule.fits(value)) {
    yield `${place === '' ? 'the document' : place}: ${rule.secret === true ? 'the value' : describe(value)} is not ${rule.wanted}`;
    return;
  }
  if (OBJECT.fits(value)) yield* findInObject(place, value as object, rule);
  if (Array.isArray(value) && rule.items !== undefined)
    for (const [index, item] of value.entries()) yield* findFaults(`${place}[${index}]`, item, rule.items);
}

/**
 * Checks a document that was not compiled against its rule.
 * @throws TypeError naming the first mistake
 */
export function checkDocument(place: string, value: unknown, rule: DocumentRule): void {
  const { value: fault } = findFaults(place, value, rule).next();
  if (fault !== undefined) throw new TypeError(fault as string);
}
