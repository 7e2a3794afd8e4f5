import { checkOption } from '../../../lib/core/check-options.ts';
import { LANGUAGES } from '../../../lib/core/language-code.ts';
import { findFirst, not, oneOf, type Store } from '../../../lib/index.ts';
import { capabilitiesOf, DEFAULT_LANGUAGES, ROLES } from '../../../registry/site.ts';
import { type CliOptions, splitList, UsageError } from '../frame/options.ts';

/** The options about languages of every command that opens a site. */
export const LANGUAGE_OPTIONS = {
  languages: {
    value: 'CODES',
    help: 'Languages of the content, separated by commas: en,fr,de. Default: nl,en,fr, with the prefixes en,fr.',
  },
  prefixes: {
    value: 'CODES',
    help: 'Languages with a prefix in addresses, the default one first. Default: --languages.',
  },
  'default-language': {
    value: 'CODE',
    help: 'Language of addresses without a prefix. Default: the first prefix.',
  },
} as const satisfies CliOptions;

/** What the options or the configuration say about languages. */
export interface LanguageChoice {
  readonly languages?: readonly string[] | undefined;
  readonly prefixes?: readonly string[] | undefined;
  readonly defaultLanguage?: string | undefined;
}

/** The languages of a site, as `createSite` takes them. */
export interface SiteLanguages {
  readonly languages: readonly string[];
  /** The default language first. Absent: those of a site without configured languages. */
  readonly prefixes?: readonly string[];
}

type Place = readonly [name: string, what: string];

function checkCodes([name, what]: Place, codes: readonly string[] | undefined): void {
  if (codes !== undefined) checkOption([name, what], codes, LANGUAGES);
}

/** @throws TypeError that names the wrong member. `what`: where the choice was made */
export function checkLanguageChoice(
  { languages, prefixes, defaultLanguage }: LanguageChoice,
  what: string,
): void {
  checkCodes(['languages', what], languages);
  checkCodes(['prefixes', what], prefixes);
  if (languages === undefined && (prefixes ?? defaultLanguage) !== undefined)
    throw new TypeError(
      `languages of ${what} is missing: prefixes and the default language are chosen from it`,
    );
  const foreign = prefixes?.find((prefix) => !languages?.includes(prefix));
  if (foreign !== undefined)
    throw new TypeError(
      `prefixes of ${what} names "${foreign}", which is not one of the languages ${languages?.join(', ')}`,
    );
  const shown = prefixes ?? languages ?? [];
  if (defaultLanguage !== undefined && !shown.includes(defaultLanguage))
    throw new TypeError(
      `the default language "${defaultLanguage}" of ${what} must be one of the prefixes ${shown.join(', ')}`,
    );
}

const toCodes = (text: string | undefined): readonly string[] | undefined =>
  text === undefined ? undefined : splitList(text);

/** The choice of the options. @throws UsageError that names the wrong one */
export function readLanguageOptions(
  values: Readonly<Record<keyof typeof LANGUAGE_OPTIONS, string | undefined>>,
): LanguageChoice {
  const choice = {
    languages: toCodes(values.languages),
    prefixes: toCodes(values.prefixes),
    defaultLanguage: values['default-language'],
  };
  try {
    checkLanguageChoice(choice, 'the command line');
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  return choice;
}

/** The options of `createSite`. Without configured languages it uses its own, whose prefixes are fewer. */
export function toLanguageOptions({ languages, prefixes }: SiteLanguages): Partial<SiteLanguages> {
  return prefixes === undefined ? {} : { languages, prefixes };
}

/** The languages of the first choice that names some; those of an unconfigured site without one. */
export function toSiteLanguages(...choices: readonly LanguageChoice[]): SiteLanguages {
  const {
    languages,
    prefixes = languages,
    defaultLanguage,
  } = choices.find((choice) => choice.languages !== undefined) ?? {};
  if (languages === undefined || prefixes === undefined) return { languages: DEFAULT_LANGUAGES };
  return {
    languages,
    prefixes:
      defaultLanguage === undefined
        ? prefixes
        : [defaultLanguage, ...prefixes.filter((prefix) => prefix !== defaultLanguage)],
  };
}

/** @throws TypeError if the store holds content in a language that the site does not have, whose links would lead nowhere */
export async function checkStoredLanguages(store: Store, { languages }: SiteLanguages): Promise<void> {
  const where = not(oneOf('language', ['', ...languages]));
  for (const collection of ['posts', 'terms']) {
    // A count reads an index alone, whereas the first record that fits is looked for among all of them.
    if ((await store.find({ collection, where, limit: 0, fields: [], total: true })).total === 0) continue;
    const found = await findFirst(store, { collection, where, fields: ['language'] });
    if (found !== undefined)
      throw new TypeError(
        `The store holds ${collection} in the language "${String(found['language'])}" (id ${found.id}), which is not one of ${languages.join(', ')}. Add it to --languages, or to languages of the configuration.`,
      );
  }
}

/** What a list of pairs looks like, for the help and for messages. */
export const PAIRS_FORM = 'Language pairs of a translator, the source first: en:fr,en:de.';

const TRANSLATING = Object.keys(ROLES).filter((role) => capabilitiesOf(role).has('translate'));

/** @throws UsageError that names the pair and what would be right */
function checkPair(name: string, pair: string, languages: readonly string[]): void {
  const codes = pair.split(':');
  const [source, target] = codes;
  if (codes.length !== 2 || !source || !target)
    throw new UsageError(
      `${name} "${pair}": must be a source and a target language with a colon between them, such as en:fr; several are separated by commas`,
    );
  const foreign = codes.find((code) => !languages.includes(code));
  if (foreign !== undefined)
    throw new UsageError(
      `${name} "${pair}": "${foreign}" is not one of the languages ${languages.join(', ')}. Commands have the languages of --languages, or of the --config of the server`,
    );
  if (source === target)
    throw new UsageError(`${name} "${pair}": the source and the target must be different languages`);
}

/** Reads `en:fr,en:de`. `name`: of the option or operand. @throws UsageError for another form or a language that the site does not have */
export function toPairs(name: string, text: string, { languages }: SiteLanguages): readonly string[] {
  const pairs = [...new Set(splitList(text))];
  for (const pair of pairs) checkPair(name, pair, languages);
  return pairs;
}

/** @throws UsageError for roles that translate nothing, whose users would never use their pairs */
export function checkTranslates(login: string, roles: readonly string[]): void {
  if (!roles.some((role) => TRANSLATING.includes(role)))
    throw new UsageError(
      `Language pairs need a role that translates (${TRANSLATING.join(', ')}); ${login} has ${roles.length === 0 ? 'no role' : `the role ${roles.join(', ')}`}`,
    );
}

/** The stored pairs of a user. */
export async function listPairs(store: Store, user: number): Promise<readonly string[]> {
  return ((await store.get('users', user))?.['language_pairs'] as readonly string[] | undefined) ?? [];
}
