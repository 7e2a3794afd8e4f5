import { engineError } from '../core/errors.ts';
import { brand, isObject } from '../core/objects.ts';
import { wordsOf } from '../schema/reading.ts';

/** Field -> its selected parts; null: the whole field. */
export type Selection = ReadonlyMap<string, Selection | null>;

type Growing = Map<string, Growing | null>;

/** No response nests deeper, so further parts of a path select nothing. */
const DEPTH_LIMIT = 64;
/** Most paths that one request may name. */
const PATH_LIMIT = 500;

function addPath(selection: Growing, path: readonly string[]): void {
  let here = selection;
  for (const [index, name] of path.entries()) {
    const known = here.get(name);
    if (name === '' || known === null) return;
    if (index === path.length - 1) {
      here.set(name, null);
      return;
    }
    const parts: Growing = known ?? new Map();
    here.set(name, parts);
    here = parts;
  }
}

/** Parses `_fields`: a comma-separated list or a list of dotted paths. null: all fields. @throws RestError `rest_too_many_parameters` */
export function wantedFields(value: unknown): Selection | null {
  const paths = wordsOf(value, PATH_LIMIT);
  if (paths === null)
    throw engineError('rest_too_many_parameters', {
      message: `_fields names more than ${PATH_LIMIT} fields.`,
    });
  if (paths.length === 0) return null;
  const selection: Growing = new Map();
  for (const path of paths) addPath(selection, path.split('.', DEPTH_LIMIT));
  return selection;
}

function selectMembers(
  value: Readonly<Record<string, unknown>>,
  selection: Selection,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const parts = selection.get(name);
    if (parts === null) out[name] = member;
    else if (parts !== undefined && isObject(member)) out[name] = selectMembers(member, parts);
  }
  return out;
}

/** Keeps the selected fields of a record, or of each record of a list. */
export function selectFields(body: unknown, selection: Selection): unknown {
  if (Array.isArray(body)) return body.map((item: unknown) => selectFields(item, selection));
  return isObject(body) ? selectMembers(body, selection) : body;
}

/**
 * Shows one record of a list. `fields`: those that the client requested, null for all. Other fields are removed afterwards.
 * @returns any value, a `JsonText` of a record that is already written, a promise of it, or undefined for a record that no longer exists
 */
export type ShowRecord<T> = (record: T, fields: Selection | null) => unknown;

/**
 * A list of records as the content of a response. Records are shown and written one by one, with pauses for other requests,
 * and only up to the limit of a response. Handlers return it instead of an array if records can be large or numerous.
 */
export class RecordList<T = unknown> {
  /** The records, in the order of the response. */
  readonly records: readonly T[];
  /** Makes the shown form of one record. */
  readonly show: ShowRecord<T>;
  /** Number of items of the result before the first record; null: the list is not part of one that `page` and `per_page` divide. */
  readonly from: number | null;

  /** `from`: with it, a list that is too large for a response ends earlier, and its next link goes on where it ends. Without it, it is refused. */
  constructor(records: readonly T[], show: ShowRecord<T>, from: number | null = null) {
    this.records = records;
    this.show = show;
    this.from = from;
  }
}

brand(RecordList, 'RecordList');
