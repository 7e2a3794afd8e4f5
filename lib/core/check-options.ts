import { suggest } from './did-you-mean.ts';
import { findUnknownMember, isObject, own } from './objects.ts';
import { isHeaderName } from './text.ts';
import { messageOf } from './thrown.ts';

/** What an option must be, and how that is tested. `wanted`: for messages, such as 'a text'. `fits`: whether a value is right. */
export interface OptionRule {
  readonly wanted: string;
  readonly fits: (value: unknown) => boolean;
  /** The option is required. */
  readonly needed?: true;
}

export type OptionRules = Readonly<Record<string, OptionRule>>;

const LONGEST = 80;

/** A function. */
export const FUNCTION: OptionRule = { wanted: 'a function', fits: (value) => typeof value === 'function' };
/** A boolean. */
export const FLAG: OptionRule = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' };
export const OBJECT: OptionRule = { wanted: 'an object', fits: isObject };
export const LIST: OptionRule = { wanted: 'a list', fits: Array.isArray };
/** A text with at least one character. */
export const TEXT: OptionRule = {
  wanted: 'a text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '',
};
/** A text of this form. `wanted`: for messages. */
export const inForm = (form: RegExp, wanted: string): OptionRule => ({
  wanted,
  fits: (value) => typeof value === 'string' && form.test(value),
});
export const ANY: OptionRule = { wanted: 'anything', fits: () => true };
/** Names of headers. `*` stands for none: with credentials it would be a name. */
export const HEADER_NAMES: OptionRule = {
  wanted: 'a list of names of headers, such as ["X-Key"]',
  fits: (value) => Array.isArray(value) && value.every(isHeaderName),
};

/** A whole number of 1 or more. */
export function countUpTo(most: number = Number.MAX_SAFE_INTEGER): OptionRule {
  return {
    wanted:
      most === Number.MAX_SAFE_INTEGER ? 'a whole number of 1 or more' : `a whole number from 1 to ${most}`,
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most,
  };
}

/** Objects are described only by their kind, because their content may be secret. */
export function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value !== 'string' && !Array.isArray(value))
    return typeof value === 'object' && value !== null ? 'an object' : String(value);
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each,
  );
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** @throws TypeError `siteUrl of the options of createServer is 5; it must be …` */
export function checkOption(
  [name, what]: readonly [name: string, what: string],
  value: unknown,
  { fits, wanted }: OptionRule,
): void {
  if (!fits(value)) throw new TypeError(`${name} of ${what} is ${describe(value)}; it must be ${wanted}`);
}

/** Checks options that were not compiled against their rules. An option may be absent unless it is needed. @throws TypeError naming the first mistake */
export function checkOptions(what: string, value: unknown, rules: OptionRules): void {
  if (!OBJECT.fits(value)) throw new TypeError(`${what} are ${describe(value)}; they must be an object`);
  const options = value as Readonly<Record<string, unknown>>;
  checkMembers(what, options, Object.keys(rules));
  for (const [name, rule] of Object.entries(rules))
    if (options[name] !== undefined || rule.needed === true) checkOption([name, what], options[name], rule);
}

/** Runs the function and prefixes the message of its error with the place. @throws TypeError `${where}: …` */
export function atPlace<T>(where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new TypeError(`${where}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Longest list of names that is shown beside the nearest of them. */
const MOST_NAMES = 12;

/** What to write instead of a name that is not known: what it is called here, the nearest name, or one of all names. `foreign`: what other libraries call it. */
export function adviseOn(
  unknown: string,
  known: readonly string[],
  { what, foreign = {} }: { readonly what: string; readonly foreign?: Readonly<Record<string, string>> },
): string {
  const here = own(foreign, unknown);
  if (here !== undefined) return `; ${here}`;
  const nearest = suggest(unknown, known);
  return nearest !== '' && known.length > MOST_NAMES
    ? `.${nearest}`
    : `; the ${what} are ${known.join(', ')}${nearest === '' ? '' : `.${nearest}`}`;
}

/** Rejects unknown members, so that a misspelt name is not silently ignored. @throws TypeError naming the first unknown member */
export function checkMembers(what: string, value: object, known: readonly string[]): void {
  const unknown = findUnknownMember(value, new Set(known));
  if (unknown !== undefined)
    throw new TypeError(
      `unknown member "${unknown}" of ${what}${adviseOn(unknown, known, { what: 'members' })}`,
    );
}
