import { atPlace } from '../core/check-options.ts';
import { type Names, renameParam } from '../core/names.ts';
import { own } from '../core/objects.ts';
import { RecordList } from '../http/record-list.ts';
import { BODILESS, RawBody, RestResponse } from '../http/response.ts';
import { StreamBody } from '../http/stream-body.ts';
import { JsonText } from '../json/json-document.ts';
import type { EndpointDescriptor, Form, ResourceDescriptor } from '../route/descriptor.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import { type JsonSchema, toJsonSchema, typesOf } from '../schema/schema.ts';
import type { Validate, Validators } from '../schema/validate.ts';

const FORMS: Readonly<Record<Form, (record: JsonSchema) => JsonSchema>> = {
  record: (record) => record,
  list: (record) => ({ type: 'array', items: record }),
  page: (record) => ({ type: 'array', items: record }),
  removal: (record) => ({
    type: 'object',
    required: ['deleted', 'previous'],
    properties: { deleted: { type: 'boolean', enum: [true] }, previous: record },
  }),
};

/** The schema of a response that shows a resource, from that of one record. The document shows it, and responses are checked against it. */
export function toShownSchema({ shows }: EndpointDescriptor, record: JsonSchema): JsonSchema {
  const forms = shows?.map((form) => FORMS[form](record)) ?? [record, FORMS.list(record), { type: 'object' }];
  return forms.length === 1 ? (forms[0] as JsonSchema) : { anyOf: forms };
}

/** The fields of a record in responses, by their wire names. */
export function listShownFields(
  { properties, answers }: ResourceDescriptor,
  names: Names,
): readonly (readonly [name: string, schema: ArgSchema])[] {
  return Object.entries({ ...properties, ...answers }).map(([name, schema]) => [
    renameParam(names, name),
    schema,
  ]);
}

/** Checks a successful response against what its endpoint declares. `what`: the handler, for messages. @returns the response to send. @throws TypeError with the place of the first violation */
export type CheckAnswer = (what: string, response: RestResponse) => RestResponse;

/** Status of a plain value that the handler returns: the lowest one that the endpoint declares. */
export function statusOfValue({ answers = {}, status }: EndpointDescriptor): number | undefined {
  const [lowest] = Object.keys(answers);
  return lowest === undefined || lowest === '2XX' ? status : Number(lowest);
}

/** The value that a client will read. */
function toRead(content: unknown): unknown {
  return content instanceof JsonText ? content.toJSON() : JSON.parse(JSON.stringify(content));
}

/** What the responses of an endpoint are checked with. `resource`: that of its route. */
interface AnswerRules {
  readonly validators: Validators;
  readonly resource: ResourceDescriptor | null;
  readonly names: Names;
}

/** The schemas of successful responses by status, as the OpenAPI document shows them. null: nothing is declared. */
function toSchemas(
  endpoint: EndpointDescriptor,
  { resource, names }: AnswerRules,
): Readonly<Record<string, JsonSchema>> | null {
  const { answers, status = '2XX' } = endpoint;
  if (answers !== undefined)
    return Object.fromEntries(
      Object.entries(answers).map(([each, schema]) => [each, toJsonSchema(schema, 'answer')]),
    );
  if (resource === null) return null;
  const fields = listShownFields(resource, names).map(([name, schema]) => [
    name,
    toJsonSchema(schema, 'answer'),
  ]);
  return { [status]: toShownSchema(endpoint, { type: 'object', properties: Object.fromEntries(fields) }) };
}

/** Compiles the check of an endpoint's responses. A schema is compiled when the first response of its status is checked. null: the endpoint declares no schema. */
export function compileAnswers(endpoint: EndpointDescriptor, rules: AnswerRules): CheckAnswer | null {
  if (endpoint.answers === undefined && rules.resource === null) return null;
  const compiled = new Map<JsonSchema, Validate>();
  let schemas: ReturnType<typeof toSchemas> = null;
  return (what, response) => {
    const { status, content } = response;
    if (status > 299) return response;
    schemas ??= toSchemas(endpoint, rules) ?? {};
    const schema = own(schemas, String(status)) ?? schemas['2XX'];
    if (schema === undefined)
      throw new TypeError(
        `${what} status ${status}, which the endpoint does not declare; it declares ${Object.keys(schemas).join(', ')}`,
      );
    if (BODILESS.has(status) || content instanceof RawBody || content instanceof StreamBody) return response;
    const validate = compiled.get(schema) ?? rules.validators.compileJson(schema);
    compiled.set(schema, validate);
    const check = (value: unknown): void => {
      const invalid = validate('body', value);
      if (invalid !== null)
        throw new TypeError(
          `${what} a body that the schema of status ${status} does not allow: ${invalid.message}`,
        );
    };
    if (content instanceof RecordList) return response.withContent(checkRecords(content, check));
    check(toRead(content));
    return response;
  };
}

/** The same list, whose records are checked when they are shown. Selected fields are not a whole record. */
function checkRecords({ records, show, from }: RecordList, check: (list: unknown) => void): RecordList {
  return new RecordList(
    records,
    async (record, fields) => {
      const shown = await show(record, fields);
      if (fields === null && shown !== undefined) check([toRead(shown)]);
      return shown;
    },
    from,
  );
}

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
