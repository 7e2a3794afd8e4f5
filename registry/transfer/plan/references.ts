import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { ReferenceKind } from './reference-kinds.ts';

/** What a field of records refers to. */
export interface ReferenceRule {
  readonly field: string;
  readonly to: string;
  /** Default: `id`. */
  readonly kind?: ReferenceKind;
  /** Fields of the records that the rule applies to, and their values. Default: all records. */
  readonly when?: Readonly<Record<string, string>>;
  /** The record is complete without the other one: a missing one is not reported, and its id stays. */
  readonly loose?: true;
}

const OBJECTS = { post: 'posts', term: 'terms', user: 'users' } as const;

/** A record about an object of any kind, which another field names. */
const ofObject = (field: string, kind: ReferenceKind): readonly ReferenceRule[] =>
  Object.entries(OBJECTS).map(([type, to]) => ({ field, to, kind, when: { object_type: type } }));

const ofSetting = (key: string, to: string, kind: ReferenceKind = 'id'): ReferenceRule => ({
  field: 'value',
  to,
  kind,
  when: { group: 'site', key },
});

/** The target of a menu item. */
const ofMenuItem = (to: string, kind: ReferenceKind): readonly ReferenceRule[] => [
  { field: 'meta', to, kind, when: { type: 'nav_menu_item' } },
];

/** The fields of each collection that hold ids of other records. */
const REFERENCES: Readonly<Record<string, readonly ReferenceRule[]>> = {
  options: [
    ofSetting('page_on_front', 'posts', 'byLanguage'),
    ofSetting('page_for_posts', 'posts', 'byLanguage'),
    ofSetting('default_category', 'terms', 'byLanguage'),
    ofSetting('site_logo', 'media'),
    ofSetting('site_icon', 'media'),
  ],
  credentials: [{ field: 'user', to: 'users' }],
  terms: [{ field: 'parent', to: 'terms' }],
  media: [
    { field: 'author', to: 'users' },
    { field: 'parent', to: 'posts' },
  ],
  posts: [
    { field: 'author', to: 'users' },
    { field: 'parent', to: 'posts' },
    { field: 'featured_media', to: 'media' },
    { field: 'categories', to: 'terms', kind: 'list' },
    { field: 'tags', to: 'terms', kind: 'list' },
    { field: 'terms', to: 'terms', kind: 'list' },
    { field: 'content', to: 'media', kind: 'text', loose: true },
    { field: 'content', to: 'posts', kind: 'posts', loose: true },
    { field: 'content', to: 'terms', kind: 'terms', loose: true },
    ...ofMenuItem('posts', 'post_type'),
    ...ofMenuItem('terms', 'taxonomy'),
    ...ofMenuItem('media', 'attachment'),
  ],
  revisions: [
    { field: 'parent', to: 'posts' },
    { field: 'author', to: 'users' },
  ],
  post_history: [
    { field: 'post', to: 'posts' },
    { field: 'newest', to: 'revisions' },
  ],
  old_slugs: [{ field: 'post', to: 'posts' }],
  comments: [
    { field: 'post', to: 'posts' },
    { field: 'parent', to: 'comments' },
    { field: 'author', to: 'users' },
  ],
  ml_jobs: [
    { field: 'post', to: 'posts' },
    { field: 'result', to: 'posts' },
    { field: 'author', to: 'users' },
    { field: 'translator', to: 'users' },
    { field: 'batch', to: 'ml_batches' },
  ],
  menu_locations: [{ field: 'menu', to: 'terms' }],
  ml_job_log: [{ field: 'job', to: 'ml_jobs' }],
  ml_memory: [{ field: 'post', to: 'posts' }],
  seo_meta: ofObject('object_id', 'id'),
  seo_indexables: [...ofObject('object_id', 'id'), ...ofObject('key', 'keyed')],
  seo_links: [
    { field: 'indexable', to: 'seo_indexables' },
    { field: 'target', to: 'seo_indexables' },
  ],
};

const appliesTo = ({ when = {} }: ReferenceRule, values: Readonly<Record<string, Json>>): boolean =>
  Object.entries(when).every(([field, value]) => own(values, field) === value);

/** The rules that apply to a record. */
export function rulesOf(
  collection: string,
  values: Readonly<Record<string, Json>>,
): readonly ReferenceRule[] {
  return (own(REFERENCES, collection) ?? []).filter((rule) => appliesTo(rule, values));
}

/** The rule of a field that refers to a collection; the only one of the field if none is named. */
export function findRule(
  collection: string,
  field: string,
  to: string | undefined,
): ReferenceRule | undefined {
  return own(REFERENCES, collection)?.find(
    (rule) => rule.field === field && (to === undefined || rule.to === to),
  );
}

/** Collections whose records have translation groups. */
export const GROUPED: ReadonlySet<string> = new Set(['posts', 'terms']);
