import { randomUUID } from 'node:crypto';
import { RestError } from '../../../lib/core/errors.ts';
import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { PlainCollection, type PlainSource, subjectOf } from '../../../lib/crud/plain-collection.ts';
import { type Args, type Call, type Permission, subject } from '../../../lib/route/call.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import {
  createRecordRenderer,
  type Renderers,
  showMembers,
  toFaultEvent,
} from '../../../lib/route/render-record.ts';
import { type Operation, retryRaces, type StoredRecord, toRemove } from '../../../lib/store/store.ts';
import { APPLICATION_PASSWORD } from '../accounts/authenticate.ts';
import {
  findCredentials,
  generatePassword,
  hashPassword,
  isOfApplication,
  toGroups,
  uuidOf,
} from '../accounts/credentials.ts';
import { toShownTexts, toStoredTexts } from '../content/sanitise/text-fields.ts';
import { toStamp } from '../content/site-time.ts';
import type { PostBase } from '../post-views/post-deps.ts';
import { allowedMethods } from '../records/rights.ts';
import { checkBounds } from '../records/text-bounds.ts';
import type { UserRecord } from '../records/user-record.ts';
import {
  claimRight,
  inCallersTurn,
  mayEditUser,
  type USER_ERRORS,
  type UserDeps,
  userError,
} from './permissions.ts';
import { passwordLinks, passwordResource } from './routes.ts';

/** An application password to show. One that was just made has the password itself as a member. */
interface PasswordView {
  readonly credential: StoredRecord;
  readonly call: Call;
}

const orNull = (text: unknown): unknown => (text === '' ? null : text);

const RENDERERS: Renderers<PasswordView> = {
  ...showMembers(({ credential }: PasswordView) => credential, ['app_id', 'name', 'password']),
  uuid: ({ credential }) => uuidOf(credential),
  created: ({ credential }) => credential['created_gmt'],
  last_used: ({ credential }) => orNull(credential['last_used_gmt']),
  last_ip: ({ credential }) => orNull(credential['last_ip']),
};

const linksOf = createRecordLinks(passwordLinks);

/** Shows application passwords. A caller who may see one may also change and remove it. */
function createShowPasswords({ log }: PostBase): PlainSource<StoredRecord>['show'] {
  const render = createRecordRenderer<PasswordView>(passwordResource.properties, RENDERERS, {
    links: ({ credential, call }) =>
      linksOf({ user: credential['user'], uuid: uuidOf(credential) }, call, allowedMethods(true, true)),
    onFault: ({ credential }, fault) => log(toFaultEvent(`credential ${credential.id}`, fault)),
  });
  return (_credentials, { call, context }) =>
    (credential, fields) =>
      render(
        { credential: toShownTexts('credentials', credential), call },
        { context, names: call.site.names, fields },
      );
}

/** Most application passwords of one user, because each login with one is compared with all of them. */
const MOST = 100;

/** The user whom the address names: `me` is the caller. */
function loadUser({ users }: UserDeps, args: Args, call: Call): MaybePromise<UserRecord | RestError> {
  const isMe = args['user_id'] === 'me';
  if (isMe && call.identity.id === 0) return userError('rest_not_logged_in');
  return thenMaybe(
    users.load(call, isMe ? call.identity.id : args['user_id']),
    (user) => user ?? userError('rest_user_invalid_id'),
  );
}

/** Permission functions of application passwords: everybody has those of himself, and administrators those of all. */
export function createPasswordPermissions(context: UserDeps): Readonly<Record<string, Permission>> {
  const may =
    (code: keyof typeof USER_ERRORS, isAllowed = mayEditUser): Permission =>
    (args, call) =>
      thenMaybe(loadUser(context, args, call), (user) =>
        user instanceof RestError ? user : isAllowed(call.identity, user) ? subject(user) : userError(code),
      );
  return {
    'cms.passwords.list': may('rest_cannot_list_application_passwords'),
    'cms.passwords.create': may('rest_cannot_create_application_passwords'),
    'cms.passwords.removeAll': may('rest_cannot_delete_application_passwords'),
    'cms.passwords.read': may('rest_cannot_read_application_password'),
    'cms.passwords.update': may('rest_cannot_edit_application_password'),
    'cms.passwords.remove': may('rest_cannot_delete_application_password'),
    'cms.passwords.introspect': may(
      'rest_cannot_introspect_app_password_for_non_authenticated_user',
      ({ id }, user) => user.id === id,
    ),
  };
}

interface PasswordArgs {
  readonly uuid: string;
}

/** The passwords of the user of a call. */
async function listPasswords({ store }: UserDeps, call: Call): Promise<readonly StoredRecord[]> {
  return (await findCredentials(store, subjectOf<UserRecord>(call).id)).filter(isOfApplication);
}

/** @throws RestError `rest_application_password_not_found` */
async function findPassword(context: UserDeps, call: Call, uuid: string): Promise<StoredRecord> {
  const found = (await listPasswords(context, call)).find(
    (credential) => uuidOf(credential) === uuid.toLowerCase(),
  );
  if (found === undefined) throw userError('rest_application_password_not_found');
  return found;
}

/** The password that the caller logged in with. @throws RestError `rest_no_authenticated_app_password` */
async function findOwn(context: UserDeps, call: Call): Promise<StoredRecord> {
  const uuid = call.identity.claims?.[APPLICATION_PASSWORD];
  const found = (await listPasswords(context, call)).find((credential) => uuidOf(credential) === uuid);
  if (found === undefined) throw userError('rest_no_authenticated_app_password');
  return found;
}

/** A name as it is stored. @throws RestError as `checkBounds` */
function toName(text: string): string {
  const { name } = toStoredTexts('credentials', { name: text });
  checkBounds('credentials', { name });
  return name;
}

/** The operations by which a change of passwords fails if the right of the caller ends before it, or if another one of the same user is faster. `code`: the refusal. */
function claim(
  { store }: UserDeps,
  call: Call,
  code: keyof typeof USER_ERRORS,
): Promise<readonly Operation[]> {
  const user = subjectOf<UserRecord>(call);
  const refuse = ({ identity }: Call): RestError | null =>
    mayEditUser(identity, user) ? null : userError(code);
  return claimRight(store, call, { user: user.id, refuse, changesUser: false });
}

/** The right is claimed with each change. */
const refuse = (): null => null;

async function removeAllOf(context: UserDeps, call: Call): Promise<object> {
  const also = await claim(context, call, 'rest_cannot_delete_application_passwords');
  const all = await listPasswords(context, call);
  const removals = all.map((credential) => toRemove('credentials', credential));
  await context.store.commit([...removals, ...also], call.durability);
  return { deleted: true, count: all.length };
}

/** Handlers of application passwords, by id. The subject of each call is the user. */
export function createPasswordHandlers(context: UserDeps) {
  const { store, now, ports } = context;
  const show = createShowPasswords(context);
  const passwords = new PlainCollection({
    store,
    collection: 'credentials',
    missing: () => userError('rest_application_password_not_found'),
    pathOf: (credential) =>
      `/cms/v2/users/${Number(credential['user'])}/application-passwords/${uuidOf(credential)}`,
    show,
  });
  const toNow = async (): Promise<string> => toStamp(now(), (await context.settings()).zone).date_gmt;
  return {
    'cms.passwords.list': async (args: { readonly context: string }, call: Call) => {
      const credentials = await listPasswords(context, call);
      const showOne = await show(credentials, { call, context: args.context });
      return credentials.map((credential) => showOne(credential, null));
    },
    'cms.passwords.read': async (args: PasswordArgs & { readonly context: string }, call: Call) =>
      passwords.one(call, await findPassword(context, call, args.uuid), args),
    'cms.passwords.introspect': async (args: { readonly context: string }, call: Call) =>
      passwords.one(call, await findOwn(context, call), args),
    'cms.passwords.create': async (
      { name, app_id: app = '' }: { readonly name: string; readonly app_id?: string },
      call: Call,
    ) => {
      const password = generatePassword(ports.random);
      const values = {
        user: subjectOf<UserRecord>(call).id,
        name: toName(name),
        app_id: app,
        uuid: randomUUID(),
        hash: await hashPassword(password),
        created_gmt: await toNow(),
      };
      const credential = await inCallersTurn(store, call, () =>
        passwords.create(call, async () => {
          const also = await claim(context, call, 'rest_cannot_create_application_passwords');
          if ((await listPasswords(context, call)).length >= MOST)
            throw userError('rest_too_many_application_passwords');
          return { values, also };
        }),
      );
      const made = { ...credential, password: toGroups(password) };
      return passwords.one(call, made, { context: 'edit', status: 201 });
    },
    'cms.passwords.update': async ({ uuid, name }: PasswordArgs & { readonly name?: string }, call: Call) => {
      const values = name === undefined ? {} : { name: toName(name) };
      const credential = await inCallersTurn(store, call, async () =>
        passwords.update(call, await findPassword(context, call, uuid), {
          refuse,
          toDraft: async () => ({
            values,
            also: await claim(context, call, 'rest_cannot_edit_application_password'),
          }),
        }),
      );
      return passwords.one(call, credential, { context: 'edit' });
    },
    'cms.passwords.remove': ({ uuid }: PasswordArgs, call: Call) =>
      inCallersTurn(store, call, async () =>
        passwords.remove(call, await findPassword(context, call, uuid), {
          refuse,
          context: 'edit',
          also: () => claim(context, call, 'rest_cannot_delete_application_password'),
        }),
      ),
    'cms.passwords.removeAll': (_args: Args, call: Call) =>
      inCallersTurn(store, call, () => retryRaces(() => removeAllOf(context, call))),
  };
}
