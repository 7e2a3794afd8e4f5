import { isObject, own, perObject } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { type BlockPiece, hasBlocks, readBlocks } from '../../core/content/html/blocks.ts';
import { coreCollections } from '../../core/records/collections.ts';
import type { Item } from '../items/item.ts';

/** A reference to a record that does not exist. */
export interface Dangling {
  /** Collection of the record that refers. */
  readonly collection: string;
  /** Its id. */
  readonly id: number;
  /** Its field. */
  readonly field: string;
  /** Collection in which it is missing. */
  readonly to: string;
  /** The id that does not exist. */
  readonly ref: number;
}

function* listReferences(
  { collection, id, values }: Item,
  fields: CollectionDescriptor['fields'] | undefined,
): Generator<Dangling> {
  for (const { field, to, kind = 'id', loose = false } of rulesOf(collection, values, fields)) {
    if (!loose)
      for (const ref of listIds(kind, own(values, field) ?? 0))
        if (ref > 0) yield { collection, id, field, to, ref };
  }
}

/** Reads all items of a site, and returns the references to records that do not exist. Records may come in any order. `collections`: those of the site. `onItem`: called for each item. */
export async function findDangling(
  items: AsyncIterable<Item>,
  collections: readonly CollectionDescriptor[],
  onItem: (item: Item) => void = () => undefined,
): Promise<readonly Dangling[]> {
  const fieldsOf = new Map(collections.map(({ name, fields }) => [name, fields]));
  const known = new Set<string>();
  const open: Dangling[] = [];
  const isKnown = ({ to, ref }: Dangling): boolean => known.has(`${to} ${ref}`);
  for await (const item of items) {
    known.add(`${item.collection} ${item.id}`);
    onItem(item);
    for (const reference of listReferences(item, fieldsOf.get(item.collection)))
      if (!isKnown(reference)) open.push(reference);
  }
  return open.filter((reference) => !isKnown(reference));
}

/** The attributes of blocks that hold ids of media, by name of the block. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['image', 'id'],
  ['cover', 'id'],
  ['file', 'id'],
  ['video', 'id'],
  ['audio', 'id'],
  ['media-text', 'mediaId'],
  ['gallery', 'ids'],
]);
const CORE = /^core\//;

/** Ids of media in markup: the class of a picture, the attribute of a picture in a gallery, and the short code of a gallery. */
const MARKUP: readonly RegExp[] = [
  /(?<=\bwp-image-)\d{1,15}\b/g,
  /(?<=\bdata-id=["'])\d{1,15}(?=["'])/g,
  /(?<=\[gallery\s[^\]]{0,200}\bids=["'])[\d,\s]+(?=["'])/g,
];

/** One number, or several with commas. */
const replaceNumbers = (text: string, toId: ToId): string =>
  text.replace(/\d{1,15}/g, (id) => String(toId(Number(id))));

function replaceInPiece(piece: BlockPiece, toId: ToId): string {
  if (piece.kind === 'html')
    return MARKUP.reduce(
      (text, pattern) => text.replace(pattern, (ids) => replaceNumbers(ids, toId)),
      piece.text,
    );
  return replaceInBlock(piece, ATTRIBUTES.get(piece.name.replace(CORE, '')), toId);
}

function replaceInBlock(piece: BlockPiece, attribute: string | undefined, toId: ToId): string {
  if (attribute === undefined || piece.kind === 'close') return piece.text;
  return piece.text.replace(
    new RegExp(String.raw`(?<="${attribute}"\s{0,9}:\s{0,9})(?:\d+|\[[\d,\s]*\])`),
    (ids) => replaceNumbers(ids, toId),
  );
}

/** A text with other ids of media. Everything else stays as it is, to the byte. */
export function replaceMediaIds(text: string, toId: ToId): string {
  if (!hasBlocks(text)) return replaceInPiece({ kind: 'html', text }, toId);
  return readBlocks(text)
    .map((piece) => replaceInPiece(piece, toId))
    .join('');
}

/** Blocks that name posts (synced patterns, navigations, targets of links) or terms: their attribute with the id, and what else they say. */
const NAMED = {
  posts: [
    [/^(?:block|navigation)$/, 'ref', ''],
    [/^navigation-(?:link|submenu)$/, 'id', '"kind":"post-type"'],
  ],
  terms: [[/^navigation-(?:link|submenu)$/, 'id', '"kind":"taxonomy"']],
} as const;

/** A text with other ids of the posts or terms that its blocks name. */
export function replaceNamedIds(to: keyof typeof NAMED, text: string, toId: ToId): string {
  if (!hasBlocks(text) || !/"ref"|"kind"/.test(text)) return text;
  return readBlocks(text)
    .map((piece) => {
      if (piece.kind === 'html') return piece.text;
      const name = piece.name.replace(CORE, '');
      const rule = NAMED[to].find(([form, , mark]) => form.test(name) && piece.attributes.includes(mark));
      return replaceInBlock(piece, rule?.[1], toId);
    })
    .join('');
}

/** How a field holds ids. `id`: one, or a list. `byLanguage`: one id, or an object of ids by language. `keyed`: `post:12`. `text`: of media, in blocks and classes of a text; `posts`, `terms`: of others, in its blocks. `post_type`, `attachment`, `taxonomy`: of the target of a menu item, in its meta. */
type ReferenceKind =
  | 'id'
  | 'byLanguage'
  | 'keyed'
  | 'text'
  | 'posts'
  | 'terms'
  | 'post_type'
  | 'attachment'
  | 'taxonomy';

type ToId = (id: number) => number;

const toOther = (value: Json, toId: ToId): Json =>
  Array.isArray(value)
    ? value.map((id: Json) => toOther(id, toId)).filter((id) => id !== 0)
    : typeof value === 'number' && value !== 0
      ? toId(value)
      : value;

/** The meta of a menu item with another id of its target, if that is of this kind. */
const ofItem =
  (isKind: (type: unknown, object: unknown) => boolean) =>
  (value: Json, toId: ToId): Json =>
    isObject(value) && isKind(value['_menu_item_type'], value['_menu_item_object'])
      ? { ...value, _menu_item_object_id: toOther((value['_menu_item_object_id'] ?? 0) as Json, toId) }
      : value;

/** The value with other ids. */
const REPLACE: Readonly<Record<ReferenceKind, (value: Json, toId: ToId) => Json>> = {
  id: toOther,
  byLanguage: (value, toId) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([language, id]) => [language, toOther(id as Json, toId)]),
        )
      : toOther(value, toId),
  keyed: (value, toId) =>
    typeof value === 'string' ? value.replace(/(?<=^[a-z]+:)\d+$/, (id) => String(toId(Number(id)))) : value,
  text: (value, toId) => (typeof value === 'string' ? replaceMediaIds(value, toId) : value),
  posts: (value, toId) => (typeof value === 'string' ? replaceNamedIds('posts', value, toId) : value),
  terms: (value, toId) => (typeof value === 'string' ? replaceNamedIds('terms', value, toId) : value),
  post_type: ofItem((type, object) => type === 'post_type' && object !== 'attachment'),
  attachment: ofItem((type, object) => type === 'post_type' && object === 'attachment'),
  taxonomy: ofItem((type) => type === 'taxonomy'),
};

/** The value of a field with other ids. */
export function replaceIds(kind: ReferenceKind, value: Json, toId: ToId): Json {
  return REPLACE[kind](value, toId);
}

/** The ids in the value of a field, each once. 0 is none. */
export function listIds(kind: ReferenceKind, value: Json): readonly number[] {
  const ids = new Set<number>();
  replaceIds(kind, value, (id) => {
    ids.add(id);
    return id;
  });
  return [...ids];
}

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

/** Fields that hold ids of other records in another way than `references` of a descriptor can say. */
const REFERENCES: Readonly<Record<string, readonly ReferenceRule[]>> = {
  options: [
    ofSetting('page_on_front', 'posts', 'byLanguage'),
    ofSetting('page_for_posts', 'posts', 'byLanguage'),
    ofSetting('default_category', 'terms', 'byLanguage'),
    ofSetting('site_logo', 'media'),
    ofSetting('site_icon', 'media'),
  ],
  posts: [
    { field: 'content', to: 'media', kind: 'text', loose: true },
    { field: 'content', to: 'posts', kind: 'posts', loose: true },
    { field: 'content', to: 'terms', kind: 'terms', loose: true },
    ...ofMenuItem('posts', 'post_type'),
    ...ofMenuItem('terms', 'taxonomy'),
    ...ofMenuItem('media', 'attachment'),
  ],
  seo_meta: ofObject('object_id', 'id'),
  seo_indexables: [...ofObject('object_id', 'id'), ...ofObject('key', 'keyed')],
};

const appliesTo = ({ when = {} }: ReferenceRule, values: Readonly<Record<string, Json>>): boolean =>
  Object.entries(when).every(([field, value]) => own(values, field) === value);

const listDeclared = perObject((fields: CollectionDescriptor['fields']): readonly ReferenceRule[] =>
  Object.entries(fields).flatMap(([field, { references: to }]) => (to === undefined ? [] : [{ field, to }])),
);

const listRules = (
  collection: string,
  fields: CollectionDescriptor['fields'] = coreCollections.get(collection)?.fields ?? {},
): readonly ReferenceRule[] => [...(own(REFERENCES, collection) ?? []), ...listDeclared(fields)];

/** The rules that apply to a record. `fields`: of its collection; default: those of a collection of the core. */
export const rulesOf = (
  collection: string,
  values: Readonly<Record<string, Json>>,
  fields?: CollectionDescriptor['fields'],
): readonly ReferenceRule[] => listRules(collection, fields).filter((rule) => appliesTo(rule, values));

/** The rule of a field that refers to a collection; the only one of the field if none is named. */
export function findRule(
  collection: string,
  field: string,
  to: string | undefined,
): ReferenceRule | undefined {
  const found = listRules(collection).find(
    (rule) => rule.field === field && (to === undefined || rule.to === to),
  );
  return found ?? (to === undefined ? undefined : { field, to });
}

/** Collections whose records have translation groups. */
export const GROUPED: ReadonlySet<string> = new Set(['posts', 'terms', 'media']);
