import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { ROLES } from '../../core/accounts/roles.ts';
import type { ReadResult, Item } from './item.ts';

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
