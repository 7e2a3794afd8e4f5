import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, not, oneOf, eq, type Predicate } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toRoleValues } from '../accounts/user-roles.ts';
import { toStoredTexts } from '../content/sanitise/text-fields.ts';
import { toSlug, withEnding } from '../content/slug.ts';
import { boundOf, cutField, type TextBound } from '../model/text-bounds.ts';
import type { UserRecord } from '../records/user-record.ts';
import type { userWriteArgs } from './args.ts';
import { userError } from './errors.ts';

export type UserArgs = ArgsOf<typeof userWriteArgs>;

type UserValues = Partial<Omit<UserRecord, 'id' | 'version'>> & Readonly<Record<string, Json>>;

/** The fields that are stored as they are sent. */
const COPIED = ['name', 'first_name', 'last_name', 'nickname', 'description', 'url', 'locale'] as const;

/** Most characters of a slug. */
const { most: SLUG_LENGTH } = boundOf('users', 'slug') as TextBound;

/** The fields that the request names. */
function toSent(args: UserArgs): UserValues {
  const email = args.email?.trim();
  return {
    ...toStoredTexts(
      'users',
      Object.fromEntries(
        COPIED.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]] as const])),
      ),
    ),
    ...(email === undefined ? {} : { email, email_key: fold(email) }),
  };
}

/** The name of a user who gave none. As in WordPress, only a new user is named after the first and last name. */
function toName({ first_name: first = '', last_name: last = '' }: UserValues, login: string): string {
  return cutField('users', 'name', `${first} ${last}`.trim()) || login;
}

async function isTaken(store: Store, where: Predicate, except: UserRecord | null): Promise<boolean> {
  const { records } = await store.find({
    collection: 'users',
    where: except === null ? where : and(where, not(eq('id', except.id))),
    limit: 1,
    fields: [],
  });
  return records.length > 0;
}

const same = (field: string, text: string): Predicate => ({ op: 'equalsFolded', field, text });

/** Candidates that are looked up at once. */
const CANDIDATES = 20;

/** The slug, with a number if another user has it. */
async function findFreeSlug(store: Store, slug: string): Promise<string> {
  for (let from = 1; ; from += CANDIDATES) {
    const candidates = Array.from({ length: CANDIDATES }, (_each, index) =>
      from + index === 1 ? slug : withEnding(slug, `-${from + index}`, SLUG_LENGTH),
    );
    const { records } = await store.find({
      collection: 'users',
      where: oneOf('slug', candidates),
      fields: ['slug'],
    });
    const taken = new Set(records.map((record) => record['slug']));
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free !== undefined) return free;
  }
}

/** The values of a new user. `roles`: checked. @throws RestError `existing_user_login`, `existing_user_email` */
export async function toNewUser(
  store: Store,
  args: UserArgs & { readonly username: string; readonly email: string },
  registered: string,
): Promise<UserValues> {
  const { username: login, email, roles = ['subscriber'] } = args;
  if (await isTaken(store, same('login', login), null)) throw userError('existing_user_login');
  if (await isTaken(store, same('email', email.trim()), null)) throw userError('existing_user_email');
  const sent = toSent(args);
  const wanted = toSlug(args.slug ?? '') || toSlug(login.slice(0, SLUG_LENGTH)) || 'user';
  return {
    ...sent,
    login,
    slug: await findFreeSlug(store, wanted),
    name: sent.name || toName(sent, login),
    nickname: sent.nickname || login,
    registered_gmt: registered,
    ...toRoleValues(roles),
  };
}

/** The values that an update changes. `roles`: checked; an empty list changes nothing. @throws RestError `rest_user_invalid_email`, `rest_user_invalid_argument`, `rest_user_invalid_slug` */
export async function toChangedUser(store: Store, args: UserArgs, user: UserRecord): Promise<UserValues> {
  const { username = '', email = '', slug = '', roles = [] } = args;
  if (email !== '' && (await isTaken(store, same('email', email.trim()), user)))
    throw userError('rest_user_invalid_email');
  if (username !== '' && username !== user.login) throw userError('rest_user_invalid_argument');
  const wanted = toSlug(slug);
  if (wanted !== '' && wanted !== user.slug && (await isTaken(store, eq('slug', wanted), user)))
    throw userError('rest_user_invalid_slug');
  const sent = toSent(args);
  return {
    ...sent,
    ...(sent.name === undefined ? {} : { name: sent.name || user.login }),
    ...(sent.nickname === undefined ? {} : { nickname: sent.nickname || user.login }),
    ...(wanted === '' ? {} : { slug: wanted }),
    ...(roles.length === 0 ? {} : toRoleValues(roles)),
  };
}
