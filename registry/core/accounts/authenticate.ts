import { engineError } from '../../../lib/core/errors.ts';
import { ANONYMOUS, type Identity, readIdentity } from '../../../lib/core/identity.ts';
import { type MaybePromise, thenMaybe } from '../../../lib/core/maybe-promise.ts';
import { type Names, perNames, renameParam, vendorHeader } from '../../../lib/core/names.ts';
import { own } from '../../../lib/core/objects.ts';
import { callOption } from '../../../lib/dispatch/execute.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { HANDLER_TIMEOUT_MS, INNER_SHARE } from '../../../lib/dispatch/time-limit.ts';
import { parseQuery } from '../../../lib/http/query-string.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import { eq, equalsFolded, type Predicate } from '../../../lib/store/query.ts';
import { findFirst, isRace, type Store, type StoredRecord, toUpdate } from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toEpoch } from '../content/site-time.ts';
import { NEUTRAL_NAMES } from '../host/names.ts';
import { findCredentials, isOfApplication, uuidOf } from './credentials.ts';
import { createGuessLimits, type GuessBounds } from './guess-limits.ts';
import { type Match, Passwords } from './passwords.ts';
import { toCaller } from './roles.ts';

/** Neutral name of the parameter that can replace the header: `_wpnonce` of WordPress. */
const PARAM = '_nonce';

const toWords = perNames((names) => ({
  header: vendorHeader(names, 'Nonce').toLowerCase(),
  param: renameParam(names, PARAM),
}));

/**
 * Rejects a nonce without other credentials. A nonce belongs to a session, and this site has none: the session has expired
 * or was never one of this site. A WordPress client then requests a new nonce.
 * @throws RestError `rest_cookie_invalid_nonce`
 */
function checkNonce(
  names: Names,
  { headers, query, body }: Pick<RestRequest, 'headers' | 'query' | 'body'>,
): void {
  const { header, param } = toWords(names);
  const isSent =
    own(headers, header) !== undefined ||
    (query.includes(param) && own(parseQuery(query).params, param) !== undefined) ||
    (body.kind === 'form' && own(body.params, param) !== undefined);
  if (isSent) throw engineError('rest_cookie_invalid_nonce');
}

const BOUNDS: GuessBounds = { atTargetFromAddress: 5, fromAddress: 20, atTarget: 100 };

/** Maximum number of logins that differ only in case or accents. */
const SAME_FOLDED = 10;

/** Returns the identity of a bearer token; null if the host did not issue the token. */
export type Bearer<H = unknown> = (token: string, request: RestRequest<H>) => MaybePromise<Identity | null>;

/** Identifies the caller by the host's own login, such as a session cookie; null to fall back to the site's own methods. */
export type Authenticate<H = unknown> = (request: RestRequest<H>) => MaybePromise<Identity | null>;

/** What a host adds to the site's own authentication methods. */
interface AuthenticateOptions {
  readonly now: () => number;
  readonly bearer?: Bearer | undefined;
  readonly authenticate?: Authenticate | undefined;
  /** Default: the neutral names. */
  readonly names?: Names | undefined;
  /** See `SiteOptions`. */
  readonly handlerTimeoutMs?: number | undefined;
  readonly log?: ((event: LogEvent) => void) | undefined;
}

interface Login {
  readonly name: string;
  readonly password: string;
}

function readBasic(header: string): Login | null {
  const [, encoded] = /^basic +([a-z\d+/=_-]+) *$/i.exec(header) ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

async function findUser(store: Store, name: string): Promise<StoredRecord | undefined> {
  const byLogin: Predicate = equalsFolded('login', name);
  const { records } = await store.find({ collection: 'users', where: byLogin, limit: SAME_FOLDED });
  return records.find((user) => user['login'] === name) ?? records[0];
}

const hashOf = (credential: StoredRecord): string => String(credential['hash']);

/** The name of the claim that holds the UUID of the application password that the caller logged in with. */
export const APPLICATION_PASSWORD = 'application_password';

/** The use of an application password is noted at most once in this time, as in WordPress. */
const NOTED_EVERY_MS = 24 * 60 * 60 * 1000;

/** What a login writes: the renewed hash, and the use of an application password. */
function toChange(
  credential: StoredRecord,
  { renewed }: Match,
  { now, address }: { readonly now: number; readonly address: string },
): Readonly<Record<string, string>> {
  const used = String(credential['last_used_gmt']);
  const isNoted = credential['uuid'] === '' || (used !== '' && now - toEpoch(used) < NOTED_EVERY_MS);
  return {
    ...(renewed === null ? {} : { hash: renewed }),
    ...(isNoted
      ? {}
      : {
          last_used_gmt: new Date(now).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length),
          last_ip: address,
        }),
  };
}

/** Writes what a login changes. If that fails, the login still succeeds. */
async function noteLogin(
  store: Store,
  credential: StoredRecord,
  { values, log }: { values: Readonly<Record<string, string>>; log: AuthenticateOptions['log'] },
): Promise<void> {
  if (Object.keys(values).length === 0) return;
  try {
    await store.commit([toUpdate('credentials', credential, values)]);
  } catch (error) {
    if (!isRace(error))
      log?.({ level: 'warn', message: `renewing the hash of credential ${credential.id} failed`, error });
  }
}

/** The caller that a host identified. A text is the subject of a user, whose record gives the rights. @throws RestError `rest_invalid_credentials` */
async function toUser(store: Store, { id, claims }: Identity): Promise<Identity> {
  const user = await findFirst(store, { collection: 'users', where: eq('subject', id) });
  if (user === undefined) throw engineError('rest_invalid_credentials');
  return toCaller(user, claims);
}

/** Checks a user name and a password. @throws RestError `rest_invalid_credentials`, `rest_too_many_attempts`, `rest_overloaded` */
function createLogin(
  store: Store,
  { now, log }: AuthenticateOptions,
): (login: Login, address: string) => Promise<Identity> {
  const limits = createGuessLimits(now, BOUNDS);
  const passwords = new Passwords();
  return async ({ name, password }, address) => {
    const guess = { target: fold(name), address };
    limits.check(guess);
    const user = await findUser(store, name);
    const credentials = user === undefined ? [] : await findCredentials(store, user.id);
    // Callers without an address cannot be told apart. Under attack, each of their guesses costs a slow hash, which limits the number per second.
    const useVerified = address !== '' || !limits.isUnderAttack(guess.target);
    const match = await passwords.find(credentials.map(hashOf), password, {
      beforeWork: () => limits.check(guess),
      useVerified,
    });
    // Checked again, because concurrent guesses were all checked before the first of them failed.
    limits.check(guess);
    const credential = credentials.find((each) => hashOf(each) === match?.hash);
    if (match === null || user === undefined || credential === undefined) {
      limits.fail(guess);
      throw engineError('rest_invalid_credentials');
    }
    await noteLogin(store, credential, { values: toChange(credential, match, { now: now(), address }), log });
    const claims = isOfApplication(credential) ? { [APPLICATION_PASSWORD]: uuidOf(credential) } : undefined;
    return toCaller(user, claims, credential.id);
  };
}

/**
 * Tries the host's own login first. If it returns null, the site accepts HTTP Basic with application passwords, and bearer tokens through
 * a function of the host. A caller with any other scheme is anonymous; wrong credentials are an error and never make the caller anonymous.
 * @throws RestError `rest_invalid_credentials`, `rest_too_many_attempts`, `rest_overloaded`, `rest_cookie_invalid_nonce`, and any error of the host
 */
export function createAuthenticate(
  store: Store,
  options: AuthenticateOptions,
): (request: RestRequest) => MaybePromise<Identity> {
  const { bearer, authenticate, names = NEUTRAL_NAMES, handlerTimeoutMs = HANDLER_TIMEOUT_MS } = options;
  const logIn = createLogin(store, options);
  // Less time than `authenticate` has in the engine, so that the log names `bearer`.
  const ms = handlerTimeoutMs * INNER_SHARE;
  const toOwn = (told: Identity): MaybePromise<Identity> =>
    typeof told.id === 'string' ? toUser(store, told) : told;
  const readToken = (token: string, request: RestRequest): MaybePromise<Identity> =>
    thenMaybe(
      callOption<unknown>({ option: 'bearer', ms, signal: request.signal }, () => bearer?.(token, request)),
      (told) => toOwn(readIdentity(told, 'bearer of createSite') ?? ANONYMOUS),
    );
  const findCaller = (request: RestRequest): MaybePromise<Identity> => {
    const header = request.headers['authorization'];
    if (header === undefined) return ANONYMOUS;
    const [, token] = /^bearer +(\S+) *$/i.exec(header) ?? [];
    if (token !== undefined) return readToken(token, request);
    return /^basic\b/i.test(header)
      ? logIn(readBasic(header) ?? { name: '', password: '' }, request.address)
      : ANONYMOUS;
  };
  const findHere = (request: RestRequest): MaybePromise<Identity> =>
    thenMaybe(findCaller(request), (caller) => {
      if (caller.id === ANONYMOUS.id) checkNonce(names, request);
      return caller;
    });
  if (authenticate === undefined) return findHere;
  return async (request) => {
    const told = readIdentity(await authenticate(request), 'authenticate of createSite');
    return told === null ? findHere(request) : toOwn(told);
  };
}
