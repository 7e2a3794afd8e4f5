import * as assert from 'uvu/assert';
import type { ResourceDescriptor } from '../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../lib/schema/schema-dialect.ts';
import { checkExpression } from '../../lib/route/router.ts';
import { Validators } from '../../lib/schema/validate.ts';

export type Context = 'view' | 'edit' | 'embed';

/** Only a post that has translations names them. */
const MAY_LACK: ReadonlySet<string> = new Set(['ml_translations']);

const validators = new Validators(checkExpression);

/** What is shown in a context: every member of it, and no other. */
function toShown(properties: ArgSchemas, context: Context): ArgSchemas {
  return Object.fromEntries(Object.entries(properties).flatMap(([name, schema]) => {
    const isShown = schema.context === undefined || schema.context.includes(context);
    return isShown ? [[name, { ...toExact(schema, context), required: !MAY_LACK.has(name) }]] : [];
  }));
}

function toExact(schema: ArgSchema, context: Context): ArgSchema {
  return schema.properties === undefined ? schema : { ...schema, properties: toShown(schema.properties, context), additionalProperties: false };
}

/** Holds a record to its resource: the fields of the context, all of them, nothing else, each of its type. Links may stand beside. */
export function checkRecord({ title, properties }: ResourceDescriptor, context: Context, record: unknown): void {
  const schema: ArgSchema = {
    type: 'object', additionalProperties: false, properties: { ...toShown(properties, context), _links: { type: 'object' }, _embedded: { type: 'object' } },
  };
  const invalid = validators.compile(schema)('answer', record);
  assert.is(invalid, null, `${title} (${context}): ${JSON.stringify(invalid)} ${JSON.stringify(record)?.slice(0, 600)}`);
}
