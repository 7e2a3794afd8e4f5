import { atPlace } from '../../../lib/core/check-options.ts';
import { checkSchema } from '../../../lib/schema/check-schema.ts';
import type { Validators } from '../../../lib/schema/validate.ts';
import type { MetaDefinition } from './meta-key.ts';
import { toMetaKey, toValueSchema } from './resolve-meta.ts';

const INDEXABLE: readonly string[] = ['string', 'integer', 'number', 'boolean'];

/** @throws TypeError for a schema that is not valid, a default that does not fit it, and an index that no store can keep. */
export function checkMetaKey(place: string, definition: MetaDefinition, validators: Validators): void {
  const { schema, type, indexed = false, single = true } = definition;
  if (schema?.type !== undefined && schema.type !== type)
    throw new TypeError(
      `${place}.schema.type: "${String(schema.type)}" is not the type of the key, which is "${type}"`,
    );
  checkSchema(place, toValueSchema(definition));
  const key = toMetaKey('', definition);
  if (type === 'array' && key.name !== null && toValueSchema(definition).items === undefined)
    throw new TypeError(`${place}: a list needs items, the schema of its items`);
  if (indexed && !(single && INDEXABLE.includes(type)))
    throw new TypeError(
      `${place}.indexed: only a single value of type ${INDEXABLE.join(', ')} can be indexed`,
    );
  const hasDefault = definition.default !== undefined || schema?.default !== undefined;
  const validate = atPlace(place, () => validators.compile(key.schema));
  const invalid = hasDefault ? validate('default', key.default) : null;
  if (invalid !== null) throw new TypeError(`${place}.default: ${invalid.message}`);
}
