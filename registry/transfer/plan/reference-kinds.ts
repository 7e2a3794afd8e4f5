import { isObject } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { replaceMediaIds, replaceNamedIds } from './media-in-text.ts';

/** How a field holds ids. `id`: one, or a list. `byLanguage`: one id, or an object of ids by language. `keyed`: `post:12`. `text`: of media, in blocks and classes of a text; `posts`, `terms`: of others, in its blocks. `post_type`, `attachment`, `taxonomy`: of the target of a menu item, in its meta. */
export type ReferenceKind =
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
