import { JsonText } from '../core/json-document.ts';
import { own } from '../core/objects.ts';
import { RecordList } from '../http/record-list.ts';
import { BODILESS, RawBody, type RestResponse } from '../http/response.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';
import type { EndpointDescriptor } from './descriptor.ts';

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

/** Compiles the check of an endpoint's responses. A schema is compiled when the first response of its status is checked. null: the endpoint declares no schema. */
export function compileAnswers({ answers }: EndpointDescriptor, validators: Validators): CheckAnswer | null {
  if (answers === undefined) return null;
  return (what, response) => {
    const { status, content } = response;
    if (status > 299) return response;
    const schema = own<ArgSchema | undefined>(answers, String(status)) ?? answers['2XX'];
    if (schema === undefined) throw new TypeError(`${what} status ${status}, which the endpoint does not declare; it declares ${Object.keys(answers).join(', ')}`);
    if (BODILESS.has(status) || content instanceof RawBody) return response;
    const check = (value: unknown): void => {
      // Equal schemas share one compiled function.
      const invalid = validators.compileAnswer(schema)('body', value);
      if (invalid !== null) throw new TypeError(`${what} a body that the schema of status ${status} does not allow: ${invalid.message}`);
    };
    if (content instanceof RecordList) return response.withContent(checkRecords(content, check));
    check(toRead(content));
    return response;
  };
}

/** The same list, whose records are checked when they are shown. Selected fields are not a whole record. */
function checkRecords({ records, show }: RecordList, check: (list: unknown) => void): RecordList {
  return new RecordList(records, async (record, fields) => {
    const shown = await show(record, fields);
    if (fields === null && shown !== undefined) check([toRead(shown)]);
    return shown;
  });
}
