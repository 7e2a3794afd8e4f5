import type { Store } from '../../../lib/index.ts';
import { capabilitiesOf, ROLES } from '../../../registry/site.ts';
import { UsageError, splitList } from '../frame/options.ts';
import type { SiteLanguages } from './languages.ts';

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
