import { coerce, fits } from '../../../lib/schema/coerce.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { Store } from '../../../lib/store/store.ts';
import { isRealDate, parseDate, type Stamp, toGmt, type Zone } from '../../core/content/site-time.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import type { ContentType, Taxonomy } from '../../core/model/content-type.ts';
import type { MetaKey } from '../../core/model/meta-key.ts';
import { POST_FORMATS, STORED_STATUSES } from '../../core/schemas/post-args.ts';
import { readOptions } from '../../core/settings/options.ts';
import { toSiteZone } from '../../core/settings/site-settings.ts';
import type { Item, LeftOut, ReadResult } from './item.ts';

const STATUSES: ReadonlySet<string> = new Set(STORED_STATUSES);
/** Formats that posts can have. */
export const FORMATS: ReadonlySet<string> = new Set(POST_FORMATS);

/** What readers know of the site that they read for. */
export interface ReadContext {
  /** Content model of the site. */
  readonly content: ContentModel;
  /** Languages of the site. */
  readonly languages: readonly string[];
  /** Language of records that have none. */
  readonly language: string;
  /** Time zone of the site, for dates without GMT. */
  readonly zone: Zone;
  /** Role of users whose source does not name one. */
  readonly role: string;
  /** Statuses of the site by those of the source that it does not have. */
  readonly statuses: ReadonlyMap<string, string>;
  /** Time of the import (GMT), for dates that are missing or wrong. */
  readonly started: string;
}

/** Both dates of a record whose source has no valid one: the time of the import, as in WordPress. */
export function toMadeDates({ started, zone }: ReadContext): Readonly<Record<string, Json>> {
  const now = toDatePair('', started, { zone, floats: false });
  return { ...now, modified: now.date, modified_gmt: now.date_gmt };
}

export const NO_DATE = 'the source has none; it gets the time of the import';
export const WRONG_DATE = 'it is not valid; it gets the time of the import';

/** A date of WordPress as records store it; '' for none and for one that does not exist. */
function toStoredDate(text: string, zone: Zone): string {
  const date = text.trim().replace(' ', 'T').slice(0, 19);
  return isRealDate(date, zone) ? date : '';
}

/** Both forms of a date; '' for what is not known. `floats`: the record may have no date of its own. */
export function toDatePair(
  date: string,
  gmt: string,
  { zone, floats }: { zone: Zone; floats: boolean },
): Stamp {
  const [local, global] = [toStoredDate(date, zone), toStoredDate(gmt, zone)];
  if (local !== '' && (global !== '' || floats)) return { date: local, date_gmt: global };
  if (local !== '') return { date: local, date_gmt: toGmt(local, zone) };
  const stamp = global === '' ? undefined : parseDate(global, zone, 'gmt');
  return { date: stamp?.date ?? '', date_gmt: stamp?.date_gmt ?? '' };
}

/** The dates of a record, as the source has them: '' for none. Without a change, it was last changed when it was made. `floats`: as of `toDatePair`. */
export function toRecordDates(
  given: Readonly<Record<'date' | 'date_gmt' | 'modified' | 'modified_gmt', string>>,
  { zone, floats }: { zone: Zone; floats: boolean },
): Item['values'] {
  const made = toDatePair(given.date, given.date_gmt, { zone, floats });
  const changed = toDatePair(given.modified, given.modified_gmt, { zone, floats: false });
  const last = changed.date === '' ? toDatePair(made.date, made.date_gmt, { zone, floats: false }) : changed;
  return { ...made, modified: last.date, modified_gmt: last.date_gmt };
}

/** The values of a meta key as they are stored, coerced to its type; undefined if they do not fit it. */
export function toMetaValue({ type, single, schema }: MetaKey, values: readonly Json[]): Json | undefined {
  const toValue = (value: Json): Json => {
    // PHP writes an empty object as a list.
    if (type === 'object' && Array.isArray(value) && value.length === 0) return {};
    return type === 'boolean' && value === '' ? false : value;
  };
  const given = single ? toValue(values[0] ?? null) : values.map(toValue);
  const coerced = coerce(schema, given);
  return fits(single ? type : 'array', coerced) ? (structuredClone(coerced) as Json) : undefined;
}

/** The meta of a record: its field, if any value is stored, and the keys that were left out. */
export interface MetaRead {
  readonly values: Item['values'];
  readonly leftOut: readonly ReadResult[];
}

export const toMetaRead = (
  meta: Readonly<Record<string, Json>>,
  leftOut: readonly ReadResult[],
): MetaRead => ({ values: Object.keys(meta).length === 0 ? {} : { meta }, leftOut });

/** Why the values of a meta key are left out: the site does not have the key, or they do not fit it. */
export const describeMetaFault = (
  key: string,
  registered: MetaKey | undefined,
): Pick<LeftOut, 'what' | 'reason'> => ({
  what: `meta key ${key}`,
  reason:
    registered === undefined
      ? 'it is not registered; declare it in "content"'
      : `its value is not of the type ${registered.type}`,
});

/** The terms of a record by the fields that store them. `listOf`: its ids of a taxonomy. */
export function toTermFields(
  { taxonomies }: ContentType,
  content: ContentModel,
  listOf: (taxonomy: Taxonomy) => unknown,
): Item['values'] {
  const fields: Record<string, number[]> = {};
  for (const name of taxonomies) {
    const taxonomy = content.taxonomies.get(name);
    const ids = taxonomy && listOf(taxonomy);
    if (taxonomy !== undefined && Array.isArray(ids))
      (fields[taxonomy.field] ??= []).push(
        ...ids.filter((id): id is number => Number.isSafeInteger(id) && id > 0),
      );
  }
  return fields;
}

/** Why a record of this language is left out; undefined: the site has the language. */
export const findLanguageFault = (
  language: string,
  { languages }: Pick<ReadContext, 'languages'>,
): string | undefined =>
  languages.includes(language)
    ? undefined
    : `its language ${language} is not one of the site's languages ${languages.join(', ')}`;

/** Why a post of this status is left out; undefined: posts can have it. */
export const findStatusFault = (status: string): string | undefined =>
  STATUSES.has(status)
    ? undefined
    : `its status "${status}" does not exist here (--status ${status}=publish)`;

const SITE = 'site';
const USUAL_LANGUAGE = 'en';

/** The language of what has none, where the site does not choose one. */
export const toUsualLanguage = (languages: readonly string[] = [USUAL_LANGUAGE]): string =>
  languages.includes(USUAL_LANGUAGE) ? USUAL_LANGUAGE : String(languages[0]);

/** The languages of the site, its content, and what records without a language or users without a role get. Default: `en` where the site has it, and `subscriber`. */
interface SiteFacts {
  /** Content model of the site. */
  readonly content: ContentModel;
  /** Languages of the site. */
  readonly languages: readonly string[];
  /** Language of records that have none. */
  readonly language?: string | undefined;
  /** Role of users whose source does not name one. */
  readonly role?: string | undefined;
  /** Statuses of the site by those of the source. Default: none. */
  readonly statuses?: ReadonlyMap<string, string>;
}

/** What readers need to know of the site in a store. */
export async function loadReadContext(
  store: Store,
  { content, languages, language, role = 'subscriber', statuses = new Map() }: SiteFacts,
): Promise<ReadContext> {
  return {
    content,
    languages,
    language: language ?? toUsualLanguage(languages),
    role,
    statuses,
    started: new Date().toISOString().slice(0, 19),
    zone: toSiteZone(await readOptions(store, SITE)),
  };
}
