import { randomUUID } from 'node:crypto';
import type { Args, Call, Permission } from '../../../lib/route/call.ts';
import { RestError } from '../../../lib/core/errors.ts';
import { thenMaybe, type MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { checkIfMatch } from '../../../lib/http/etag.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import { subjectOf } from '../../../lib/crud/plain-collection.ts';
import { retryRaces } from '../../../lib/store/retry.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { toPlainText } from '../../content/plain-text.ts';
import { toStamp } from '../../content/site-time.ts';
import { APPLICATION_PASSWORD } from '../../site/authenticate.ts';
import { findCredentials, generatePassword, isOfApplication, uuidOf } from '../../site/credentials.ts';
import { hashPassword } from '../../site/password-hash.ts';
import type { UserContext } from './context.ts';
import { userError, type USER_ERRORS } from './errors.ts';
import { createShowPassword } from './password-view.ts';
import { mayEditUser } from './rights.ts';
import type { UserRecord } from './user-record.ts';

/** Most application passwords of one user, because each login with one is compared with all of them. */
const MOST = 100;

/** The user whom the address names: `me` is the caller. */
function loadUser({ users }: UserContext, args: Args, call: Call): MaybePromise<UserRecord | RestError> {
  const isMe = args['user_id'] === 'me';
  if (isMe && call.identity.id === 0) return userError('rest_not_logged_in');
  return thenMaybe(users.load(call, isMe ? call.identity.id : args['user_id']), (user) => user ?? userError('rest_user_invalid_id'));
}

/** Permission functions of application passwords: everybody has those of himself, and administrators those of all. */
export function createPasswordPermissions(context: UserContext): Readonly<Record<string, Permission>> {
  const may = (code: keyof typeof USER_ERRORS): Permission => (args, call) => thenMaybe(loadUser(context, args, call), (user) => (
    user instanceof RestError || mayEditUser(call.identity, user) ? user : userError(code)
  ));
  return {
    'cms.passwords.list': may('rest_cannot_list_application_passwords'),
    'cms.passwords.create': may('rest_cannot_create_application_passwords'),
    'cms.passwords.removeAll': may('rest_cannot_delete_application_passwords'),
    'cms.passwords.read': may('rest_cannot_read_application_password'),
    'cms.passwords.update': may('rest_cannot_edit_application_password'),
    'cms.passwords.remove': may('rest_cannot_delete_application_password'),
    'cms.passwords.introspect': (args, call) => thenMaybe(loadUser(context, args, call), (user) => (
      user instanceof RestError || user.id === call.identity.id ? user : userError('rest_cannot_introspect_app_password_for_non_authenticated_user')
    )),
  };
}

interface PasswordArgs {
  readonly uuid: string;
}

async function listPasswords({ store }: UserContext, user: UserRecord): Promise<readonly StoredRecord[]> {
  return (await findCredentials(store, user.id)).filter(isOfApplication);
}

/** @throws RestError `rest_application_password_not_found` */
async function findPassword(context: UserContext, user: UserRecord, uuid: string): Promise<StoredRecord> {
  const found = (await listPasswords(context, user)).find((credential) => uuidOf(credential) === uuid.toLowerCase());
  if (found === undefined) throw userError('rest_application_password_not_found');
  return found;
}

/** The password that the caller logged in with. @throws RestError `rest_no_authenticated_app_password` */
async function findOwn(context: UserContext, { identity }: Call, user: UserRecord): Promise<StoredRecord> {
  const uuid = identity.claims?.[APPLICATION_PASSWORD];
  const found = (await listPasswords(context, user)).find((credential) => uuidOf(credential) === uuid);
  if (found === undefined) throw userError('rest_no_authenticated_app_password');
  return found;
}

/** Handlers of application passwords. The subject of each call is the user. */
export function createPasswordHandlers(context: UserContext) {
  const { store, now, ports } = context;
  const show = createShowPassword(context);
  const respond = (credential: StoredRecord, call: Call, as: string): RestResponse => new RestResponse(show({ credential, call, context: as }), { version: credential.version });
  const userOf = (call: Call): UserRecord => subjectOf<UserRecord>(call);
  const toNow = async (): Promise<string> => toStamp(now(), (await context.settings()).zone).date_gmt;
  return {
    list: async (args: { readonly context: string }, call: Call) => (await listPasswords(context, userOf(call))).map((credential) => show({ credential, call, context: args.context })),
    read: async ({ uuid, ...args }: PasswordArgs & { readonly context: string }, call: Call) => respond(await findPassword(context, userOf(call), uuid), call, args.context),
    introspect: async (args: { readonly context: string }, call: Call) => respond(await findOwn(context, call, userOf(call)), call, args.context),
    create: async ({ name, app_id: app = '' }: { readonly name: string; readonly app_id?: string }, call: Call) => {
      const user = userOf(call);
      if ((await listPasswords(context, user)).length >= MOST) throw userError('rest_too_many_application_passwords');
      const password = generatePassword(ports.random);
      const values = { user: user.id, name: toPlainText(name), app_id: app, uuid: randomUUID(), hash: await hashPassword(password), created_gmt: await toNow() };
      const [credential] = await store.commit([{ op: 'create', collection: 'credentials', values }], call.durability) as [StoredRecord];
      const headers = { Location: call.site.url(`/cms/v2/users/${user.id}/application-passwords/${values.uuid}`) };
      return new RestResponse(show({ credential, call, context: 'edit', password }), { status: 201, headers, version: credential.version });
    },
    update: ({ uuid, name }: PasswordArgs & { readonly name?: string }, call: Call) => retryRaces(async () => {
      const { id, version } = await findPassword(context, userOf(call), uuid);
      checkIfMatch(call, version);
      const values = name === undefined ? {} : { name: toPlainText(name) };
      const [credential] = await store.commit([{ op: 'update', collection: 'credentials', id, version, values }], call.durability) as [StoredRecord];
      return respond(credential, call, 'edit');
    }),
    remove: ({ uuid }: PasswordArgs, call: Call) => retryRaces(async () => {
      const credential = await findPassword(context, userOf(call), uuid);
      checkIfMatch(call, credential.version);
      await store.commit([{ op: 'remove', collection: 'credentials', id: credential.id, version: credential.version }], call.durability);
      const { _links: _dropped, ...previous } = show({ credential, call, context: 'edit' });
      return { deleted: true, previous };
    }),
    removeAll: (_args: Args, call: Call) => retryRaces(async () => {
      const all = await listPasswords(context, userOf(call));
      await store.commit(all.map(({ id, version }) => ({ op: 'remove', collection: 'credentials', id, version })), call.durability);
      return { deleted: true, count: all.length };
    }),
  };
}
