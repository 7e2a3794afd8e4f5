import { messageOf } from '../../../lib/core/thrown.ts';
import type { ToolChoice } from '../../../lib/index.ts';
import { checkPermalink } from '../../../registry/site.ts';
import { type CliOptions, type CliValues, toWord, UsageError } from '../frame/options.ts';
import { LANGUAGE_OPTIONS } from './languages.ts';

/** Wire names of a site. */
export const NAMES = {
  value: 'NAMES',
  default: 'neutral',
  help: 'Wire names: neutral, wordpress, or a JSON file.',
} as const;

/** The options of every command that opens the store of a site. */
export const SITE_OPTIONS = {
  store: { value: 'STORE', default: 'file:./data', help: 'memory, file:DIRECTORY or postgres://…' },
  content: {
    value: 'CONTENT',
    help: 'seed: posts alone; core: all core controllers (pages, terms, users, media, comments, …). Default: seed, or core with --names wordpress.',
  },
  plugins: {
    value: 'NAMES',
    help: 'Comma-separated plugins beside the default ones: ./file.mjs, a package, or a built-in name (docs/write-a-plugin.md); none: without the default ones.',
  },
  config: {
    value: 'FILE',
    help: 'JSON file with the configuration (docs/configuration.md). Default: routebook.json of the working directory, if there is one.',
  },
  ...LANGUAGE_OPTIONS,
} as const satisfies CliOptions;

/** Site options as they are typed. */
export type SiteValues = CliValues<typeof SITE_OPTIONS>;

/** @throws UsageError for a language without a prefix */
export function checkLanguage(language: string | undefined, prefixes: readonly string[]): void {
  if (language !== undefined && !prefixes.includes(language))
    throw new UsageError(
      `--language "${language}": must be one of ${prefixes.join(', ')}. Commands have the languages of --languages, or of the --config of the server`,
    );
}

/** The kind of content of `--content`. @throws UsageError */
export function toContentKind(text: string | undefined): 'seed' | 'core' | undefined {
  return text === undefined ? undefined : toWord('--content', text, ['seed', 'core']);
}

/** The permalinks of `--permalinks`. @throws UsageError */
export function toPermalinks(text: string): string {
  try {
    checkPermalink('--permalinks', text);
    return text;
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** `find`, `all`, or names with `*`. */
export function toToolChoice(text: string): ToolChoice {
  return text === 'find' || text === 'all' ? text : text.split(',').filter((name) => name !== '');
}
