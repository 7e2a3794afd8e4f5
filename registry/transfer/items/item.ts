import { own } from '../../../lib/core/objects.ts';
import { trimEnd } from '../../../lib/core/text.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { ContentModel } from '../../core/model/content-model.ts';

/** A file that belongs to a media record: its path in the library, and its address at the source ('' if it has none). */
export interface ItemFile {
  /** Path in the library. */
  readonly path: string;
  /** Address at the source; '' if it has none. */
  readonly url: string;
}

/**
 * One record on its way between a source and a store. Readers of every format yield items, one writer stores them, and writers of
 * every format are given them. References are ids of the source.
 */
export interface Item {
  /** Where the record stands in the source, for the report: `item 12 (line 300)`. */
  readonly place: string;
  /** Collection of the record. */
  readonly collection: string;
  /** Id at the source. A negative number identifies a record whose source has no ids; the store then assigns one. */
  readonly id: number;
  /** Fields as they are stored, with ids of the source. */
  readonly values: Readonly<Record<string, Json>>;
  /** File of a media record. */
  readonly file?: ItemFile;
}

/** Something of the source that was not taken over. `count` of equal entries at different places are reported as one. */
export interface LeftOut {
  /** Where it stands in the source. */
  readonly place: string;
  /** What it is: `post`, `meta key _edit_lock`. */
  readonly what: string;
  /** Why it was left out. */
  readonly reason: string;
  /** What the site would have to declare, for a suggestion. It is not part of the report. */
  readonly undeclared?: readonly Undeclared[] | undefined;
}

/** Something that a source has and the site does not declare. */
export interface Undeclared {
  /** What it is. */
  readonly kind: 'type' | 'taxonomy' | 'meta';
  /** Name of the type, the taxonomy or the meta key. */
  readonly name: string;
  /** The type or taxonomy that has it; '' for a type. */
  readonly of: string;
  /** Values of a meta key of one record. */
  readonly values?: readonly Json[];
}

/** Why a record of an unknown type or a term of an unknown taxonomy is left out. */
export const notRegistered = (kind: 'type' | 'taxonomy', name: string): string =>
  /^(?:nav_menu(?:_item)?|wp_navigation)$/.test(name)
    ? 'menus need the plugin "menus"'
    : `the ${kind} is not registered; declare it in "content"`;

/** What a reader finds in its source, in order. Records come after the terms that they have. */
export type ReadResult = { readonly item: Item } | { readonly leftOut: LeftOut };

/** Fields of posts that have the terms of all taxonomies. */
export const TERM_FIELDS = ['categories', 'tags', 'terms'] as const;

export const idsIn = (values: Item['values'], field: string): readonly number[] =>
  (own(values, field) ?? []) as readonly number[];

/** The ids of all terms of a record. */
export const termIdsIn = (values: Item['values']): readonly number[] =>
  TERM_FIELDS.flatMap((field) => idsIn(values, field));

/** Characters of the texts of a record, by which commits and pages are measured. */
export const textLengthOf = (record: object): number =>
  Object.values(record).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );

export const found = (item: Item): ReadResult => ({ item });
export const leftOut = (place: string, what: string, reason: string): ReadResult => ({
  leftOut: { place, what, reason },
});

/** A source that is read. `name` identifies it in later runs, so that the same source is not imported twice. */
export interface ImportSource {
  readonly name: string;
  /** Records, and what cannot be read, in order. */
  readonly found: AsyncIterable<ReadResult>;
  /** The source is a copy of a whole site: references to records that it does not have stay as they are. */
  readonly keepsIds?: boolean;
}

/** The address of a site as the name of a source: without scheme and last slash, which may change. */
export const toSourceName = (address: string): string =>
  trimEnd(address.replace(/^https?:\/\//i, ''), '/').toLowerCase();

/** What an export says of its site. */
export interface ExportedSite {
  /** Content model of the site. */
  readonly content: ContentModel;
  /** Identifies the site among others; undefined if it has never been served. */
  readonly origin?: string | undefined;
  /** Address of the site. */
  readonly url: string;
  /** Title of the site. */
  readonly title: string;
  /** Tagline of the site. */
  readonly description: string;
}
