import type { LeftOut } from '../items/item.ts';

interface Roles {
  readonly roles: readonly string[];
  /** What the report says of roles that are not believed. */
  readonly untrusted: readonly Omit<LeftOut, 'place'>[];
}

/** The roles that a site shows of a user. `isTrusted`: after a login; `role`: what the user gets otherwise. */
export function readRoles(
  given: unknown,
  { role, isTrusted }: { readonly role: string; readonly isTrusted: boolean },
): Roles {
  const roles = Array.isArray(given) ? given.filter((each): each is string => typeof each === 'string') : [];
  if (isTrusted) return { roles, untrusted: [] };
  const reason = `roles are only read with --user; the user gets the role ${role}`;
  return {
    roles: [],
    untrusted: roles.filter((each) => each !== role).map((each) => ({ what: `role ${each}`, reason })),
  };
}
