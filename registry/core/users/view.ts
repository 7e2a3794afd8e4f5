import { hash } from 'node:crypto';
import { own } from '../../../lib/core/objects.ts';
import type { ShowPlain } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import {
  createRecordRenderer,
  type Renderers,
  showMembers,
  toFaultEvent,
} from '../../../lib/route/render-record.ts';
import { capabilitiesOfUser, type Role, rolesOf } from '../accounts/roles.ts';
import { toPathPart } from '../addresses/permalink.ts';
import { toShownTexts } from '../content/sanitise/text-fields.ts';
import type { PostBase } from '../post-views/post-deps.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import { allowedMethods } from '../records/rights.ts';
import { type UserRecord, USUAL_LOCALE } from '../records/user-record.ts';
import { mayEditUser, mayRemoveUser } from './permissions.ts';
import { userResource } from './routes.ts';

/** A user and the call that shows it. */
interface UserView {
  readonly user: UserRecord;
  readonly call: Call;
}

/** Numbered levels that old clients read, by role. */
const LEVELS: Readonly<Partial<Record<Role, number>>> = {
  subscriber: 0,
  contributor: 1,
  author: 2,
  editor: 7,
  administrator: 10,
};

const toTrue = (names: Iterable<string>): Record<string, true> =>
  Object.fromEntries([...names].map((name) => [name, true] as const));

function levelsOf(roles: readonly string[]): readonly string[] {
  const highest = Math.max(-1, ...roles.map((role) => own<number>(LEVELS, role) ?? -1));
  return Array.from({ length: highest + 1 }, (_each, level) => `level_${level}`);
}

/** Addresses of the picture that the avatar service has for an e-mail address. The address itself is not shown. */
export function toAvatarUrls(email: string): Readonly<Record<string, string>> {
  const digest = hash('sha256', email.trim().toLowerCase(), 'hex');
  return Object.fromEntries(
    [24, 48, 96].map((size) => [size, `https://secure.gravatar.com/avatar/${digest}?s=${size}&d=mm&r=g`]),
  );
}

const toRenderers = (meta: RecordMeta): Renderers<UserView> => ({
  ...showMembers(
    ({ user }: UserView) => user,
    ['id', 'name', 'first_name', 'last_name', 'email', 'url', 'description', 'slug'],
  ),
  username: ({ user }) => user.login,
  link: ({ user, call }) => `${call.site.home()}/author/${toPathPart(user.slug)}/`,
  locale: ({ user }) => user.locale || USUAL_LOCALE,
  nickname: ({ user }) => user.nickname || user.login,
  registered_date: ({ user }) => (user.registered_gmt === '' ? '' : `${user.registered_gmt}+00:00`),
  roles: ({ user }) => rolesOf(user),
  capabilities: ({ user }) =>
    toTrue([...capabilitiesOfUser(user), ...levelsOf(rolesOf(user)), ...rolesOf(user)]),
  extra_capabilities: ({ user }) => toTrue(rolesOf(user)),
  avatar_urls: ({ user }) => toAvatarUrls(user.email),
  meta: ({ user }) => meta.show(user.meta),
});

const linksOf = createRecordLinks(userResource.links);

/** Shows users with their links. */
export function createShowUsers({ log }: PostBase, meta: RecordMeta) {
  const render = createRecordRenderer<UserView>(userResource.properties, toRenderers(meta), {
    links: ({ user, call }) =>
      linksOf(user, call, allowedMethods(mayEditUser(call.identity, user), mayRemoveUser(call.identity))),
    onFault: ({ user }, fault) => log(toFaultEvent(`user ${user.id}`, fault)),
  });
  return (
    _users: readonly UserRecord[],
    { call, context }: { readonly call: Call; readonly context: string },
  ): ShowPlain<UserRecord> =>
    (user, fields) =>
      render({ user: toShownTexts('users', user), call }, { context, names: call.site.names, fields });
}
