import { can, type Identity } from '../../../lib/core/identity.ts';
import { own } from '../../../lib/core/objects.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call, Permission } from '../../../lib/route/call.ts';
import { and, contains, eq, oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import { capabilitiesOf, ROLES, withRole } from '../accounts/roles.ts';
import { idConditions, listed, toNamedOrder, slugConditions } from '../records/list-conditions.ts';
import { mayListUsers, type UserDeps, userError } from './permissions.ts';
import type { userListArgs } from './routes.ts';

type UserListArgs = ArgsOf<typeof userListArgs>;

const rolesWith = (capabilities: readonly string[]): readonly string[] =>
  Object.keys(ROLES).filter((role) => capabilities.some((each) => capabilitiesOf(role).has(each)));

/** Orders that would tell a caller something that is not shown to him. */
const KEPT_ORDERS: ReadonlySet<unknown> = new Set(['email', 'registered_date']);

/** What the list of users refuses, in the order of WordPress. */
export const permitUserList: Permission = (args, { identity }) => {
  const { roles = [], capabilities = [], context, orderby, who } = args as unknown as Partial<UserListArgs>;
  const mayList = mayListUsers(identity);
  const forbid = (text: string) =>
    userError('rest_user_cannot_view', { message: `Sorry, you are not allowed to filter users by ${text}.` });
  if (roles.length > 0 && !mayList) return forbid('role');
  if (capabilities.length > 0 && !mayList) return forbid('capability');
  if (context === 'edit' && !mayList)
    return userError('rest_forbidden_context', { message: 'Sorry, you are not allowed to edit users.' });
  if (KEPT_ORDERS.has(orderby) && !mayList) return userError('rest_forbidden_orderby');
  return who === undefined || can(identity, 'edit_posts') ? true : userError('rest_forbidden_who');
};

/** Fields of a user that a search reads, by the names of the columns. */
const SEARCHED = { username: 'login', slug: 'slug', name: 'name', email: 'email' } as const;
const COLUMNS: readonly string[] = ['id', ...Object.keys(SEARCHED)];

/** What a search reads only for callers who may see it. Otherwise a search could guess it letter by letter. */
const KEPT_COLUMNS: ReadonlySet<string> = new Set(['email', 'username']);

function toSearch(
  { search = '', search_columns: asked }: UserListArgs,
  identity: Identity,
): readonly Predicate[] {
  const text = search.trim();
  if (text === '') return [];
  const allowed = COLUMNS.filter((column) => !KEPT_COLUMNS.has(column) || mayListUsers(identity));
  const wanted = allowed.filter((column) => (asked as readonly string[]).includes(column));
  return [
    or(
      ...(wanted.length === 0 ? allowed : wanted).flatMap((column): readonly Predicate[] => {
        const field = own<string>(SEARCHED, column);
        if (field !== undefined) return [contains(field, text)];
        return /^\d{1,15}$/.test(text) ? [eq('id', Number(text))] : [];
      }),
    ),
  ];
}

/** Users whom the caller may see: without the right to list users, only those who have published something. */
async function toVisible(
  { authors }: UserDeps,
  args: UserListArgs,
  identity: Identity,
): Promise<readonly Predicate[]> {
  const published = async (types?: readonly string[]): Promise<Predicate> =>
    oneOf('id', await authors.list(types));
  const { who, has_published_posts: asked } = args;
  const limit = who === undefined && !mayListUsers(identity) ? [await published()] : [];
  if (asked === true) return [...limit, await published()];
  return Array.isArray(asked) && asked.length > 0
    ? [...limit, await published(asked as readonly string[])]
    : limit;
}

async function toWhere(context: UserDeps, args: UserListArgs, identity: Identity): Promise<Predicate> {
  const { roles, capabilities, who } = args;
  return and(
    ...(await toVisible(context, args, identity)),
    ...idConditions(args),
    ...slugConditions(args.slug),
    ...listed(roles, withRole),
    ...listed(capabilities, (wanted) => withRole(rolesWith(wanted))),
    ...(who === undefined ? [] : [withRole(rolesWith(['edit_posts']))]),
    ...toSearch(args, identity),
  );
}

const ORDER_FIELDS = {
  id: 'id',
  registered_date: 'registered_gmt',
  slug: 'slug',
  email: 'email',
  url: 'url',
} as const;

/** Handler of the list of users. */
export async function listUsers(context: UserDeps, args: UserListArgs, call: Call): Promise<RestResponse> {
  const { page, per_page: perPage, offset } = args;
  return context.users.list(call, {
    where: await toWhere(context, args, call.identity),
    order: toNamedOrder(args, ORDER_FIELDS),
    context: args.context,
    page,
    perPage,
    offset,
    countsFromOffset: true,
  });
}
