import { isObject } from './coerce.ts';

/** Field -> its wanted parts; null: the whole field. */
export type Selection = ReadonlyMap<string, Selection | null>;

/** No answer nests deeper; more parts of a path name nothing. */
const DEPTH_LIMIT = 64;

function addPath(selection: Map<string, Selection | null>, path: readonly string[]): void {
  const [name, ...rest] = path;
  if (name === undefined || name === '') return;
  const known = selection.get(name);
  if (known === null || rest.length === 0) {
    selection.set(name, null);
    return;
  }
  const parts = new Map(known);
  addPath(parts, rest);
  selection.set(name, parts);
}

/** Reads `_fields`: a comma list or a list of dotted paths. null: everything. */
export function wantedFields(value: unknown): Selection | null {
  const list = Array.isArray(value) ? value : [value];
  const paths = list.filter((part) => typeof part === 'string').flatMap((part) => part.split(/[\s,]+/)).filter((path) => path !== '');
  if (paths.length === 0) return null;
  const selection = new Map<string, Selection | null>();
  for (const path of paths) addPath(selection, path.split('.', DEPTH_LIMIT));
  return selection;
}

function selectMembers(value: Readonly<Record<string, unknown>>, selection: Selection): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const parts = selection.get(name);
    if (parts === null) out[name] = member;
    else if (parts !== undefined && isObject(member)) out[name] = selectMembers(member, parts);
  }
  return out;
}

/** Keeps the wanted fields of a record, or of each record of a list. */
export function selectFields(body: unknown, selection: Selection): unknown {
  if (Array.isArray(body)) return body.map((item: unknown) => selectFields(item, selection));
  return isObject(body) ? selectMembers(body, selection) : body;
}
