import type { Json } from '../../lib/schema-dialect.ts';
import { parseDate, toGmt, toSiteTime, type Stamp, type Zone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import { toSiteZone } from './settings.ts';

/** A row of a fixture. */
export type Row = Readonly<Record<string, Json>>;

/** What the rows of a fixture rest on beside themselves. */
export interface FixtureSite {
  readonly zone: Zone;
  /** Of rows that name none. */
  readonly language: string;
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const LANGUAGE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/;
const SLUGS = ['slug', 'trashed_slug'] as const;
/** Statuses of posts whose date may float. */
const FLOATING: ReadonlySet<unknown> = new Set(['draft', 'pending']);

/** @throws TypeError */
export function refuse(place: string, fault: string): never {
  throw new TypeError(`${place}: ${fault}; see docs/fixtures.md`);
}

/** The rows of a list, each with its place for messages: `posts[2] (id 11)`. */
export function toPlaced(list: string, rows: readonly Row[] = []): readonly (readonly [row: Row, place: string])[] {
  return rows.map((row, index) => [row, `${list}[${index}] (id ${String(row['id'] ?? 'unknown')})`]);
}

/** The slugs of a row, cleaned as a write cleans them. @throws TypeError when nothing is left of one */
export function toSlugs(row: Row, place: string): Record<string, Json> {
  const slugs: Record<string, Json> = {};
  for (const member of SLUGS) {
    const given = row[member];
    if (typeof given !== 'string' || given === '') continue;
    const slug = toSlug(given);
    if (slug === '') refuse(place, `of the ${member} ${JSON.stringify(given)} nothing is left that can stand in an address`);
    slugs[member] = slug;
  }
  return slugs;
}

/** The language of a row, as it may stand in an address and in a header. @throws TypeError */
export function toLanguage(row: Row, place: string, otherwise: string): string {
  const language = row['ml_language'] ?? otherwise;
  if (typeof language !== 'string' || !LANGUAGE.test(language)) refuse(place, `ml_language is ${JSON.stringify(language)} and has to be a code such as "en" or "pt-br"`);
  return language;
}

/** What the member `site` says of all rows. @throws TypeError */
export function toFixtureSite(site: Row): FixtureSite {
  try {
    return { zone: toSiteZone(site), language: toLanguage(site, 'site', 'en') };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse('site', `timezone_string ${JSON.stringify(site['timezone_string'] ?? '')}, gmt_offset ${JSON.stringify(site['gmt_offset'] ?? '')} name no time zone`);
  }
}

function isDate(text: string, zone: Zone): boolean {
  // A day beyond its month is read as one of the next month.
  return DATE.test(text) && parseDate(text, zone) !== undefined && new Date(`${text}Z`).toISOString().startsWith(text);
}

/** A date as it was given; undefined where it was not. @throws TypeError */
export function readDate(row: Row, member: string, { place, zone }: { place: string; zone: Zone }): string | undefined {
  const given = row[member] ?? '';
  if (given === '') return undefined;
  if (typeof given !== 'string' || !isDate(given, zone)) refuse(place, `${member} is ${JSON.stringify(given)} and has to be a date YYYY-MM-DDTHH:MM:SS`);
  return given;
}

function toStamp(row: Row, [site, gmt]: readonly [site: string, gmt: string], at: { place: string; zone: Zone }): Stamp | undefined {
  const [date, dateGmt] = [readDate(row, site, at), readDate(row, gmt, at)];
  if (date !== undefined) return { date, date_gmt: dateGmt ?? toGmt(date, at.zone) };
  return dateGmt === undefined ? undefined : { date: toSiteTime(dateGmt, at.zone), date_gmt: dateGmt };
}

/** The dates of a post or revision: one in site time and one in GMT give each other, and those of the change are otherwise its own. @throws TypeError */
export function toDates(row: Row, at: { place: string; zone: Zone }): Record<string, Json> {
  const own = toStamp(row, ['date', 'date_gmt'], at) ?? refuse(at.place, 'date is missing, and so is date_gmt');
  const changed = toStamp(row, ['modified', 'modified_gmt'], at) ?? own;
  const floats = FLOATING.has(row['status']) && (row['date_gmt'] ?? '') === '';
  return { date: own.date, date_gmt: floats ? '' : own.date_gmt, modified: changed.date, modified_gmt: changed.date_gmt };
}
