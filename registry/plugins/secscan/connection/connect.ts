import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Call, engineError, type Json, type RestError } from '../../../../lib/index.ts';
import {
  type AddressThrottle,
  changeOption,
  type Ports,
  upstreamError,
  userOf,
  withRole,
} from '../../../plugin.ts';
import { secscanError } from '../settings/errors.ts';
import {
  dropConnection,
  isEqualText,
  isPublicKey,
  isSigned,
  readConnection,
  readEpoch,
  toOwnPublicKey,
  writeConnection,
} from './connection.ts';
import type { SecscanHost } from './host.ts';
import { issueToken, principalOf, toKey, type TokenRequest, toSeconds } from './tokens.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Maximum length of the JSON text in characters. */
const MAX_SITE_DATA = 65_536;

function invalid(param: string, message: string): Error {
  return secscanError('secscan_invalid_connection', { message, data: { params: { [param]: message } } });
}

/** Connects the site to a dashboard. @returns the public key of the site. @throws RestError `secscan_invalid_connection`, `secscan_already_connected` */
export async function connectSite(
  ports: Ports,
  siteId: string,
  { givenKey, data }: { readonly givenKey: string; readonly data: unknown },
): Promise<string> {
  if (!isPublicKey(givenKey))
    throw invalid('public-key', 'public-key must be an Ed25519 key of 32 bytes in 64 hexadecimal digits.');
  if (!UUID.test(siteId))
    throw invalid('site-id', 'site-id must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000.');
  if (JSON.stringify(data).length > MAX_SITE_DATA)
    throw invalid('site-data', `site-data must have at most ${MAX_SITE_DATA} characters as JSON.`);
  const publicKey = givenKey.toLowerCase();
  const known = await readConnection(ports);
  if (known !== null && !isEqualText(known.publicKey, publicKey))
    throw secscanError('secscan_already_connected');
  await writeConnection(ports, { siteId, publicKey }, { data: data as Json, now: toSeconds(ports.now()) });
  return toOwnPublicKey(ports.config.secret, siteId, await readEpoch(ports));
}

/** Ends the connection. The e-mail address is that of the token or of the administrator who asked for it. */
export async function disconnectSite(ports: Ports, call: Call): Promise<void> {
  const { claims } = principalOf(call);
  const user = claims === null ? await ports.store.get('users', userOf(call.identity)) : null;
  await dropConnection(ports, {
    email: claims?.email ?? String(user?.['email'] ?? ''),
    now: toSeconds(ports.now()),
  });
}

const TICK_MS = 600_000;
const HALF_LENGTH = 16;
const FORM = /^[0-9a-f]{64}$/;

/** Number of the ten-minute period. `now`: milliseconds since 1970-01-01 UTC. */
export function toTick(now: number): number {
  return Math.floor(now / TICK_MS);
}

function signTick(salt: Uint8Array, tick: number, key: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update(`secscan nonce ${tick} `)
    .update(salt)
    .digest()
    .subarray(0, HALF_LENGTH);
}

/** 64 hexadecimal digits: 16 random bytes, and the signature that binds them to the period. `random`: 16 bytes. */
export function toNonce(random: Uint8Array, tick: number, key: Uint8Array): string {
  return Buffer.concat([random, signTick(random, tick, key)]).toString('hex');
}

/** The period in which the nonce was created, if it is the current or the previous one; otherwise null. */
export function readNonce(nonce: string, tick: number, key: Uint8Array): number | null {
  if (!FORM.test(nonce)) return null;
  const bytes = Buffer.from(nonce, 'hex');
  const [salt, signature] = [bytes.subarray(0, HALF_LENGTH), bytes.subarray(HALF_LENGTH)];
  return [tick, tick - 1].find((each) => timingSafeEqual(signature, signTick(salt, each, key))) ?? null;
}

/** The signed text and its signature. */
interface Signed {
  readonly data: string;
  readonly signature: string;
}

/** What the authentication routes need. */
export interface AuthenticationParts {
  readonly ports: Ports;
  readonly host: SecscanHost;
  readonly throttle: AddressThrottle;
}

const NONCES = ['secscan', 'nonces'] as const;
/** Maximum number of logins in twenty minutes, so that the list of used nonces stays short. */
const MAX_USED = 1000;
const RANDOM_BYTES = 16;

interface Used {
  readonly nonce: string;
  readonly tick: number;
}

function toUsed(value: Json | undefined): readonly Used[] {
  return Array.isArray(value) ? (value as unknown as readonly Used[]) : [];
}

function tooManyAttempts(seconds: number): RestError {
  return engineError('rest_too_many_attempts', {
    headers: { 'Retry-After': String(seconds) },
    data: { retry_after: seconds },
  });
}

/** Creates a nonce. */
export function makeNonce({ random, now, config }: Ports): string {
  return toNonce(random(RANDOM_BYTES), toTick(now()), toKey(config.secret, 'nonce'));
}

/** Marks the nonce as used, for all processes of the store. This is the last step, so that only a valid signature uses up a nonce. */
async function useNonce(ports: Ports, used: Used): Promise<void> {
  await changeOption(ports.store, NONCES, (value) => {
    const recent = toUsed(value).filter(({ tick }) => tick >= toTick(ports.now()) - 1);
    if (recent.some(({ nonce }) => nonce === used.nonce)) throw secscanError('rest_forbidden_context');
    if (recent.length >= MAX_USED) throw tooManyAttempts(60);
    return [...recent, used].map(({ nonce, tick }) => ({ nonce, tick }));
  });
}

/**
 * Makes a token for the one who signed `nonce|name`. `findBearer`: null if this is not who the name says.
 * @throws RestError `rest_forbidden_context` for every reason, `rest_too_many_attempts`
 */
async function admit(
  { ports, host, throttle }: AuthenticationParts,
  { data, call }: Pick<Signed, 'data'> & { readonly call: Call },
  findBearer: (name: string) => Promise<Omit<TokenRequest, 'audience'> | null>,
) {
  const wait = throttle.attempt({ target: '', address: call.request.address });
  if (wait > 0) throw tooManyAttempts(wait);
  const bar = data.indexOf('|');
  const nonce = data.slice(0, Math.max(bar, 0));
  const tick = readNonce(nonce, toTick(ports.now()), toKey(ports.config.secret, 'nonce'));
  const bearer = tick === null ? null : await findBearer(data.slice(bar + 1));
  if (tick === null || bearer === null) throw secscanError('rest_forbidden_context');
  await useNonce(ports, { nonce, tick });
  return { token: await issueToken(ports, { ...bearer, audience: host.audience }) };
}

/** Creates the token of the connected dashboard. `data`: `nonce|site id`. Throws as `admit`. */
export function authenticate(parts: AuthenticationParts, { data, signature }: Signed, call: Call) {
  return admit(parts, { data, call }, async (name) => {
    const connection = await readConnection(parts.ports);
    const isRight =
      connection !== null &&
      isEqualText(name, connection.siteId) &&
      isSigned(data, signature, connection.publicKey);
    return isRight ? { subject: connection.siteId } : null;
  });
}

async function isOneAdministrator({ store }: Ports, email: string): Promise<boolean> {
  const { records } = await store.find({
    collection: 'users',
    where: withRole(['administrator']),
    fields: ['email'],
  });
  return (
    email !== '' &&
    records.filter((user) => String(user['email']).toLowerCase() === email.toLowerCase()).length === 1
  );
}

/**
 * Creates a premium token for one administrator, whom the controller has identified. `data`: `nonce|email`.
 * @throws RestError `service_not_connected`, otherwise as `admit`
 */
export async function authenticatePremium(
  parts: AuthenticationParts,
  { data, signature }: Signed,
  call: Call,
) {
  const { ports, host } = parts;
  const { controllerPublicKey } = host;
  if (controllerPublicKey === null)
    throw upstreamError('service_not_connected', { data: { service: 'secscan-controller' } });
  return admit(parts, { data, call }, async (email) => {
    if (!isSigned(data, signature, controllerPublicKey) || !(await isOneAdministrator(ports, email)))
      return null;
    const connection = await readConnection(ports);
    return { subject: connection?.siteId ?? 'unconnected', email };
  });
}
