import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import { typesOf } from '../schema/schema.ts';

/** One difference. `at`: the place below the endpoint, such as `args.ids.items.minimum`. `breaks`: whether a client that worked before may fail. */
export interface Difference {
  readonly at: string;
  /** The old value; undefined: none. */
  readonly before: unknown;
  /** The new value; undefined: none. */
  readonly after: unknown;
  readonly breaks: boolean;
}

/** Who sends the value. A request breaks when less is accepted, an answer when more may come. */
type Sender = 'client' | 'server';

/** Whether a keyword accepts less after the change. `undefined`: the keyword is absent. */
type Narrows<T> = (before: T | undefined, after: T | undefined) => boolean;

const isMore: Narrows<number> = (before = -Infinity, after = -Infinity) => after > before;
const isLess: Narrows<number> = (before = Infinity, after = Infinity) => after < before;
// Two expressions cannot be compared, so any other one counts as narrower.
const isOther: Narrows<string> = (before, after) => after !== undefined && after !== before;

function lacksValue(before: readonly unknown[] | undefined, after: readonly unknown[] | undefined): boolean {
  if (after === undefined) return false;
  const values = new Set(after.map((value) => JSON.stringify(value)));
  return before === undefined || before.some((value) => !values.has(JSON.stringify(value)));
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function toList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

const byNumber =
  (rule: Narrows<number>): Narrows<unknown> =>
  (before, after) =>
    rule(toNumber(before), toNumber(after));
const never: Narrows<unknown> = () => false;

/** Every keyword with a plain value. `type`, `required` and those that hold schemas are compared below. */
const KEYWORDS: Readonly<
  Record<
    Exclude<keyof ArgSchema, 'type' | 'required' | 'items' | 'properties' | 'additionalProperties' | 'oneOf'>,
    Narrows<unknown>
  >
> = {
  minimum: byNumber(isMore),
  maximum: byNumber(isLess),
  minLength: byNumber(isMore),
  maxLength: byNumber(isLess),
  minItems: byNumber(isMore),
  maxItems: byNumber(isLess),
  enum: (before, after) => lacksValue(toList(before), toList(after)),
  pattern: (before, after) => isOther(toText(before), toText(after)),
  format: (before, after) => isOther(toText(before), toText(after)),
  uniqueItems: (before, after) => after === true && before !== true,
  default: never,
  description: never,
  title: never,
  context: never,
  readonly: never,
};

/** Every integer is a number. A schema without a type accepts all. */
function lacksType(before: ArgSchema, after: ArgSchema): boolean {
  const accepted = new Set(typesOf(after));
  if (accepted.size === 0) return false;
  const sent = typesOf(before);
  return (
    sent.length === 0 ||
    sent.some((type) => !accepted.has(type) && !(type === 'integer' && accepted.has('number')))
  );
}

/** A client must send the value. A default stands in for a value that was not sent. */
function mustBeSent(schema: ArgSchema | undefined, sender: Sender): boolean {
  return schema?.required === true && (sender === 'server' || schema.default === undefined);
}

/** Whether two values are the same as JSON. */
export const isSame = (before: unknown, after: unknown): boolean =>
  JSON.stringify(before) === JSON.stringify(after);

/** The place and the direction of a comparison. */
interface Compared {
  readonly at: string;
  readonly sender: Sender;
}

const below = ({ at, sender }: Compared, name: string): Compared => ({ at: `${at}.${name}`, sender });

/** Compares in the direction of the sender: what narrows a request breaks it, what narrows an answer does not. */
function directed<T>(
  sender: Sender,
  narrows: (before: T, after: T) => boolean,
): (before: T, after: T) => boolean {
  return sender === 'client' ? narrows : (before, after) => narrows(after, before);
}

function diffKeywords(before: ArgSchema, after: ArgSchema, { at, sender }: Compared): readonly Difference[] {
  const rows = (Object.keys(KEYWORDS) as (keyof typeof KEYWORDS)[]).filter(
    (name) => !isSame(before[name], after[name]),
  );
  const found = rows.map((name): Difference => ({
    at: `${at}.${name}`,
    before: before[name],
    after: after[name],
    breaks: directed(sender, KEYWORDS[name])(before[name], after[name]),
  }));
  if (isSame(typesOf(before), typesOf(after))) return found;
  return [
    ...found,
    {
      at: `${at}.type`,
      before: before.type,
      after: after.type,
      breaks: directed(sender, lacksType)(before, after),
    },
  ];
}

/** Whether the values of one schema all fit another. */
function fitsIn(inner: ArgSchema, outer: ArgSchema): boolean {
  return !diffSchema(inner, outer, { at: '', sender: 'client' }).some(({ breaks }) => breaks);
}

/** A branch is found by the values that it accepts, not by its position. */
function diffBranches(
  before: readonly ArgSchema[] | undefined,
  after: readonly ArgSchema[] | undefined,
  { at, sender }: Compared,
): readonly Difference[] {
  if (isSame(before, after)) return [];
  const narrows = (from: readonly ArgSchema[] | undefined, to: readonly ArgSchema[] | undefined): boolean =>
    to !== undefined &&
    (from === undefined || from.some((branch) => !to.some((each) => fitsIn(branch, each))));
  return [{ at: `${at}.oneOf`, before, after, breaks: directed(sender, narrows)(before, after) }];
}

function diffPart(
  before: ArgSchema | undefined,
  after: ArgSchema | undefined,
  compared: Compared,
): readonly Difference[] {
  return diffSchema(before ?? {}, after ?? {}, compared);
}

/** `true` and an absent keyword accept every member, `false` none. */
function diffOthers(
  before: ArgSchema['additionalProperties'],
  after: ArgSchema['additionalProperties'],
  compared: Compared,
): readonly Difference[] {
  if (isSame(before ?? true, after ?? true)) return [];
  if (typeof before !== 'boolean' && typeof after !== 'boolean') return diffPart(before, after, compared);
  const narrows = (from: unknown, to: unknown): boolean =>
    to === false || (typeof to === 'object' && from !== false);
  return [
    {
      at: compared.at,
      before,
      after,
      breaks: directed(compared.sender, narrows)(before ?? true, after ?? true),
    },
  ];
}

function diffMember(
  before: ArgSchema | undefined,
  after: ArgSchema | undefined,
  compared: Compared,
): readonly Difference[] {
  const { at, sender } = compared;
  // A removed member is no longer read, or no longer sent. A new one breaks a client only if it must send it.
  if (after === undefined) return [{ at, before, after, breaks: true }];
  if (before === undefined)
    return [{ at, before, after, breaks: sender === 'client' && mustBeSent(after, sender) }];
  const [must, mustNow] = [mustBeSent(before, sender), mustBeSent(after, sender)];
  const breaks = sender === 'client' ? mustNow && !must : must && !mustNow;
  const required: readonly Difference[] =
    (before.required === true) === (after.required === true) && !breaks
      ? []
      : [{ at: `${at}.required`, before: before.required ?? false, after: after.required ?? false, breaks }];
  return [...required, ...diffSchema(before, after, compared)];
}

/** Compares the members of an object, or the parameters of an endpoint. */
export function diffMembers(
  before: ArgSchemas = {},
  after: ArgSchemas = {},
  compared: Compared,
): readonly Difference[] {
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((name) =>
    diffMember(old.get(name), current.get(name), below(compared, name)),
  );
}

/** Compares two schemas. Texts and defaults are told but break nothing. */
export function diffSchema(before: ArgSchema, after: ArgSchema, compared: Compared): readonly Difference[] {
  return [
    ...diffKeywords(before, after, compared),
    ...(before.items === undefined && after.items === undefined
      ? []
      : diffPart(before.items, after.items, below(compared, 'items'))),
    ...diffMembers(before.properties, after.properties, below(compared, 'properties')),
    ...diffOthers(
      before.additionalProperties,
      after.additionalProperties,
      below(compared, 'additionalProperties'),
    ),
    ...diffBranches(before.oneOf, after.oneOf, compared),
  ];
}
