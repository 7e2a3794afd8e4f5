import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { ROLES } from '../../core/accounts/roles.ts';
import { isIndexField } from '../../core/records/meta-values.ts';
import { INDEXED } from '../../core/records/sync-meta-index.ts';
import type { Item } from './item.ts';
import { changed, type Rule } from './rule.ts';

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
export function dropDerived(collections: readonly CollectionDescriptor[]): Rule {
  const transient = new Set(collections.filter((each) => each.transient).map(({ name }) => name));
  return (item, report) => {
    const { collection, values } = item;
    if (transient.has(collection)) return report(collection, 'each site has its own');
    return isDerived(collection, values) ? null : { ...item, values: withoutDerived(collection, values) };
  };
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

/** Users get the roles that are chosen for their logins. A login that is found is removed from `roles`. */
export const giveRoles =
  (roles: Map<string, string>): Rule =>
  (item) => {
    const login = item.collection === 'users' ? String(own(item.values, 'login')) : '';
    const role = roles.get(login);
    roles.delete(login);
    return role === undefined ? item : changed(item, { role, more_roles: [] });
  };

/** Removes roles that the site does not have. A user whose first role is unknown gets `role`. */
export const replaceRoles =
  (role: string): Rule =>
  (item, report) => {
    const unknown = listUnknownRoles(item);
    if (unknown.length === 0) return item;
    const first = own(item.values, 'role');
    for (const name of unknown)
      report(
        `role ${name}`,
        name === first
          ? `the site has no such role; the user gets the role ${role}`
          : 'the site has no such role',
      );
    const more = listMore(item);
    const known = more.filter((name) => !isUnknown(name));
    return changed(item, {
      ...(isUnknown(first) ? { role } : {}),
      ...(known.length === more.length ? {} : { more_roles: known }),
    });
  };
