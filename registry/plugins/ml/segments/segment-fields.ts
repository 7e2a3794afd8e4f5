import { createHash } from 'node:crypto';
import { type Steps, type TranslatedPart, groupBy, own } from '../../../plugin.ts';
import type { JobField } from '../records/job-fields.ts';
import type { Job, JobTarget } from '../records/job-record.ts';
import { readJsonText } from '../records/json-text.ts';
import { splitText, type TextPart } from './split-text.ts';

/** Fields that are one unit each: the title, the slug, and names of terms. */
const isWhole = ({ id, source, path }: JobField): boolean =>
  id === 'title' ||
  id === 'URL' ||
  id.startsWith('t_') ||
  (path !== undefined && readJsonText(source) !== undefined);

/** Most segments of one text. A text with more of them stays whole, because a file has a limit of units. */
const MAX_SEGMENTS = 20_000;

/** Segments that get their ids between two places where the work may be interrupted. */
const STEP = 500;

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);

/**
 * Ids that do not depend on the position: the digest of the text. Of equal texts, the last one has this id, and those before it also
 * contain the text that follows. So a text that is inserted in front changes no id.
 */
function* toIds(field: string, parts: readonly TextPart[]): Steps<readonly string[]> {
  const digests = new Map<string, string>();
  const digestOf = (source: string): string => {
    const known = digests.get(source) ?? digest(source);
    digests.set(source, known);
    return known;
  };
  const counts = new Map<string, number>();
  const countOf = (key: string): number => {
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
  const toId = (source: string, next: string): string => {
    const plain = digestOf(source);
    if (countOf(plain) === 0) return `${field}-${plain}`;
    const beside = `${plain} ${digestOf(next)}`;
    return `${field}-${digest(beside, String(countOf(beside)))}`;
  };
  const ids: string[] = [];
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    ids.push(toId(parts[index]?.source ?? '', parts[index + 1]?.source ?? ''));
    if (index % STEP === 0) yield;
  }
  return ids.toReversed();
}

function* toSegments(field: JobField): Steps<readonly JobField[]> {
  const { parts, after } = yield* splitText(field.source);
  const isOneText = field.id !== 'body' && parts.length <= 1;
  if (isOneText || parts.length > MAX_SEGMENTS) return [field];
  const ids = yield* toIds(field.id, parts);
  return parts.map(({ source, before }, index): JobField =>
    Object.assign(
      {},
      field,
      { id: ids[index] ?? '', source, part: field.id, before },
      index === parts.length - 1 ? { after } : {},
    ),
  );
}

/** The texts of a job, with long ones cut into segments. A body without any words has none. */
export function* segmentFields(fields: readonly JobField[]): Steps<readonly JobField[]> {
  const segments: JobField[] = [];
  for (const field of fields) {
    // One by one: a call has a limit of arguments.
    for (const each of isWhole(field) ? [field] : yield* toSegments(field)) segments.push(each);
  }
  return segments;
}

/** Segments of one text, or a text by itself. */
interface WholeField {
  readonly field: JobField;
  readonly segments: readonly JobField[];
}

/** The whole texts that segments were cut from, each with its segments in order. */
export function joinFields(fields: readonly JobField[]): readonly WholeField[] {
  return [...groupBy(fields, (field) => field.part ?? field.id)].map(([id, segments]) => {
    const [first] = segments;
    if (first?.part === undefined) return { field: first as JobField, segments };
    const { part: _part, before: _before, after: _after, ...shared } = first;
    return { field: { ...shared, id, source: joinTexts(segments, ({ source }) => source) }, segments };
  });
}

/** The text that segments make with other texts in their places. */
export const joinTexts = (segments: readonly JobField[], textOf: (segment: JobField) => string): string =>
  segments.map((segment) => `${segment.before ?? ''}${textOf(segment)}${segment.after ?? ''}`).join('');

const mayAll = ({ source }: JobField, target: JobTarget | undefined): boolean =>
  target === undefined || target.unfiltered === true || target.text === source;

/** The translation of a whole text. `parts`: its segments and what stands between them. */
export type JoinedTarget = JobTarget & { readonly parts?: readonly TranslatedPart[] };

const toParts = (segments: readonly JobField[], targets: Job['targets']): readonly TranslatedPart[] =>
  segments.flatMap(({ id, source, before = '', after = '' }) => [
    { source: before, target: before },
    { source, target: own(targets, id)?.text ?? source },
    { source: after, target: after },
  ]);

/** The translation of a whole text: those of its segments in their places. A segment without one stays as it is in the source. */
function joinTargets({ segments }: WholeField, targets: Job['targets']): JoinedTarget | undefined {
  const [first] = segments;
  if (first === undefined || segments.every(({ id }) => own(targets, id) === undefined)) return undefined;
  if (first.part === undefined) return own(targets, first.id);
  const parts = toParts(segments, targets);
  return {
    text: parts.map(({ target }) => target).join(''),
    parts,
    state: 'translated',
    ...(segments.every((segment) => mayAll(segment, own(targets, segment.id)))
      ? { unfiltered: true as const }
      : {}),
  };
}

/** The texts of a job and their translations, without segments. */
export function joinJob({ fields, targets }: Pick<Job, 'fields' | 'targets'>): {
  readonly fields: Job['fields'];
  readonly targets: Readonly<Record<string, JoinedTarget>>;
} {
  const wholes = joinFields(fields);
  const joined = wholes.flatMap((whole): readonly (readonly [string, JoinedTarget])[] => {
    const target = joinTargets(whole, targets);
    return target === undefined ? [] : [[whole.field.id, target]];
  });
  return { fields: wholes.map(({ field }) => field), targets: Object.fromEntries(joined) };
}
