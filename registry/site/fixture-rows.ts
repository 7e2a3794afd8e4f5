import { own } from '../../lib/core/objects.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import { toGmt, toSiteTime, type Stamp, type Zone } from '../content/site-time.ts';
import { toSlug } from '../content/slug.ts';
import type { ContentDefinition } from '../model/content-definition.ts';
import type { ContentType } from '../model/content-type.ts';
import { toSettingOptions } from './setting-fields.ts';

/** A row of a fixture. */
export type Row = Readonly<Record<string, Json>>;

/**
 * The content of a site as one document: the format of `conformance/fixture.json`. In addition, terms and posts can have
 * `ml_language` (default: the language of the site) and `group`, terms a `description`, users `language_pairs`,
 * and `options` further settings as `{group, key, value}`.
 */
export interface Fixture {
  /** Facts about the site: name, address, languages, time zone. */
  readonly site: Row;
  /** Users with their passwords. */
  readonly users?: readonly Row[];
  /** Categories. */
  readonly categories?: readonly Row[];
  /** Tags. */
  readonly tags?: readonly Row[];
  /** Formats of the recorded site. Not used. */
  readonly formats?: readonly string[];
  /** Records of the media library, without their files. */
  readonly media?: readonly Row[];
  /** Posts. Records of other types stand in a list with the base of the type. */
  readonly posts?: readonly Row[];
  /** Revisions of posts. */
  readonly revisions?: readonly Row[];
  /** Comments, also those on pages. */
  readonly comments?: readonly Row[];
  /** Further settings, as `{group, key, value}`. */
  readonly options?: readonly Row[];
  /** Settings of the site, by their names in the API. */
  readonly settings?: Row;
  /** Types, taxonomies and meta keys that the content needs. */
  readonly registered?: ContentDefinition;
  /** Remarks. Not used. */
  readonly about_core?: Row;
}

/** The options of the site. Those that `settings` names replace those of `site`. */
export function toSiteOptions({ site, settings = {} }: Fixture): Row {
  return { ...site, ...toSettingOptions(settings) };
}

/** The rows of a list that a type or taxonomy of the model names: `pages`, `genres`, `page_revisions`. */
export function listRows(fixture: Fixture, list: string): readonly Row[] {
  return own(fixture as unknown as Readonly<Record<string, readonly Row[] | undefined>>, list) ?? [];
}

/** The list that holds the revisions of a type. */
export function revisionListOf({ name, base }: Pick<ContentType, 'name' | 'base'>): string {
  return base === 'posts' ? 'revisions' : `${name}_revisions`;
}

/** A row and its place: `posts[2]`. */
export type PlacedRow = readonly [row: Row, place: string];

const SLUGS = ['slug', 'trashed_slug'] as const;
/** Statuses of posts whose date may float. */
const FLOATING: ReadonlySet<unknown> = new Set(['draft', 'pending']);

/** The rows of a list, each with its place. */
export function toPlaced(list: string, rows: readonly Row[] = []): readonly PlacedRow[] {
  return rows.map((row, index) => [row, `${list}[${index}]`]);
}

/** The members of the row with these names, if they are present. */
export function pick(row: Row, names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = own(row, name) ?? null;
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** A text member; '' if it is missing. */
export function textOf(row: Row, member: string): string {
  const given = own(row, member);
  return typeof given === 'string' ? given : '';
}

/** The slugs of a row, normalised as by a write. */
export function toSlugs(row: Row): Record<string, Json> {
  return Object.fromEntries(
    SLUGS.flatMap((member) => (textOf(row, member) === '' ? [] : [[member, toSlug(textOf(row, member))]])),
  );
}

function toStamp(row: Row, [site, gmt]: readonly [site: string, gmt: string], zone: Zone): Stamp | undefined {
  const [date, dateGmt] = [textOf(row, site), textOf(row, gmt)];
  if (date !== '') return { date, date_gmt: dateGmt === '' ? toGmt(date, zone) : dateGmt };
  return dateGmt === '' ? undefined : { date: toSiteTime(dateGmt, zone), date_gmt: dateGmt };
}

/** The dates of a post or revision. Site time and GMT are derived from each other. Without a modification date, the date itself is used. @throws TypeError */
export function toDates([row, place]: PlacedRow, zone: Zone): Record<string, Json> {
  const own = toStamp(row, ['date', 'date_gmt'], zone);
  if (own === undefined) throw new TypeError(`${place}.date or .date_gmt must be given`);
  const changed = toStamp(row, ['modified', 'modified_gmt'], zone) ?? own;
  const floats = FLOATING.has(row['status']) && textOf(row, 'date_gmt') === '';
  return {
    date: own.date,
    date_gmt: floats ? '' : own.date_gmt,
    modified: changed.date,
    modified_gmt: changed.date_gmt,
  };
}
