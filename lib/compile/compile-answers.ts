import type { Names } from '../core/names.ts';
import { own } from '../core/objects.ts';
import { RecordList } from '../http/record-list.ts';
import { BODILESS, RawBody, type RestResponse } from '../http/response.ts';
import { StreamBody } from '../http/stream-body.ts';
import { JsonText } from '../json/json-document.ts';
import type { EndpointDescriptor, ResourceDescriptor } from '../route/descriptor.ts';
import { toJsonSchema, type JsonSchema } from '../schema/schema.ts';
import type { Validate, Validators } from '../schema/validate.ts';
import { listShownFields, toShownSchema } from './shown.ts';

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
