import { parseArgs, type ParseArgsConfig } from 'node:util';
import { checkOption } from '../lib/core/check-options.ts';
import { ORIGINS } from '../lib/http/cross-site.ts';
import { own } from '../lib/core/objects.ts';
import { isSiteUrl } from '../lib/http/site-url.ts';

/** One option of a program. `value` is its placeholder in the help; an option without it is a switch. */
export interface CliOption {
  readonly value?: string;
  readonly default?: string;
  readonly help: string;
}

export type CliOptions = Readonly<Record<string, CliOption>>;

/** The parsed options: a string for an option with a value, a boolean for a switch. */
export type CliValues<T extends CliOptions> = {
  readonly [K in keyof T]: T[K] extends { readonly value: string } ? (T[K] extends { readonly default: string } ? string : string | undefined) : boolean;
};

function listKnown(options: CliOptions): string {
  return Object.keys(options).map((name) => `--${name}`).join(', ');
}

/**
 * Reads the arguments of a program.
 * @throws TypeError that names an unknown option or an option without its value, and lists the known options.
 */
export function readOptions<T extends CliOptions>(options: T, args: readonly string[]): CliValues<T> {
  const config: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(Object.entries(options).map(([name, option]) => (
    [name, option.value === undefined ? { type: 'boolean' } : { type: 'string', ...(option.default === undefined ? {} : { default: option.default }) }]
  )));
  try {
    const { values } = parseArgs({ args: [...args], options: config, strict: true });
    return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, own(values, name) ?? (option.value === undefined ? false : undefined)])) as CliValues<T>;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('. To specify');
    throw new TypeError(`${reason ?? ''}. Known options: ${listKnown(options)}`, { cause: error });
  }
}

/** The help text, one line per option. */
export function describeOptions(options: CliOptions): string {
  const lines = Object.entries(options).map(([name, option]) => [
    `  --${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    `${option.help}${option.default === undefined ? '' : ` Default: ${option.default}.`}`,
  ] as const);
  const width = Math.max(...lines.map(([left]) => left.length)) + 2;
  return lines.map(([left, right]) => `${left.padEnd(width)}${right}`).join('\n');
}

/** Parses a whole number from `least` to `most`. @throws TypeError that names the option. */
export function toCount(name: string, text: string, { least, most }: { least: number; most: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new TypeError(`--${name}: "${text}" is not a whole number from ${least} to ${most}`);
}

/** Parses the URL of a site, as hosts take it for `siteUrl`. @throws TypeError that names the option. */
export function toSiteUrl(name: string, text: string): string {
  if (isSiteUrl(text)) return text;
  throw new TypeError(`--${name}: "${text}" is not an absolute URL without a trailing slash, such as https://example.org`);
}

/** Parses origins as browsers send them, separated by commas. @throws TypeError that names the option. */
export function toOrigins(name: string, text: string): readonly string[] {
  const origins = text.split(',').map((origin) => origin.trim());
  checkOption([`--${name}`, 'the command line'], origins, ORIGINS);
  return origins;
}
