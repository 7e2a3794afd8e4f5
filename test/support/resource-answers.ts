import * as assert from 'uvu/assert';
import type { ResourceDescriptor } from '../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../lib/schema/schema-dialect.ts';
import { Validators } from '../../lib/schema/validate.ts';

export type Context = 'view' | 'edit' | 'embed';

/** Members that only a post with translations has. */
const MAY_LACK: ReadonlySet<string> = new Set(['ml_translations']);

const validators = new Validators();

/** The members that a context shows. */
function toShown(properties: ArgSchemas, context: Context): ArgSchemas {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const isShown = schema.context === undefined || schema.context.includes(context);
      return isShown ? [[name, { ...toExact(schema, context), required: !MAY_LACK.has(name) }]] : [];
    }),
  );
}

function toExact(schema: ArgSchema, context: Context): ArgSchema {
  return schema.properties === undefined
    ? schema
    : { ...schema, properties: toShown(schema.properties, context), additionalProperties: false };
}

/** Checks a record against its resource: exactly the fields of the context, each with its type. Links are allowed in addition. */
export function checkRecord(
  { title, properties }: ResourceDescriptor,
  context: Context,
  record: unknown,
): void {
  const schema: ArgSchema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...toShown(properties, context),
      _links: { type: 'object' },
      _embedded: { type: 'object' },
    },
  };
  const invalid = validators.compile(schema)('answer', record);
  assert.is(
    invalid,
    null,
    `${title} (${context}): ${JSON.stringify(invalid)} ${JSON.stringify(record)?.slice(0, 600)}`,
  );
}
