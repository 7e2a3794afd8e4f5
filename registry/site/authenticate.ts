import { randomBytes } from 'node:crypto';
import { engineError } from '../../lib/errors.ts';
import { fold } from '../../lib/fold.ts';
import { ANONYMOUS, type Identity } from '../../lib/identity.ts';
import { eq, type Predicate } from '../../lib/query.ts';
import type { RestRequest } from '../../lib/request.ts';
import type { Store, StoredRecord } from '../../lib/store.ts';
import { hashPassword, isPasswordOf } from './password-hash.ts';
import { capabilitiesOf } from './roles.ts';
import { createThrottle, type Throttle } from './throttle.ts';

const MINUTE = 60_000;
/** Failed logins a minute: of one account, and from one address. */
const PER_ACCOUNT = 5;
const PER_ADDRESS = 20;

const NOBODY_BYTES = 24;

/** Logins that differ in case or accents only. */
const SAME_FOLDED = 10;

/** Compared where there is no password to compare, so that the answer takes as long as for a wrong one. Nobody knows what it is the hash of. */
const NOBODY = hashPassword(randomBytes(NOBODY_BYTES).toString('hex'));

/** Who a bearer token stands for; null: not a token of this host. */
export type Bearer = (token: string, request: RestRequest) => Promise<Identity | null> | Identity | null;

/** Who calls, by a login of the host's own, such as the cookie of a session; null: whoever the site finds. */
export type Authenticate = (request: RestRequest) => Promise<Identity | null> | Identity | null;

/** What a host adds to the site's own ways in. */
interface AuthenticateOptions {
  readonly now: () => number;
  readonly bearer?: Bearer | undefined;
  readonly authenticate?: Authenticate | undefined;
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

/** What a user may do, as a value for a call. */
export function toIdentity(user: StoredRecord): Identity {
  const role = String(user['role']);
  return Object.freeze({ id: user.id, role, capabilities: capabilitiesOf(role) });
}

async function findUser(store: Store, name: string): Promise<StoredRecord | undefined> {
  const byLogin: Predicate = { op: 'equalsFolded', field: 'login', text: name };
  const { records } = await store.find({ collection: 'users', where: byLogin, limit: SAME_FOLDED });
  return records.find((user) => user['login'] === name) ?? records[0];
}

async function isRight(store: Store, user: StoredRecord | undefined, password: string): Promise<boolean> {
  const { records } = await store.find({ collection: 'credentials', where: eq('user', user?.id ?? 0) });
  const hashes = records.length === 0 ? [NOBODY] : records.map((credential) => String(credential['hash']));
  return hashes.some((hash) => isPasswordOf(hash, password));
}

type Count = readonly [throttle: Throttle, key: string];

function checkWait(counts: readonly Count[]): void {
  const wait = Math.max(...counts.map(([throttle, key]) => throttle.wait(key)));
  if (wait > 0) throw engineError('rest_too_many_attempts', { headers: { 'Retry-After': String(wait) } });
}

/**
 * The host's own login first; where that knows nobody, HTTP Basic with application passwords, and bearer tokens by a
 * function of the host. Another scheme is an anonymous caller; wrong credentials are an error and not an anonymous caller.
 * @throws RestError `rest_invalid_credentials`, `rest_too_many_attempts`, and whatever the host throws
 */
export function createAuthenticate(store: Store, { now, bearer, authenticate }: AuthenticateOptions): (request: RestRequest) => Identity | Promise<Identity> {
  const perAccount = createThrottle(now, PER_ACCOUNT, MINUTE);
  const perAddress = createThrottle(now, PER_ADDRESS, MINUTE);
  const logIn = async ({ name, password }: Login, address: string): Promise<Identity> => {
    const counts: readonly Count[] = [[perAccount, fold(name)], [perAddress, address]];
    checkWait(counts);
    const user = await findUser(store, name);
    const isKnown = await isRight(store, user, password) && user !== undefined;
    // Again: of guesses that came in together, none may be judged by how things stood before the first.
    checkWait(counts);
    if (isKnown) return toIdentity(user);
    for (const [throttle, key] of counts) throttle.attempt(key);
    throw engineError('rest_invalid_credentials');
  };
  const readToken = async (token: string, request: RestRequest): Promise<Identity> => await bearer?.(token, request) ?? ANONYMOUS;
  const findCaller = (request: RestRequest): Identity | Promise<Identity> => {
    const header = request.headers['authorization'];
    if (header === undefined) return ANONYMOUS;
    const [, token] = /^bearer +(\S+) *$/i.exec(header) ?? [];
    if (token !== undefined) return readToken(token, request);
    return /^basic\b/i.test(header) ? logIn(readBasic(header) ?? { name: '', password: '' }, request.address) : ANONYMOUS;
  };
  return authenticate === undefined ? findCaller : async (request) => await authenticate(request) ?? findCaller(request);
}
