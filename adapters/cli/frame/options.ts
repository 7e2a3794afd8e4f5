import { parseArgs, type ParseArgsConfig } from 'node:util';
import { suggest } from '../../../lib/core/did-you-mean.ts';
import { own } from '../../../lib/core/objects.ts';
import { trimEnd } from '../../../lib/core/text.ts';
import { messageOf } from '../../../lib/core/thrown.ts';
import { isSiteUrl } from '../../../lib/http/address.ts';
import { ORIGINS } from '../../../lib/http/cross-site.ts';
import { toIndented } from './output.ts';

/** One option of a program. `value` is its placeholder in the help; an option without it is a switch. */
export interface CliOption {
  /** Name of the value in `--help`, such as `FILE`. Absent: the option is a flag. */
  readonly value?: string;
  /** Value of an option that is not given. */
  readonly default?: string;
  /** Sentence of `--help`. */
  readonly help: string;
}

/** Options by name, without the hyphens. */
export type CliOptions = Readonly<Record<string, CliOption>>;

/** The parsed options: a string for an option with a value, a boolean for a switch. */
export type CliValues<T extends CliOptions> = {
  readonly [K in keyof T]: T[K] extends { readonly value: string }
    ? T[K] extends { readonly default: string }
      ? string
      : string | undefined
    : boolean;
};

/** The arguments do not fit the command. The exit code is 2. */
export class UsageError extends TypeError {}

/** Options with their values, and the other arguments in order. */
interface CliArguments<T extends CliOptions> {
  readonly values: CliValues<T>;
  readonly rest: readonly string[];
}

/** @throws UsageError that names the unknown option and the nearest known one */
function checkKnown(options: CliOptions, given: readonly string[]): void {
  const unknown = given.find((name) => !Object.hasOwn(options, name));
  if (unknown === undefined) return;
  const names = Object.keys(options);
  const dashes = unknown.length === 1 ? '-' : '--';
  throw new UsageError(
    `Unknown option '${dashes}${unknown}'.${suggest(unknown, names, (name) => `--${name}`)} Known options: ${names.map((name) => `--${name}`).join(', ')}`,
  );
}

/**
 * Reads the arguments of a program.
 * @throws UsageError that names an unknown option, and the nearest one, or an option without its value
 */
export function readArguments<T extends CliOptions>(options: T, args: readonly string[]): CliArguments<T> {
  const config: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      option.value === undefined ? { type: 'boolean' } : { type: 'string', default: option.default },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  checkKnown(
    options,
    tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: config,
      strict: true,
      allowPositionals: true,
    });
    return {
      values: Object.fromEntries(
        Object.entries(options).map(([name, option]) => [
          name,
          own(values, name) ?? (option.value === undefined ? false : undefined),
        ]),
      ) as CliValues<T>,
      rest: positionals,
    };
  } catch (error) {
    const [reason] = messageOf(error).split('\n');
    throw new UsageError(reason, { cause: error });
  }
}

/** Reads the arguments of a program that takes options alone. @throws UsageError as `readArguments`, and for any other argument */
export function readOptions<T extends CliOptions>(options: T, args: readonly string[]): CliValues<T> {
  const {
    values,
    rest: [extra],
  } = readArguments(options, args);
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  return values;
}

/** `--port N` and its help with the default value. */
export function describeOption([name, option]: readonly [name: string, option: CliOption]): readonly [
  left: string,
  right: string,
] {
  return [
    `--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    `${option.help}${option.default === undefined ? '' : ` Default: ${option.default}.`}`,
  ];
}

/** The help text, one line per option. */
export function describeOptions(options: CliOptions): string {
  return toIndented(Object.entries(options).map(describeOption));
}

/** Parses a whole number from `least` to `most`. `name`: `option` or `OPERAND`. @throws UsageError that names it. */
export function toCount(
  name: string,
  text: string,
  { least, most }: { least: number; most: number },
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  const shown = name === name.toUpperCase() ? name : `--${name}`;
  throw new UsageError(`${shown}: "${text}" is not a whole number from ${least} to ${most}`);
}

/** Parses one of some words. `name`: `--option` or `OPERAND`. @throws UsageError that names it and the nearest word */
export function toWord<const T extends string>(name: string, text: string, words: readonly T[]): T {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new UsageError(
    `${name} "${text}": must be ${words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`}.${suggest(text, words)}`,
  );
}

/** Parses the URL of a site, as hosts take it for `siteUrl`. @throws UsageError that names the option. */
export function toSiteUrl(name: string, text: string): string {
  if (isSiteUrl(text)) return text;
  throw new UsageError(
    `--${name}: "${text}" is not an absolute URL without a trailing slash, such as https://example.org`,
  );
}

/** Parses the address of an index. `name`: `--option` or `OPERAND`. @throws UsageError that names it */
export function toIndexUrl(name: string, text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || /[?#]/.test(text))
    throw new UsageError(`${name} "${text}": must be an address such as http://127.0.0.1:8787/en/cms-json`);
  return trimEnd(text, '/');
}

/** The items of an option that takes several, separated by commas. */
export const splitList = (text: string): readonly string[] => text.split(',').map((item) => item.trim());

/** Parses origins as browsers send them, separated by commas. @throws UsageError that names the option. */
export function toOrigins(name: string, text: string): readonly string[] {
  const origins = splitList(text);
  if (ORIGINS.fits(origins)) return origins;
  throw new UsageError(`--${name} "${text}": must be ${ORIGINS.wanted}`);
}
