import { RestError, type ErrorBody } from '../../../lib/core/errors.ts';
import { Limiter } from '../../../lib/core/limiter.ts';
import { renamePath } from '../../../lib/core/names.ts';
import { defined } from '../../../lib/core/objects.ts';
import { subjectOf, type Draft } from '../../../lib/crud/plain-collection.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { and, eq, equalsFolded, not, oneOf, type Predicate } from '../../../lib/store/query.ts';
import {
  exists,
  findInBatches,
  type Operation,
  type Reference,
  type Store,
  toCreate,
  toRemove,
  toRemoveAll,
} from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { findCredentials, isOfApplication, LOGIN_NAME, hashPassword } from '../accounts/credentials.ts';
import { toRoleValues } from '../accounts/roles.ts';
import { toStoredTexts } from '../content/sanitise/text-fields.ts';
import { toStamp } from '../content/site-time.ts';
import { findFreeSlug, toSlug } from '../content/slug.ts';
import { TYPES } from '../model/built-in.ts';
import type { ContentType } from '../model/content-type.ts';
import { callInner } from '../post-views/post-deps.ts';
import { checkBounds, boundOf, cutField, type TextBound } from '../records/text-bounds.ts';
import type { UserRecord } from '../records/user-record.ts';
import { toHeir } from './checks.ts';
import {
  claimRight,
  inCallersTurn,
  checkRoles,
  refuseCreate,
  refuseRemove,
  refuseUpdate,
  userError,
  type UserDeps,
} from './permissions.ts';
import type { userWriteArgs } from './routes.ts';

type UserArgs = ArgsOf<typeof userWriteArgs>;

type UserValues = Partial<Omit<UserRecord, 'id' | 'version'>> & Readonly<Record<string, Json>>;

/** The fields that are stored as they are sent. */
const COPIED = ['name', 'first_name', 'last_name', 'nickname', 'description', 'url', 'locale'] as const;

/** Most characters of a slug. */
const { most: SLUG_LENGTH } = boundOf('users', 'slug') as TextBound;

/** The fields that the request names. */
function toSent(args: UserArgs): UserValues {
  const email = args.email?.trim();
  return {
    ...toStoredTexts('users', defined(Object.fromEntries(COPIED.map((name) => [name, args[name]])))),
    ...(email === undefined ? {} : { email, email_key: fold(email) }),
  };
}

/** The name of a user who gave none. As in WordPress, only a new user is named after the first and last name. */
function toName({ first_name: first = '', last_name: last = '' }: UserValues, login: string): string {
  return cutField('users', 'name', `${first} ${last}`.trim()) || login;
}

const isTaken = (store: Store, where: Predicate, except: UserRecord): Promise<boolean> =>
  exists(store, 'users', and(where, not(eq('id', except.id))));

/** The values of a new user. `roles`: checked. @throws RestError `existing_user_login`, `existing_user_email` */
async function toNewUser(
  store: Store,
  args: UserArgs & { readonly username: string; readonly email: string },
  registered: string,
): Promise<UserValues> {
  const { username: login, email, roles = ['subscriber'] } = args;
  if (await exists(store, 'users', equalsFolded('login', login))) throw userError('existing_user_login');
  if (await exists(store, 'users', equalsFolded('email', email.trim())))
    throw userError('existing_user_email');
  const sent = toSent(args);
  const wanted = toSlug(args.slug ?? '') || toSlug(login.slice(0, SLUG_LENGTH)) || 'user';
  return {
    ...sent,
    login,
    slug: await findFreeSlug(store, { collection: 'users' }, { slug: wanted, most: SLUG_LENGTH }),
    name: sent.name || toName(sent, login),
    nickname: sent.nickname || login,
    registered_gmt: registered,
    ...toRoleValues(roles),
  };
}

/** The values that an update changes. `roles`: checked; an empty list changes nothing. @throws RestError `rest_user_invalid_email`, `rest_user_invalid_argument`, `rest_user_invalid_slug` */
async function toChangedUser(store: Store, args: UserArgs, user: UserRecord): Promise<UserValues> {
  const { username = '', email = '', slug = '', roles = [] } = args;
  if (email !== '' && (await isTaken(store, equalsFolded('email', email.trim()), user)))
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

/** Records that are read and written at once. */
const PART = 100;
/** Collections whose records have an author. */
const WRITTEN = ['posts', 'revisions', 'media'] as const;
/** Statuses of a record that another writer has removed meanwhile. */
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** As in WordPress, records of these types go to the trash, and records of all others are deleted. */
const TRASHED = new Set(TYPES.filter(({ storage }) => storage !== 'media').map(({ name }) => name));

/** Makes `heir` the author of everything of the user that is still there; 0 for nobody. */
async function reassign({ store }: UserDeps, user: number, heir: number): Promise<void> {
  for (const collection of WRITTEN) {
    const query = { collection, where: eq('author', user), fields: [], limit: PART };
    for await (const records of findInBatches(store, query))
      await store.commit(
        records.map(({ id }): Operation => ({ op: 'update', collection, id, values: { author: heir } })),
      );
  }
}

/** Removes records through the route of their type, which knows what else belongs to them: revisions, counts, files. @throws RestError of that route */
async function discard(
  { store }: UserDeps,
  call: Call,
  { user, type: { name, base, storage } }: { readonly user: number; readonly type: ContentType },
): Promise<void> {
  const toTrash = TRASHED.has(name);
  const ofUser =
    storage === 'media'
      ? eq('author', user)
      : and(
          eq('author', user),
          eq('type', name),
          ...(toTrash ? [not(oneOf('status', ['trash', 'auto-draft']))] : []),
        );
  const path = renamePath(call.site.names, `/cms/v2/${base}`);
  // One at a time, because others may go with it.
  const query = { collection: storage, where: ofUser, fields: [], limit: 1 };
  for await (const [record] of findInBatches(store, query)) {
    const { status, body } = await callInner(call, {
      method: 'DELETE',
      path: `${path}/${String(record?.id)}`,
      query: toTrash ? '' : 'force=true',
    });
    const error = status >= 400 && !GONE.has(status) ? (body as ErrorBody) : null;
    if (error !== null) throw new RestError(error.code, [status, error.message]);
  }
}

/** The id of the heir; 0 for none. @throws RestError `rest_user_invalid_reassign` */
async function checkHeir({ store }: UserDeps, user: UserRecord, heir: number): Promise<void> {
  if (heir !== 0 && (heir === user.id || (await store.get('users', heir)) === null))
    throw userError('rest_user_invalid_reassign');
}

/**
 * Gives what the user wrote to the heir, or removes it: posts and pages go to the trash, records of other types and uploads are deleted.
 * This is done in parts before the user is removed, so that a removal that was interrupted can be repeated.
 * @returns what else belongs to the user and is removed in the same commit
 */
async function disposeOf(
  context: UserDeps,
  call: Call,
  { user, heir }: { readonly user: UserRecord; readonly heir: number },
): Promise<readonly Operation[]> {
  const { store, content } = context;
  const claim = (): Promise<readonly Operation[]> =>
    claimRight(store, call, {
      user: user.id,
      refuse: (now) => refuseRemove(now, user, now.args),
      demotes: 'rest_user_cannot_delete',
      changesUser: true,
    });
  await claim();
  if (heir === 0)
    for (const type of content.types.values())
      if (type.served && type.routes) await discard(context, call, { user: user.id, type });
  await reassign(context, user.id, heir);
  return [
    // Again, because what comes before it may take long.
    ...(await claim()),
    toRemoveAll('credentials', eq('user', user.id)),
    toRemoveAll('options', eq('group', `user:${user.id}`)),
  ];
}

/** Limits for concurrent slow hashes of new passwords: half of Node's thread pool, as for logins. */
const hashing = new Limiter({ atOnce: 2, waiting: 64 });

/** The hash of a new password. @throws RestError `rest_overloaded` */
function hashNew(password: string): Promise<string> {
  return hashing.run(() => hashPassword(password));
}

/** Stores the password that a person logs in with. */
function toLoginPassword(user: number | Reference, hash: string, created: string): Operation {
  return toCreate('credentials', { user, name: LOGIN_NAME, hash, created_gmt: created });
}

/** Replaces the password that a person logs in with. Application passwords stay valid. */
async function replaceLoginPassword(
  store: Store,
  user: number,
  { hash, created }: { readonly hash: string; readonly created: string },
): Promise<readonly Operation[]> {
  const old = (await findCredentials(store, user)).filter((credential) => !isOfApplication(credential));
  return [
    ...old.map((credential) => toRemove('credentials', credential)),
    toLoginPassword(user, hash, created),
  ];
}

type CreateArgs = UserArgs & {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly id?: unknown;
};

interface RemoveArgs {
  readonly force: boolean;
  readonly reassign: unknown;
}

async function toNow({ now, settings }: UserDeps): Promise<string> {
  return toStamp(now(), (await settings()).zone).date_gmt;
}

async function createUser(context: UserDeps, args: CreateArgs, call: Call): Promise<RestResponse> {
  if (args.id !== undefined) throw userError('rest_user_exists');
  checkRoles(call.identity, null, args.roles ?? []);
  const [hash, created] = [await hashNew(args.password), await toNow(context)];
  const user = await inCallersTurn(context.store, call, () =>
    context.users.create(call, async () => {
      const claimed = await claimRight(context.store, call, {
        user: null,
        refuse: refuseCreate,
        changesUser: true,
      });
      const values = {
        ...(await toNewUser(context.store, args, created)),
        meta: {},
        ...context.meta.toValues(call, args.meta, null),
      };
      checkBounds('users', values);
      return { values, also: [...claimed, toLoginPassword({ $ref: 'record' }, hash, created)] };
    }),
  );
  return context.users.one(call, user, { context: 'edit', status: 201 });
}

async function updateUser(context: UserDeps, args: UserArgs, call: Call): Promise<RestResponse> {
  const { store, users } = context;
  const hash = args.password === undefined ? null : await hashNew(args.password);
  const toDraft = async (user: UserRecord): Promise<Draft> => {
    checkRoles(call.identity, user, args.roles ?? []);
    const meta = context.meta.toValues(call, args.meta, user.meta);
    const values = { ...(await toChangedUser(store, args, user)), ...meta };
    checkBounds('users', values, user);
    const demotes =
      args.roles?.includes('administrator') === false ? ({ demotes: 'rest_cannot_edit_roles' } as const) : {};
    const claimed = await claimRight(store, call, {
      user: user.id,
      refuse: (now) => refuseUpdate(now, user, args),
      ...demotes,
      changesUser: true,
    });
    return {
      values,
      also: [
        ...claimed,
        ...(hash === null
          ? []
          : await replaceLoginPassword(store, user.id, { hash, created: await toNow(context) })),
      ],
    };
  };
  const user = await inCallersTurn(store, call, () =>
    users.update(call, subjectOf<UserRecord>(call), { refuse: refuseUpdate, toDraft }),
  );
  return users.one(call, user, { context: 'edit' });
}

async function removeUser(context: UserDeps, { force, reassign }: RemoveArgs, call: Call): Promise<object> {
  const user = subjectOf<UserRecord>(call);
  const heir = toHeir(reassign);
  if (!force) throw userError('rest_trash_not_supported');
  await checkHeir(context, user, heir);
  return context.users.remove(call, user, {
    refuse: refuseRemove,
    context: 'edit',
    also: (current) => disposeOf(context, call, { user: current, heir }),
  });
}

/** Handlers of single users, by id. */
export function createUserHandlers(context: UserDeps) {
  const { users } = context;
  const update = (args: UserArgs, call: Call) => updateUser(context, args, call);
  const remove = (args: RemoveArgs, call: Call) => removeUser(context, args, call);
  return {
    'cms.users.read': (args: { readonly context: string }, call: Call) =>
      users.one(call, subjectOf<UserRecord>(call), args),
    'cms.users.readMe': async (args: { readonly context: string }, call: Call) => {
      const user = call.identity.id === 0 ? null : await users.load(call, call.identity.id);
      // A bearer token of the host may stand for a caller who has no record here.
      if (user === null) throw userError('rest_not_logged_in');
      return users.one(call, user, args);
    },
    'cms.users.create': (args: CreateArgs, call: Call) => createUser(context, args, call),
    'cms.users.update': update,
    'cms.users.updateMe': update,
    'cms.users.remove': remove,
    'cms.users.removeMe': remove,
  };
}
