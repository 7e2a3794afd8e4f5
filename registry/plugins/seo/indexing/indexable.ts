import type { Json, StoredRecord } from '../../../../lib/index.ts';

/** Increased when the builders change what they store, so that every indexable is rebuilt. */
export const BUILDER_VERSION = 5;

export type ObjectKind = 'post' | 'term' | 'post-type-archive' | 'home-page' | 'date-archive' | 'system-page';

/** The index data of one object of the site (`seo_indexables`), without the counts that the link index adds. */
export interface IndexableValues {
  readonly [field: string]: Json;
  readonly key: string;
  readonly object_type: ObjectKind;
  readonly object_sub_type: string;
  readonly object_id: number;
  readonly language: string;
  readonly author_id: number;
  /** Path below the site; '' when the object has no URL of its own. */
  readonly path: string;
  readonly post_status: string;
  readonly is_public: boolean;
  readonly is_protected: boolean;
  readonly is_cornerstone: boolean;
  readonly is_robots_noindex: boolean;
  readonly focus_phrase: string;
  readonly focus_score: number;
  readonly readability_score: number;
  readonly object_version: number;
  readonly meta_version: number;
  readonly builder_version: number;
  readonly published_gmt: string;
  readonly modified_gmt: string;
  readonly facts: { readonly [name: string]: Json };
}

/** An indexable as stored. */
export interface Indexable extends StoredRecord, IndexableValues {
  readonly id: number;
  readonly version: number;
  readonly link_count: number;
  readonly incoming_link_count: number;
  readonly links_version: number;
  readonly created_gmt: string;
  readonly updated_gmt: string;
}

// The store returns what the collection descriptor declares; this line turns that guarantee into a type.
export const toIndexable = (record: StoredRecord): Indexable => record as Indexable;

/** The indexable that a commit has written. */
export function toWritten(record: StoredRecord | null | undefined): Indexable {
  if (record === null || record === undefined)
    throw new TypeError('the store did not return the record of the written indexable');
  return toIndexable(record);
}

/** Defaults of an object that is not a post. */
const EMPTY = {
  object_id: 0,
  author_id: 0,
  path: '',
  post_status: '',
  is_public: true,
  is_protected: false,
  is_cornerstone: false,
  is_robots_noindex: false,
  focus_phrase: '',
  focus_score: 0,
  readability_score: 0,
  object_version: 0,
  meta_version: 0,
  builder_version: BUILDER_VERSION,
  published_gmt: '',
  modified_gmt: '',
  facts: {},
} as const;

/** The values of an indexable, completed with defaults. */
export function toValues(
  own: Partial<IndexableValues> &
    Pick<IndexableValues, 'key' | 'object_type' | 'object_sub_type' | 'language'>,
): IndexableValues {
  return { ...EMPTY, ...own };
}
