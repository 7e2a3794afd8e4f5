import { randomUUID } from 'node:crypto';
import { RestError } from '../../../lib/core/errors.ts';
import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { subjectOf } from '../../../lib/crud/plain-collection.ts';
import { checkIfMatch } from '../../../lib/http/etag.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import { type Args, type Call, type Permission, subject } from '../../../lib/route/call.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { createRecordRenderer, type Renderers, toFaultEvent } from '../../../lib/route/render-record.ts';
import {
  type Operation,
  retryRaces,
  type StoredRecord,
  toCreate,
  toRemove,
  toUpdate,
} from '../../../lib/store/store.ts';
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

/** An application password to show. `password`: the password itself, present only when it was just made. */
interface PasswordView {
  readonly credential: StoredRecord;
  readonly call: Call;
  readonly context: string;
  readonly password?: string;
}

const orNull = (text: unknown): unknown => (text === '' ? null : text);

const RENDERERS: Renderers<PasswordView> = {
  uuid: ({ credential }) => uuidOf(credential),
  app_id: ({ credential }) => credential['app_id'],
  name: ({ credential }) => credential['name'],
  password: ({ password }) => (password === undefined ? undefined : toGroups(password)),
  created: ({ credential }) => credential['created_gmt'],
  last_used: ({ credential }) => orNull(credential['last_used_gmt']),
  last_ip: ({ credential }) => orNull(credential['last_ip']),
};

const linksOf = createRecordLinks(passwordLinks);

/** Shows application passwords. A caller who may see one may also change and remove it. */
function createShowPassword({ log }: PostBase): (view: PasswordView) => Record<string, unknown> {
  const render = createRecordRenderer<PasswordView>(passwordResource.properties, RENDERERS, {
    links: ({ credential, call }) =>
      linksOf({ user: credential['user'], uuid: uuidOf(credential) }, call, allowedMethods(true, true)),
    onFault: ({ credential }, fault) => log(toFaultEvent(`credential ${credential.id}`, fault)),
  });
  return (view) =>
    render(
      { ...view, credential: toShownTexts('credentials', view.credential) },
      { context: view.context, names: view.call.site.names },
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
    (code: keyof typeof USER_ERRORS): Permission =>
    (args, call) =>
      thenMaybe(loadUser(context, args, call), (user) =>
        user instanceof RestError ? user : mayEditUser(call.identity, user) ? subject(user) : userError(code),
      );
  return {
    'cms.passwords.list': may('rest_cannot_list_application_passwords'),
    'cms.passwords.create': may('rest_cannot_create_application_passwords'),
    'cms.passwords.removeAll': may('rest_cannot_delete_application_passwords'),
    'cms.passwords.read': may('rest_cannot_read_application_password'),
    'cms.passwords.update': may('rest_cannot_edit_application_password'),
    'cms.passwords.remove': may('rest_cannot_delete_application_password'),
    'cms.passwords.introspect': (args, call) =>
      thenMaybe(loadUser(context, args, call), (user) =>
        user instanceof RestError
          ? user
          : user.id === call.identity.id
            ? subject(user)
            : userError('rest_cannot_introspect_app_password_for_non_authenticated_user'),
      ),
  };
}

interface PasswordArgs {
  readonly uuid: string;
}

async function listPasswords({ store }: UserDeps, user: UserRecord): Promise<readonly StoredRecord[]> {
  return (await findCredentials(store, user.id)).filter(isOfApplication);
}

/** @throws RestError `rest_application_password_not_found` */
async function findPassword(context: UserDeps, user: UserRecord, uuid: string): Promise<StoredRecord> {
  const found = (await listPasswords(context, user)).find(
    (credential) => uuidOf(credential) === uuid.toLowerCase(),
  );
  if (found === undefined) throw userError('rest_application_password_not_found');
  return found;
}

/** The password that the caller logged in with. @throws RestError `rest_no_authenticated_app_password` */
async function findOwn(context: UserDeps, { identity }: Call, user: UserRecord): Promise<StoredRecord> {
  const uuid = identity.claims?.[APPLICATION_PASSWORD];
  const found = (await listPasswords(context, user)).find((credential) => uuidOf(credential) === uuid);
  if (found === undefined) throw userError('rest_no_authenticated_app_password');
  return found;
}

/** A name as it is stored. @throws RestError as `checkBounds` */
function toName(text: string): string {
  const { name } = toStoredTexts('credentials', { name: text });
  checkBounds('credentials', { name });
  return name;
}

/** A change of the passwords of the user of a call. `code`: the refusal. */
interface PasswordChange {
  readonly code: keyof typeof USER_ERRORS;
  readonly toOperations: () => Promise<readonly Operation[]>;
}

/** Commits a change of passwords, with the right of the caller and the record of the user. It starts again if either changes at the same time. */
function commitChange(
  { store }: UserDeps,
  call: Call,
  { code, toOperations }: PasswordChange,
): Promise<readonly (StoredRecord | null)[]> {
  const user = subjectOf<UserRecord>(call);
  const refuse = ({ identity }: Call): RestError | null =>
    mayEditUser(identity, user) ? null : userError(code);
  return inCallersTurn(store, call, () =>
    retryRaces(async () => {
      const claimed = await claimRight(store, call, { user: user.id, refuse, changesUser: false });
      return store.commit([...(await toOperations()), ...claimed], call.durability);
    }),
  );
}

/** A change of one password. */
interface OneChange extends Pick<PasswordChange, 'code'> {
  readonly uuid: string;
  readonly toOperation: (credential: StoredRecord) => Operation;
}

/** Changes a password if it is the one that `If-Match` names. @returns the password as it is now, or as it was @throws RestError as `findPassword`, `rest_precondition_failed` */
async function changeOne(
  context: UserDeps,
  call: Call,
  { uuid, code, toOperation }: OneChange,
): Promise<StoredRecord> {
  const toOperations = async (): Promise<readonly Operation[]> => {
    const credential = await findPassword(context, subjectOf<UserRecord>(call), uuid);
    checkIfMatch(call, credential.version);
    return [toOperation(credential)];
  };
  return (await commitChange(context, call, { code, toOperations }))[0] as StoredRecord;
}

async function removeAllOf(context: UserDeps, call: Call): Promise<object> {
  let count = 0;
  const toOperations = async (): Promise<readonly Operation[]> => {
    const all = await listPasswords(context, subjectOf<UserRecord>(call));
    count = all.length;
    return all.map((credential) => toRemove('credentials', credential));
  };
  await commitChange(context, call, { code: 'rest_cannot_delete_application_passwords', toOperations });
  return { deleted: true, count };
}

/** Handlers of application passwords, by id. The subject of each call is the user. */
export function createPasswordHandlers(context: UserDeps) {
  const { now, ports } = context;
  const show = createShowPassword(context);
  const respond = (credential: StoredRecord, call: Call, as: string): RestResponse =>
    new RestResponse(show({ credential, call, context: as }), { version: credential.version });
  const userOf = (call: Call): UserRecord => subjectOf<UserRecord>(call);
  const toNow = async (): Promise<string> => toStamp(now(), (await context.settings()).zone).date_gmt;
  return {
    'cms.passwords.list': async (args: { readonly context: string }, call: Call) =>
      (await listPasswords(context, userOf(call))).map((credential) =>
        show({ credential, call, context: args.context }),
      ),
    'cms.passwords.read': async (
      { uuid, ...args }: PasswordArgs & { readonly context: string },
      call: Call,
    ) => respond(await findPassword(context, userOf(call), uuid), call, args.context),
    'cms.passwords.introspect': async (args: { readonly context: string }, call: Call) =>
      respond(await findOwn(context, call, userOf(call)), call, args.context),
    'cms.passwords.create': async (
      { name, app_id: app = '' }: { readonly name: string; readonly app_id?: string },
      call: Call,
    ) => {
      const user = userOf(call);
      const password = generatePassword(ports.random);
      const values = {
        user: user.id,
        name: toName(name),
        app_id: app,
        uuid: randomUUID(),
        hash: await hashPassword(password),
        created_gmt: await toNow(),
      };
      const [credential] = (await commitChange(context, call, {
        code: 'rest_cannot_create_application_passwords',
        toOperations: async () => {
          if ((await listPasswords(context, user)).length >= MOST)
            throw userError('rest_too_many_application_passwords');
          return [toCreate('credentials', values)];
        },
      })) as [StoredRecord];
      const headers = {
        Location: call.site.url(`/cms/v2/users/${user.id}/application-passwords/${values.uuid}`),
      };
      return new RestResponse(show({ credential, call, context: 'edit', password }), {
        status: 201,
        headers,
        version: credential.version,
      });
    },
    'cms.passwords.update': async ({ uuid, name }: PasswordArgs & { readonly name?: string }, call: Call) => {
      const values = name === undefined ? {} : { name: toName(name) };
      return respond(
        await changeOne(context, call, {
          uuid,
          code: 'rest_cannot_edit_application_password',
          toOperation: (credential) => toUpdate('credentials', credential, values),
        }),
        call,
        'edit',
      );
    },
    'cms.passwords.remove': async ({ uuid }: PasswordArgs, call: Call) => {
      const credential = await changeOne(context, call, {
        uuid,
        code: 'rest_cannot_delete_application_password',
        toOperation: (credential) => toRemove('credentials', credential),
      });
      const { _links: _dropped, ...previous } = show({ credential, call, context: 'edit' });
      return { deleted: true, previous };
    },
    'cms.passwords.removeAll': (_args: Args, call: Call) => removeAllOf(context, call),
  };
}
