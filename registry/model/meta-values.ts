import { RestError } from '../../lib/core/errors.ts';
import { can, type Identity } from '../../lib/core/identity.ts';
import { isObject, own } from '../../lib/core/objects.ts';
import { checkExpression } from '../../lib/route/router.ts';
import { coerce, fits } from '../../lib/schema/coerce.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import { Validators, type Validate } from '../../lib/schema/validate.ts';
import type { MetaKey } from './meta-key.ts';

/** Stored meta values by key. Keys that nobody registered may be among them. */
export type MetaValues = Readonly<Record<string, Json>>;

const validators = new Validators(checkExpression);
const compiled = new WeakMap<MetaKey, Validate>();

function validatorOf(key: MetaKey): Validate {
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const validate = validators.compile(key.schema);
  compiled.set(key, validate);
  return validate;
}

/** The value of a key, or its default if there is none, or one of another type, which the key may have had before. */
export function metaValueOf({ key, type, single, default: usual }: MetaKey, stored: MetaValues): Json {
  const value = own<Json>(stored, key);
  return value !== undefined && fits(single ? type : 'array', value) ? value : usual;
}

/** The members of `meta` in a response: every registered key that is shown. */
export function toShownMeta(keys: readonly MetaKey[], stored: MetaValues): Record<string, Json> {
  return Object.fromEntries(keys.flatMap((key) => (key.name === null ? [] : [[key.name, metaValueOf(key, stored)]])));
}

/** @throws RestError with the code of the failed rule and the place of the member: `meta.isbn` */
function toValue(key: MetaKey, sent: unknown): Json {
  const place = `meta.${key.name}`;
  const value = coerce(key.schema, sent);
  const invalid = validatorOf(key)(place, value);
  if (invalid !== null) throw new RestError(invalid.code, [400, invalid.message], { additionalData: invalid.data === null ? undefined : [invalid.data] });
  return value as Json;
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** @throws RestError `rest_cannot_update`, unless the value is the stored one */
function checkRight({ key, name, write }: MetaKey, value: Json | undefined, { stored, identity }: MetaWrite): void {
  if (write === null || can(identity, write) || isSame(value, own<Json>(stored, key))) return;
  throw new RestError('rest_cannot_update', ['denied', `Sorry, you are not allowed to edit the ${name} custom field.`], { data: { key: name } });
}

/** The stored values before a write, and the caller. */
export interface MetaWrite {
  readonly stored: MetaValues;
  readonly identity: Identity;
}

/**
 * The values to store after a write of `meta`. Null removes a value; members that are not registered or not shown are ignored.
 * All members are checked before one of them is used.
 * @throws RestError `rest_cannot_update`, and the code of the schema rule that a value breaks
 */
export function toStoredMeta(keys: readonly MetaKey[], sent: unknown, write: MetaWrite): MetaValues {
  if (!isObject(sent)) return write.stored;
  const named = keys.flatMap((key) => (key.name !== null && Object.hasOwn(sent, key.name) ? [[key, own(sent, key.name)] as const] : []));
  const values = named.map(([key, value]) => [key, value === null ? undefined : toValue(key, value)] as const);
  const stored = new Map(Object.entries(write.stored));
  for (const [key, value] of values) {
    checkRight(key, value, write);
    if (value === undefined) stored.delete(key.key);
    else stored.set(key.key, value);
  }
  return Object.fromEntries(stored);
}
