import { describeType, toStoredValue } from '../../lib/value-check.ts';
import type { CollectionDescriptor } from '../../lib/collection.ts';
import { postCollections } from '../cms/collections.ts';
import { siteCollections } from './collections.ts';
import { refuse, type Row } from './fixture-rows.ts';
import { ROLES } from './roles.ts';

const FIELDS = new Map<string, CollectionDescriptor['fields']>([...siteCollections, ...postCollections].map(({ name, fields }) => [name, fields]));

/** Holds the members of a row to the fields that they become, so that the refusal names the row. @throws TypeError */
export function checkRow(collection: string, row: Row, place: string): void {
  for (const [member, { type }] of Object.entries(FIELDS.get(collection) ?? {})) {
    const given = row[member] ?? undefined;
    if (given !== undefined && toStoredValue(type, given) === undefined) refuse(place, `${member} is ${JSON.stringify(given)} and has to be ${describeType(type)}`);
  }
}

/** What a user of a fixture can not be without a store noticing. @throws TypeError */
export function checkUser({ role, password }: Row, place: string): void {
  if (role !== undefined && role !== null && !Object.hasOwn(ROLES, String(role))) refuse(place, `role is ${JSON.stringify(role)} and has to be one of ${Object.keys(ROLES).join(', ')}`);
  if (password !== undefined && password !== null && typeof password !== 'string') refuse(place, 'password is not a text');
}
