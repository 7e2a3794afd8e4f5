import { coerce, fits } from '../../../lib/schema/coerce.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { Store } from '../../../lib/store/store.ts';
import { parseDate, toGmt, type Zone } from '../../core/content/site-time.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import type { MetaKey } from '../../core/model/meta-key.ts';
import { readOptions } from '../../core/settings/options.ts';
import { toSiteZone } from '../../core/settings/site-settings.ts';

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
  const stamp = parseDate(date, zone);
  return stamp === undefined || !new Date(`${date}Z`).toISOString().startsWith(date) ? '' : date;
}

interface Dates {
  readonly date: string;
  readonly date_gmt: string;
}

/** Both forms of a date; '' for what is not known. `floats`: the record may have no date of its own. */
export function toDatePair(
  date: string,
  gmt: string,
  { zone, floats }: { zone: Zone; floats: boolean },
): Dates {
  const [local, global] = [toStoredDate(date, zone), toStoredDate(gmt, zone)];
  if (local !== '' && (global !== '' || floats)) return { date: local, date_gmt: global };
  if (local !== '') return { date: local, date_gmt: toGmt(local, zone) };
  const stamp = global === '' ? undefined : parseDate(global, zone, 'gmt');
  return { date: stamp?.date ?? '', date_gmt: stamp?.date_gmt ?? '' };
}

const EMPTY_LIST_OBJECT: ReadonlySet<string> = new Set(['object']);

/** The values of a meta key as they are stored, coerced to its type; undefined if they do not fit it. */
export function toMetaValue({ type, single, schema }: MetaKey, values: readonly Json[]): Json | undefined {
  const toValue = (value: Json): Json => {
    if (EMPTY_LIST_OBJECT.has(type) && Array.isArray(value) && value.length === 0) return {};
    return type === 'boolean' && value === '' ? false : value;
  };
  const given = single ? toValue(values[0] ?? null) : values.map(toValue);
  const coerced = coerce(schema, given);
  return fits(single ? type : 'array', coerced) ? (structuredClone(coerced) as Json) : undefined;
}

const SITE = 'site';
const USUAL_LANGUAGE = 'en';

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
  const usual = languages.includes(USUAL_LANGUAGE) ? USUAL_LANGUAGE : String(languages[0]);
  return {
    content,
    languages,
    language: language ?? usual,
    role,
    statuses,
    started: new Date().toISOString().slice(0, 19),
    zone: toSiteZone(await readOptions(store, SITE)),
  };
}
