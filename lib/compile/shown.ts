import { renameParam, type Names } from '../core/names.ts';
import type { EndpointDescriptor, Form, ResourceDescriptor } from '../route/descriptor.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import type { JsonSchema } from '../schema/schema.ts';

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
