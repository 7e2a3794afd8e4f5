import { Limiter } from '../../../lib/core/limiter.ts';
import { subjectOf, type Draft } from '../../../lib/crud/plain-collection.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Operation, Reference, Store } from '../../../lib/store/store.ts';
import { findCredentials, isOfApplication, LOGIN_NAME } from '../accounts/credentials.ts';
import { hashPassword } from '../accounts/password-hash.ts';
import { toStamp } from '../content/site-time.ts';
import { checkBounds } from '../model/text-bounds.ts';
import type { UserRecord } from '../records/user-record.ts';
import { toHeir } from './checks.ts';
import { claimRight, inCallersTurn } from './claim-right.ts';
import type { UserDeps } from './deps.ts';
import { userError } from './errors.ts';
import { checkHeir, disposeOf } from './remove-user.ts';
import { checkRoles, refuseCreate, refuseRemove, refuseUpdate } from './rights.ts';
import { toChangedUser, toNewUser, type UserArgs } from './user-values.ts';

/** Limits for concurrent slow hashes of new passwords: half of Node's thread pool, as for logins. */
const hashing = new Limiter({ atOnce: 2, waiting: 64 });

/** The hash of a new password. @throws RestError `rest_overloaded` */
function hashNew(password: string): Promise<string> {
  return hashing.run(() => hashPassword(password));
}

/** Stores the password that a person logs in with. */
function toLoginPassword(user: number | Reference, hash: string, created: string): Operation {
  return {
    op: 'create',
    collection: 'credentials',
    values: { user, name: LOGIN_NAME, hash, created_gmt: created },
  };
}

/** Replaces the password that a person logs in with. Application passwords stay valid. */
async function replaceLoginPassword(
  store: Store,
  user: number,
  { hash, created }: { readonly hash: string; readonly created: string },
): Promise<readonly Operation[]> {
  const old = (await findCredentials(store, user)).filter((credential) => !isOfApplication(credential));
  return [
    ...old.map(({ id, version }): Operation => ({ op: 'remove', collection: 'credentials', id, version })),
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
        meta: context.meta.write({ identity: call.identity, sent: args.meta, stored: {} }) ?? {},
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
    const meta = context.meta.write({ identity: call.identity, sent: args.meta, stored: user.meta ?? {} });
    const values = { ...(await toChangedUser(store, args, user)), ...(meta === undefined ? {} : { meta }) };
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

/** Handlers of single users. */
export function createUserHandlers(context: UserDeps) {
  const { users } = context;
  return {
    read: (args: { readonly context: string }, call: Call) =>
      users.one(call, subjectOf<UserRecord>(call), args),
    readMe: async (args: { readonly context: string }, call: Call) => {
      const user = call.identity.id === 0 ? null : await users.load(call, call.identity.id);
      // A bearer token of the host may stand for a caller who has no record here.
      if (user === null) throw userError('rest_not_logged_in');
      return users.one(call, user, args);
    },
    create: (args: CreateArgs, call: Call) => createUser(context, args, call),
    update: (args: UserArgs, call: Call) => updateUser(context, args, call),
    remove: (args: RemoveArgs, call: Call) => removeUser(context, args, call),
  };
}
