import { engineError } from '../../../lib/core/errors.ts';
import type { Identity } from '../../../lib/core/identity.ts';
import { deepFreeze, FixedSet } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { hasAny, oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';

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
  return or(oneOf('role', roles), hasAny('more_roles', roles));
}

/** Capabilities by role. A role has exactly the capabilities in this list; nothing is inherited. */

const SUBSCRIBER = ['read'] as const;
const CONTRIBUTOR = [...SUBSCRIBER, 'edit_posts', 'delete_posts'] as const;
const AUTHOR = [
  ...CONTRIBUTOR,
  'upload_files',
  'edit_published_posts',
  'publish_posts',
  'delete_published_posts',
] as const;
const PAGES = [
  'edit_pages',
  'edit_others_pages',
  'edit_published_pages',
  'edit_private_pages',
  'publish_pages',
  'read_private_pages',
  'delete_pages',
  'delete_others_pages',
  'delete_published_pages',
  'delete_private_pages',
] as const;
const EDITOR = [
  ...AUTHOR,
  'edit_others_posts',
  'delete_others_posts',
  'edit_private_posts',
  'read_private_posts',
  'delete_private_posts',
  'manage_categories',
  'moderate_comments',
  'unfiltered_html',
  ...PAGES,
] as const;
const TRANSLATOR = [...SUBSCRIBER, 'translate'] as const;
const TRANSLATION_MANAGER = [...TRANSLATOR, 'manage_translations'] as const;
const ADMINISTRATOR = [
  ...EDITOR,
  'translate',
  'manage_translations',
  'manage_options',
  'edit_theme_options',
  'seo_manage_options',
  'activate_plugins',
  'list_users',
  'create_users',
  'edit_users',
  'delete_users',
  'promote_users',
] as const;

/** The built-in roles, each with its capabilities. */
export const ROLES = deepFreeze({
  administrator: ADMINISTRATOR,
  editor: EDITOR,
  author: AUTHOR,
  contributor: CONTRIBUTOR,
  subscriber: SUBSCRIBER,
  translator: TRANSLATOR,
  translation_manager: TRANSLATION_MANAGER,
} as const satisfies Readonly<Record<string, readonly string[]>>);

/** Name of a built-in role. */
export type Role = keyof typeof ROLES;

const NONE: ReadonlySet<string> = new FixedSet();
const SETS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(ROLES).map(([role, capabilities]) => [role, new FixedSet<string>(capabilities)]),
);

/** Every capability that some role has. */
export const CAPABILITIES: ReadonlySet<string> = new FixedSet(Object.values(ROLES).flat());

/** The capabilities of a role; empty for an unknown role. */
export function capabilitiesOf(role: string): ReadonlySet<string> {
  return SETS.get(role) ?? NONE;
}

/** The identities whose rights are those of a user's record, with the id of the password that they logged in with; null: the host checked the login. */
const ofRecords = new WeakMap<Identity, number | null>();

/** The identity of a user, as handlers get it. */
export function toIdentity(user: StoredRecord): Identity {
  const identity = Object.freeze({
    id: user.id,
    role: rolesOf(user)[0] ?? '',
    capabilities: capabilitiesOfUser(user),
  });
  ofRecords.set(identity, null);
  return identity;
}

/** Whether the rights of a caller are those of a user's record. */
export function isOfRecord(identity: Identity): boolean {
  return ofRecords.has(identity);
}

/** The `identity` and rights that a caller has now. `record`: the record that gives them; null: a login of the host gives rights of its own. */
interface CurrentCaller {
  readonly identity: Identity;
  readonly record: StoredRecord | null;
}

/** Reads the rights of a caller again. @throws RestError `rest_invalid_credentials` if the user or the password of the login is gone */
export async function readCaller(store: Store, identity: Identity): Promise<CurrentCaller> {
  const credential = ofRecords.get(identity);
  if (credential === undefined) return { identity, record: null };
  // The record comes first, because a commit that removes a password changes it as well.
  const record = await store.get('users', userOf(identity));
  if (record === null || (credential !== null && (await store.get('credentials', credential)) === null))
    throw engineError('rest_invalid_credentials');
  return { identity: toIdentity(record), record };
}

/** The identity of a user who logged in with this credential; null: the host checked the login. */
export function toCaller(
  user: StoredRecord,
  claims: Identity['claims'],
  credential: number | null = null,
): Identity {
  const identity = Object.freeze({
    ...toIdentity(user),
    ...(claims === undefined ? {} : { claims: Object.freeze({ ...claims }) }),
  });
  ofRecords.set(identity, credential);
  return identity;
}
