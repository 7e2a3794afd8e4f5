import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { ROLES } from '../../core/accounts/roles.ts';
import { isIndexField } from '../../core/records/meta-values.ts';
import { INDEXED } from '../../core/records/sync-meta-index.ts';
import type { Item, ReadResult } from './item.ts';

/** Whether a record says what a site has computed of its other records. Each site computes that itself. */
export function isDerived(collection: string, values: Item['values']): boolean {
  return collection === 'options' && own(values, 'group') === INDEXED[0];
}

const COMPUTED: Readonly<Record<string, (field: string) => boolean>> = {
  posts: (field) => field === 'siblings' || isIndexField(field),
  terms: (field) => field === 'siblings',
  media: (field) => field === 'siblings',
};

/** The values without those that a site computes of the others, whose fields depend on its configuration. */
export function withoutDerived(collection: string, values: Item['values']): Item['values'] {
  const isComputed = own(COMPUTED, collection);
  if (isComputed === undefined || !Object.keys(values).some(isComputed)) return values;
  return Object.fromEntries(Object.entries(values).filter(([field]) => !isComputed(field)));
}

/** Drops what the store of an import computes itself, and reports what belongs to the store of the source. Older exports contain both. */
export async function* dropDerived(
  found: AsyncIterable<ReadResult>,
  collections: readonly CollectionDescriptor[],
): AsyncGenerator<ReadResult> {
  const transient = new Set(collections.filter((each) => each.transient).map(({ name }) => name));
  for await (const each of found) {
    if (!('item' in each)) {
      yield each;
      continue;
    }
    const { collection, place, values } = each.item;
    if (transient.has(collection))
      yield { leftOut: { place, what: collection, reason: 'each site has its own' } };
    else if (!isDerived(collection, values))
      yield { item: { ...each.item, values: withoutDerived(collection, values) } };
  }
}

const KNOWN: ReadonlySet<unknown> = new Set(Object.keys(ROLES));

/** '' stands for no role. */
const isUnknown = (role: unknown): role is string =>
  typeof role === 'string' && role !== '' && !KNOWN.has(role);

const listMore = ({ values }: Item): readonly Json[] => {
  const more = own(values, 'more_roles');
  return Array.isArray(more) ? (more as readonly Json[]) : [];
};

/** The roles of a user that the site does not have; none for other records. */
export function listUnknownRoles(item: Item): readonly string[] {
  return item.collection === 'users' ? [own(item.values, 'role'), ...listMore(item)].filter(isUnknown) : [];
}

/** The same items, with the roles that are chosen for their logins. A login that is found is removed from `roles`. */
export async function* giveRoles(
  found: AsyncIterable<ReadResult>,
  roles: Map<string, string>,
): AsyncGenerator<ReadResult> {
  for await (const each of found) {
    const item = 'item' in each && each.item.collection === 'users' ? each.item : null;
    const login = String(item === null ? '' : own(item.values, 'login'));
    const role = roles.get(login);
    if (item === null || role === undefined) yield each;
    else yield { item: { ...item, values: { ...item.values, role, more_roles: [] } } };
    if (role !== undefined) roles.delete(login);
  }
}

/** The same items, without roles that the site does not have. A user whose first role is unknown gets `role`. */
export async function* replaceRoles(
  found: AsyncIterable<ReadResult>,
  role: string,
): AsyncGenerator<ReadResult> {
  for await (const each of found) {
    const unknown = 'item' in each ? listUnknownRoles(each.item) : [];
    if ('leftOut' in each || unknown.length === 0) {
      yield each;
      continue;
    }
    const { item } = each;
    const first = own(item.values, 'role');
    for (const name of unknown)
      yield {
        leftOut: {
          place: item.place,
          what: `role ${name}`,
          reason:
            name === first
              ? `the site has no such role; the user gets the role ${role}`
              : 'the site has no such role',
        },
      };
    const more = listMore(item).filter((name) => !isUnknown(name));
    yield {
      item: {
        ...item,
        values: {
          ...item.values,
          ...(isUnknown(first) ? { role } : {}),
          ...(more.length === listMore(item).length ? {} : { more_roles: more }),
        },
      },
    };
  }
}
