import { isObject } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { replaceMediaIds, replacePatternIds } from './media-in-text.ts';

/** How a field holds ids. `byLanguage`: one id, or an object of ids by language. `keyed`: `post:12`. `text`: of media, in blocks and classes of a text; `patterns`: of synced patterns, in its blocks. */
export type ReferenceKind = 'id' | 'list' | 'byLanguage' | 'keyed' | 'text' | 'patterns';

type ToId = (id: number) => number;

const toOther = (value: Json, toId: ToId): Json =>
  typeof value === 'number' && value !== 0 ? toId(value) : value;

/** The value with other ids. */
const REPLACE: Readonly<Record<ReferenceKind, (value: Json, toId: ToId) => Json>> = {
  id: toOther,
  list: (value, toId) =>
    Array.isArray(value) ? value.map((id: Json) => toOther(id, toId)).filter((id) => id !== 0) : value,
  byLanguage: (value, toId) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([language, id]) => [language, toOther(id as Json, toId)]),
        )
      : toOther(value, toId),
  keyed: (value, toId) =>
    typeof value === 'string' ? value.replace(/(?<=^[a-z]+:)\d+$/, (id) => String(toId(Number(id)))) : value,
  text: (value, toId) => (typeof value === 'string' ? replaceMediaIds(value, toId) : value),
  patterns: (value, toId) => (typeof value === 'string' ? replacePatternIds(value, toId) : value),
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
