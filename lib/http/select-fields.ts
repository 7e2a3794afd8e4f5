import { engineError } from '../core/errors.ts';
import { isObject } from '../core/objects.ts';
import { wordsOf } from '../schema/coerce.ts';

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
