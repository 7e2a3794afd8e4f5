import { atPlace } from '../core/check-options.ts';
import { renameParam, type Names } from '../core/names.ts';
import { own } from '../core/objects.ts';
import { RecordList } from '../http/record-list.ts';
import { RawBody, RestResponse } from '../http/response.ts';
import { StreamBody } from '../http/stream-body.ts';
import { JsonText } from '../json/json-document.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import { typesOf } from '../schema/schema.ts';

/** Returns a value without the fields that its schemas do not declare; the same value if it has no others. */
type Select = (value: unknown) => unknown;

/** null: everything below is declared. undefined: the field is not. */
type MemberSelect = Select | null | undefined;

/** How the members of an object are selected. */
interface Members {
  readonly declared: ReadonlyMap<string, MemberSelect>;
  /** Any other member. */
  readonly rest: MemberSelect;
}

const flatten = (schema: ArgSchema): readonly ArgSchema[] => schema.oneOf?.flatMap(flatten) ?? [schema];

/** The schema of a member; without a name, of any that is not named. An object without `properties` may have any members. null: it is not declared. */
function schemaOf(
  { properties, additionalProperties: rest }: ArgSchema,
  name: string | null,
): ArgSchema | null {
  const isOpen = rest === true || (rest === undefined && properties === undefined);
  const named = name === null ? undefined : own(properties ?? {}, name);
  return named ?? (typeof rest === 'object' ? rest : isOpen ? {} : null);
}

function compileMember(objects: readonly ArgSchema[], name: string | null, names: Names): MemberSelect {
  const schemas = objects.map((schema) => schemaOf(schema, name)).filter((schema) => schema !== null);
  return schemas.length === 0 ? undefined : compileSelect(schemas, names);
}

/** null: all members are declared, and all that is in them. */
function compileMembers(objects: readonly ArgSchema[], names: Names): Members | null {
  if (objects.length === 0) return null;
  const properties = new Set(objects.flatMap((each) => Object.keys(each.properties ?? {})));
  const declared = new Map(
    [...properties].flatMap((name) => {
      const select = compileMember(objects, name, names);
      // A handler may write the wire name.
      return [name, renameParam(names, name)].map((each) => [each, select] as const);
    }),
  );
  const rest = compileMember(objects, null, names);
  return rest === null && [...declared.values()].every((select) => select === null)
    ? null
    : { declared, rest };
}

function selectMembers(
  value: Readonly<Record<string, unknown>>,
  { declared, rest }: Members,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(value);
  // Most records have nothing to leave out, and are not copied.
  let kept: (readonly [string, unknown])[] | null = null;
  for (let at = 0; at < entries.length; at += 1) {
    const [name, member] = entries[at] as [string, unknown];
    const found = declared.get(name);
    const select = found === undefined ? rest : found;
    const isPlain = typeof member !== 'object' || member === null;
    const selected = isPlain || select === null || select === undefined ? member : select(member);
    if (kept === null && (select === undefined || selected !== member)) kept = entries.slice(0, at);
    if (kept !== null && select !== undefined) kept.push([name, selected]);
  }
  return kept === null ? value : Object.fromEntries(kept);
}

function selectItems(items: readonly unknown[], select: Select): readonly unknown[] {
  const selected = items.map(select);
  return selected.every((item, at) => item === items[at]) ? items : selected;
}

/** What JSON.stringify writes in place of a value. */
function toPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? (value.toJSON('') as unknown) : value;
}

/** What may be shown of a value is known only for the kinds that are declared. */
function refuse(value: object): never {
  throw new TypeError(`${Array.isArray(value) ? 'a list' : 'an object'} where its answers declare none`);
}

/** The selection of values that fit one of the schemas. A field is declared if one of those that the value may fit by its type declares it. null: nothing is left out. */
function compileSelect(schemas: readonly ArgSchema[], names: Names): Select | null {
  const flat = schemas.flatMap(flatten);
  if (flat.some((schema) => typesOf(schema).length === 0)) return null;
  const objects = flat.filter((schema) => typesOf(schema).includes('object'));
  const lists = flat.filter((schema) => typesOf(schema).includes('array'));
  const members = compileMembers(objects, names);
  const itemSchemas = lists.map(({ items = {} }) => items);
  const item = lists.length === 0 ? null : compileSelect(itemSchemas, names);
  if (members === null && item === null && objects.length + lists.length > 0) return null;
  return (given) => {
    const value = toPlain(given);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      if (lists.length === 0) refuse(value);
      return item === null ? value : selectItems(value, item);
    }
    if (objects.length === 0) refuse(value);
    return members === null ? value : selectMembers(value as Readonly<Record<string, unknown>>, members);
  };
}

/** Selects what a response may show. `what`: for messages. @throws TypeError for a content of which this is not known */
export type SelectDeclared = (what: string, response: RestResponse) => RestResponse;

/** What was written by the handler itself is sent as it is. */
const isWritten = (content: unknown): boolean =>
  content instanceof RawBody || content instanceof StreamBody || content instanceof JsonText;

function selectContent(content: unknown, select: Select): unknown {
  if (!(content instanceof RecordList)) return select(content);
  const { records, show, from } = content;
  const selectOne = (shown: unknown): unknown =>
    shown instanceof JsonText ? shown : (select([shown]) as readonly unknown[])[0];
  return new RecordList(records, async (record, fields) => selectOne(await show(record, fields)), from);
}

/** Compiles what the responses of an endpoint may show: the fields that `answers` declares. null: nothing is left out. */
export function compileDeclared({ answers }: EndpointDescriptor, names: Names): SelectDeclared | null {
  const compiled = new Map(
    Object.entries(answers ?? {}).map(([status, schema]) => [status, compileSelect([schema], names)]),
  );
  if ([...compiled.values()].every((select) => select === null)) return null;
  return (what, response) => {
    const { status, content } = response;
    if (status >= 300 || isWritten(content) || typeof content !== 'object' || content === null)
      return response;
    const declared = compiled.has(String(status)) ? String(status) : '2XX';
    const select = compiled.get(declared);
    if (select === undefined)
      throw new TypeError(`${what} a body with status ${status}, which its answers do not declare`);
    if (select === null) return response;
    const selected = atPlace(what, () => selectContent(content, select));
    return selected === content ? response : new RestResponse(selected, { ...response });
  };
}
