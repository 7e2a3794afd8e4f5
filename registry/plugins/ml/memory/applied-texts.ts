import type { Json, StoredRecord } from '../../../../lib/index.ts';
import { type Steps, own } from '../../../plugin.ts';
import type { JobField, PostTexts } from '../records/job-fields.ts';
import { readJsonText } from '../records/json-text.ts';
import { joinFields } from '../segments/segment-fields.ts';
import { splitText } from '../segments/split-text.ts';

/** A text of a translation as it was applied. `units`: the ids and sources of its segments, in order, with their texts; none if they cannot be told apart in the translation. */
export type AppliedText = {
  readonly id: string;
  readonly label: string;
  readonly path?: readonly string[];
  readonly text: string;
  readonly units: readonly AppliedUnit[];
};

export type AppliedUnit = { readonly id: string; readonly source: string; readonly text: string };

/** What was last applied to a translation (`collections.ts`). */
export interface Applied extends StoredRecord {
  readonly post: number;
  readonly source: string;
  readonly target: string;
  readonly result: number;
  readonly learned: number;
  readonly texts: readonly AppliedText[];
}

// The store returns what the collection descriptor declares.
export const toApplied = (record: StoredRecord): Applied => record as Applied;

const OWN: ReadonlyMap<string, 'title' | 'content' | 'excerpt'> = new Map([
  ['title', 'title'],
  ['body', 'content'],
  ['excerpt', 'excerpt'],
]);

function readPath(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const members = typeof value === 'string' ? readJsonText(value) : value;
  return typeof members === 'object' && members !== null
    ? readPath(own(members as Readonly<Record<string, Json>>, name), rest)
    : undefined;
}

/** The text of a field in a post; undefined for a field that is not compared: slugs and names of terms. */
export function readField({ id, path }: Pick<JobField, 'id' | 'path'>, post: PostTexts): string | undefined {
  const name = OWN.get(id);
  if (name !== undefined) return post[name];
  const value = path === undefined ? undefined : readPath(post.meta, path);
  return typeof value === 'string' ? value : undefined;
}

/** The parts of a translation, if it has one for each segment of its source. */
function* toUnits(segments: readonly JobField[], text: string): Steps<readonly AppliedUnit[]> {
  const [first] = segments;
  if (first === undefined) return [];
  if (first.part === undefined) return [{ id: first.id, source: first.source, text }];
  const { parts } = yield* splitText(text);
  return parts.length === segments.length
    ? segments.map(({ id, source }, index) => ({ id, source, text: parts[index]?.source ?? '' }))
    : [];
}

/** What an application writes, by field. */
export function* toAppliedTexts(fields: readonly JobField[], post: PostTexts): Steps<readonly AppliedText[]> {
  const applied: AppliedText[] = [];
  for (const { field, segments } of joinFields(fields)) {
    const text = readField(field, post);
    if (text !== undefined)
      applied.push({
        id: field.id,
        label: field.label,
        ...(field.path === undefined ? {} : { path: field.path }),
        text,
        units: yield* toUnits(segments, text),
      });
    yield;
  }
  return applied;
}
