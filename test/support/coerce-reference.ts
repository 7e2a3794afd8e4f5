import { isObject, own } from '../../lib/core/objects.ts';
import { toItems, type Reading, toBoolean, toInteger, toNumber, toText } from '../../lib/schema/coerce.ts';
import type { ArgSchema } from '../../lib/schema/schema-dialect.ts';
import { hasRawText, listLimit, typesOf } from '../../lib/schema/schema.ts';
import { TYPES } from '../../lib/schema/type-words.ts';

const fits = (type: string, value: unknown): boolean => TYPES.get(type)?.fits(value) === true;

function readList(schema: ArgSchema, value: unknown, reading: Reading): unknown {
  const limit = listLimit(schema);
  const list = toItems(value, limit + 1, reading);
  if (list === null) return value;
  if (list.length > limit) reading.cutAt = limit;
  const { items } = schema;
  return items === undefined ? list : list.map((item) => readPlainly(items, item, reading));
}

function readObject(schema: ArgSchema, value: unknown, reading: Reading): unknown {
  if (hasRawText(schema)) {
    if (typeof value === 'string') return { raw: value };
    const raw = isObject(value) ? toText(value['raw']) : '';
    return raw === '' ? {} : { raw };
  }
  const isEmptyText =
    typeof value === 'string' && value.trim() === '' && schema.additionalProperties !== false;
  const members = isEmptyText
    ? {}
    : typeof value === 'string'
      ? (reading.parseObject(value) ?? value)
      : value;
  if (!isObject(members)) return members;
  const { properties = {}, additionalProperties } = schema;
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const property = own(properties, name) ?? rest;
      return [name, property === undefined ? member : readPlainly(property, member, reading)];
    }),
  );
}

const SCALARS = { integer: toInteger, number: toNumber, boolean: toBoolean };

function readAs(type: string, schema: ArgSchema, [value, reading]: readonly [unknown, Reading]): unknown {
  if (type === 'array') return readList(schema, value, reading);
  return type === 'object' ? readObject(schema, value, reading) : (own(SCALARS, type)?.(value) ?? value);
}

/** What `coerce` returns for a schema without `oneOf`, found step by step and without anything that is compiled. */
export function readPlainly(schema: ArgSchema, value: unknown, reading: Reading): unknown {
  const types = typesOf(schema);
  if (types.includes('string') && typeof value === 'string') return value;
  const exact = types.filter((type) => fits(type, value)).slice(0, 1);
  for (const type of exact.length === 0 ? types : exact) {
    const read = readAs(type, schema, [value, reading]);
    if (fits(type, read)) return read;
  }
  return types.includes('integer') && Number.isInteger(value) ? String(value) : value;
}
