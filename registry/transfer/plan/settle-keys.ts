import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toSuffixed } from '../../core/content/slug.ts';
import type { Draft } from './draft.ts';
import { listKeys, toKeyText, type Existing } from './look-up.ts';
import { isSameRecord, toConflict } from './same-record.ts';

/** A user of whom only the address is known has it as login, so that another one with the address is the same person. */
const isNamedByAddress = (login: unknown, key: unknown): boolean =>
  typeof login === 'string' && fold(login) === key;

/** Two people with one address: the second one loses it, which the report says. */
function dropAddress(draft: Draft, place: string, values: Record<string, Json>): void {
  draft.leftOut.push({
    place,
    what: `address of ${String(values['login'])}`,
    reason: 'another user has it; each address belongs to one user',
  });
  values['email'] = '';
}

interface Keyed {
  readonly collection: CollectionDescriptor;
  readonly existing: Existing;
  /** The first number that is tried as the ending of a slug that is taken. */
  readonly firstSuffix: number;
  /** Where the record stands in the source. */
  readonly place: string;
}

/** Changes values whose unique key is taken. Returns the id of a record that is the same one; null if there is none. */
export function settleKeys(
  draft: Draft,
  values: Record<string, Json>,
  { collection, existing, firstSuffix, place }: Keyed,
): number | null {
  const findOwner = (text: string | null): StoredRecord | number | undefined =>
    text === null ? undefined : (existing.byKey.get(text) ?? draft.keys.get(text));
  for (const key of listKeys(collection)) {
    const owner = findOwner(toKeyText(collection, key, values));
    if (owner === undefined) continue;
    const field = key.fields.at(-1) ?? '';
    const conflict = toConflict(collection.name, field);
    const isStored = typeof owner !== 'number';
    if (conflict === 'same') return isStored ? owner.id : owner;
    if (isStored && isSameRecord(collection.name, owner, values)) return owner.id;
    if (conflict === 'empty') {
      if (collection.name === 'users') {
        const logins = [values['login'], isStored ? owner['login'] : undefined];
        if (logins.some((login) => isNamedByAddress(login, own(values, field))))
          return isStored ? owner.id : owner;
        dropAddress(draft, place, values);
      }
      values[field] = '';
      continue;
    }
    const slug = String(own(values, field));
    for (let n = firstSuffix; findOwner(toKeyText(collection, key, values)) !== undefined; n += 1)
      values[field] = toSuffixed(slug, n);
  }
  return null;
}
