import { own, perObject } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
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

/** The fields of each collection that hold ids of other records, beside those whose descriptor says so (`references`). */
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
    { field: 'categories', to: 'terms' },
    { field: 'tags', to: 'terms' },
    { field: 'terms', to: 'terms' },
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
  seo_meta: ofObject('object_id', 'id'),
  seo_indexables: [...ofObject('object_id', 'id'), ...ofObject('key', 'keyed')],
};

const appliesTo = ({ when = {} }: ReferenceRule, values: Readonly<Record<string, Json>>): boolean =>
  Object.entries(when).every(([field, value]) => own(values, field) === value);

const listDeclared = perObject((fields: CollectionDescriptor['fields']): readonly ReferenceRule[] =>
  Object.entries(fields).flatMap(([field, { references: to }]) => (to === undefined ? [] : [{ field, to }])),
);

/** The rules that apply to a record. `fields`: of its collection. */
export function rulesOf(
  collection: string,
  values: Readonly<Record<string, Json>>,
  fields: CollectionDescriptor['fields'] = {},
): readonly ReferenceRule[] {
  return [
    ...(own(REFERENCES, collection) ?? []).filter((rule) => appliesTo(rule, values)),
    ...listDeclared(fields),
  ];
}

/** The rule of a field that refers to a collection; the only one of the field if none is named. */
export function findRule(
  collection: string,
  field: string,
  to: string | undefined,
): ReferenceRule | undefined {
  const found = own(REFERENCES, collection)?.find(
    (rule) => rule.field === field && (to === undefined || rule.to === to),
  );
  return found ?? (to === undefined ? undefined : { field, to });
}

/** Collections whose records have translation groups. */
export const GROUPED: ReadonlySet<string> = new Set(['posts', 'terms', 'media']);
