import { own } from '../../../lib/core/objects.ts';
import { type CollectionDescriptor, EMPTY_VALUES, type UniqueKey } from '../../../lib/store/collection.ts';
import type { Values } from '../../../lib/store/store.ts';

/** The values of a unique key of a record; null if the key does not apply to it. */
export function valuesOfKey(
  { fields: types }: CollectionDescriptor,
  { fields, except = {} }: UniqueKey,
  values: Values,
): readonly unknown[] | null {
  const valueOf = (field: string): unknown =>
    own(values, field) ?? EMPTY_VALUES[own(types, field)?.type ?? 'text'];
  const exempt = Object.entries(except);
  const isExempt = exempt.length > 0 && exempt.every(([field, value]) => valueOf(field) === value);
  return isExempt ? null : fields.map(valueOf);
}
