import { FixedSet } from '../../../lib/core/fixed-set.ts';
import type { Identity } from '../../../lib/core/identity.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import { capabilitiesOf } from './roles.ts';

/**
 * Id of the user who calls; 0: nobody. Callers with a text have become users in `createAuthenticate`.
 * @throws TypeError for a text that a program gave to `dispatch`
 */
export function userOf({ id }: Pick<Identity, 'id'>): number {
  if (typeof id === 'number') return id;
  throw new TypeError(
    `the caller ${JSON.stringify(id)} is not a user of this site; give toIdentity(user) to dispatch`,
  );
}

/** A user, or a part of one with its roles. */
type WithRoles = Readonly<Record<string, Json>>;

/** The roles of a user, the first one first. A user may have none. */
export function rolesOf(user: WithRoles): readonly string[] {
  const [first, more] = [String(user['role'] ?? ''), user['more_roles'] ?? []];
  return [...(first === '' ? [] : [first]), ...(more as readonly string[])];
}

/** The values that store these roles. */
export function toRoleValues(roles: readonly string[]): {
  readonly role: string;
  readonly more_roles: readonly string[];
} {
  const [role = '', ...more] = new Set(roles);
  return { role, more_roles: more };
}

/** The capabilities of all roles of a user together. */
export function capabilitiesOfUser(user: WithRoles): ReadonlySet<string> {
  const sets = rolesOf(user).map(capabilitiesOf);
  return sets.length === 1
    ? (sets[0] as ReadonlySet<string>)
    : new FixedSet(sets.flatMap((set) => Array.from(set)));
}

/** The users with one of these roles. */
export function withRole(roles: readonly string[]): Predicate {
  return or(oneOf('role', roles), { op: 'hasAny', field: 'more_roles', values: roles });
}
