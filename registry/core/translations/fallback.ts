import type { RestError } from '../../../lib/core/errors.ts';
import { groupBy, own } from '../../../lib/core/objects.ts';
import type { Call } from '../../../lib/route/call.ts';
import { toSentence } from '../../../lib/schema/failure-messages.ts';
import { invalidParam } from '../../../lib/schema/invalid.ts';
import { and, eq, gt, not, oneOf, type Predicate } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { groupOf } from './translation-links.ts';

/** Languages of a read, the best first: that of the request, and those whose records stand in for its translations. */
export type Chain = readonly string[];

/** Stands for the languages of the settings. */
const DEFAULT = 'default';

/** The error for a language that the site does not have. `name`: the parameter. `known`: what it accepts. */
export function unknownLanguage(name: string, language: string, known: readonly string[]): RestError {
  const message = `${name}: the site does not have the language "${language}"; it has ${toSentence(known)}.`;
  return invalidParam(name, message, 'rest_not_in_enum');
}

/** The languages that a call asks for. @throws RestError `rest_invalid_param` for a language that the site does not have */
export function readChain(
  call: Pick<Call, 'language'>,
  asked: readonly string[] | undefined,
  { name: languages, fallbacks }: Pick<SiteSettings, 'name' | 'fallbacks'>,
): Chain {
  if (asked === undefined) return [call.language];
  const unknown = asked.find((each) => each !== DEFAULT && !Object.hasOwn(languages, each));
  if (unknown !== undefined)
    throw unknownLanguage('ml_fallback', unknown, [...Object.keys(languages), DEFAULT]);
  const named = asked.flatMap((each) => (each === DEFAULT ? (own(fallbacks, call.language) ?? []) : [each]));
  return [...new Set([call.language, ...named])];
}

/**
 * The records of the first language of the chain that a group has. `translated`: those with a translation into one of these languages
 * that counts. One branch for each language, because a store reads an index for each.
 */
export function firstOf(
  chain: Chain,
  translated: (languages: readonly string[]) => Predicate,
): readonly Predicate[] {
  const [asked = '', ...standIns] = chain;
  if (standIns.length === 0) return [eq('language', asked)];
  const others = standIns.map((language, at) => {
    const better = translated(chain.slice(0, at + 1));
    return not(and(eq('language', language), better));
  });
  return [oneOf('language', chain), ...others];
}

/** As `firstOf`, and the records that all languages share. */
export function firstOrShared(...[chain, translated]: Parameters<typeof firstOf>): readonly Predicate[] {
  const [, ...standIns] = firstOf(chain, translated);
  return [oneOf('language', [...chain, '']), ...standIns];
}

/** A collection, and the field that translations have in common beside the group, if there is one. */
type GroupedIn = readonly ['posts', 'type'] | readonly ['terms', 'taxonomy'] | readonly ['media', ''];

/** Adds to ids those of their translations. */
export type Expand = (ids: readonly number[]) => readonly number[];

const expandNone: Expand = (ids) => ids;

/** Loads the translations of records that a filter names by id. `visible`: those that the caller may know; the id of another record stands for itself. */
export async function loadExpansion(
  store: Store,
  [collection, kind]: GroupedIn,
  {
    ids,
    chain,
    visible = and(),
  }: { readonly ids: readonly number[]; readonly chain: Chain; readonly visible?: Predicate },
): Promise<Expand> {
  if (chain.length === 1 || ids.length === 0) return expandNone;
  const fields = ['group', ...(kind === '' ? [] : [kind])];
  const find = async (where: Predicate): Promise<readonly StoredRecord[]> =>
    (await store.find({ collection, where, fields })).records;
  const named = await find(and(oneOf('id', [...new Set(ids)]), gt('group', 0), visible));
  const groups = [...new Set(named.map(groupOf))];
  if (groups.length === 0) return expandNone;
  const members = await find(oneOf('group', groups));
  const keyOf = (record: StoredRecord): string => `${groupOf(record)} ${String(record[kind])}`;
  const groupsByKey = groupBy(members, keyOf);
  const byId = new Map(
    named.map((record) => [record.id, groupsByKey.get(keyOf(record))?.map(({ id }) => id) ?? []]),
  );
  return (all) => [...new Set(all.flatMap((id) => [id, ...(byId.get(id) ?? [])]))];
}

/** The record of the group of `record` that comes first in the chain, of those that fit; null: there is none. `where`: what others of the group must be. */
export async function findStandIn(
  store: Store,
  record: StoredRecord,
  {
    of: [collection, kind],
    chain,
    where = and(),
    fits = () => true,
  }: {
    readonly of: GroupedIn;
    readonly chain: Chain;
    readonly where?: Predicate;
    readonly fits?: (candidate: StoredRecord) => boolean;
  },
): Promise<StoredRecord | null> {
  const group = groupOf(record);
  const isMember = and(eq('group', group), oneOf('language', chain), where);
  const members = group === 0 ? [record] : (await store.find({ collection, where: isMember })).records;
  const placeOf = ({ language }: StoredRecord): number => chain.indexOf(String(language));
  const ranked = members
    .filter((each) => each[kind] === record[kind] && placeOf(each) !== -1 && fits(each))
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  return ranked[0] ?? null;
}

/** The language that a record stands in for; undefined: it was not asked to stand in, or has the language of the call. */
export const fallbackOf = (
  { args, language }: Call,
  record: { readonly language: string },
): string | undefined =>
  args['ml_fallback'] === undefined || ['', language].includes(record.language) ? undefined : language;

/** The header of a response that shows these records, in the order of the chain. The engine declares the language of the prefix. */
export function toContentLanguage(
  { language, request }: Call,
  chain: Chain,
  shown: readonly Pick<StoredRecord, 'language'>[],
): Record<string, string> {
  const found = chain.filter((each) => shown.some((record) => record['language'] === each));
  const languages = found.length === 0 ? language : found.join(', ');
  return languages === request.language ? {} : { 'Content-Language': languages };
}
