import type { Json } from '../../../../lib/index.ts';
import type { JobField } from './job-fields.ts';

/** Segments of one text as they are stored: lists instead of an object for each, because a commit copies every object. */
type StoredSegments = {
  readonly id: string;
  readonly label: string;
  readonly path?: readonly string[];
  readonly ids: readonly string[];
  readonly sources: readonly string[];
  readonly before: readonly string[];
  readonly after: string;
};

type StoredField = JobField | StoredSegments;

function toStored(segments: readonly JobField[]): StoredField {
  const [first] = segments;
  if (first?.part === undefined) return first as JobField;
  const { label, path, part } = first;
  return {
    id: part,
    label,
    ...(path === undefined ? {} : { path }),
    ids: segments.map(({ id }) => id),
    sources: segments.map(({ source }) => source),
    before: segments.map(({ before = '' }) => before),
    after: segments.at(-1)?.after ?? '',
  };
}

/** The texts of a job as they are stored. */
export function toStoredFields(fields: readonly JobField[]): readonly StoredField[] {
  const groups: JobField[][] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last !== undefined && field.part !== undefined && last[0]?.part === field.part) last.push(field);
    else groups.push([field]);
  }
  return groups.map(toStored);
}

const toFields = (field: StoredField): readonly JobField[] => {
  if (!('ids' in field)) return [field];
  const { id: part, label, path, ids, sources, before, after } = field;
  return ids.map((id, index): JobField => {
    const segment = { id, label, source: sources[index] ?? '', part, before: before[index] ?? '' };
    return Object.assign(
      segment,
      path === undefined ? {} : { path },
      index === ids.length - 1 ? { after } : {},
    );
  });
};

/** The texts of a stored job. */
export function readStoredFields(stored: Json | undefined): readonly JobField[] {
  return Array.isArray(stored) ? (stored as readonly StoredField[]).flatMap(toFields) : [];
}
