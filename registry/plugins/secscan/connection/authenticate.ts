import { type Call, type Json, type RestError, engineError } from '../../../../lib/index.ts';
import { type AddressThrottle, type Ports, changeOption, upstreamError, withRole } from '../../../plugin.ts';
import { secscanError } from '../settings/errors.ts';
import { isEqualText, readConnection } from './connection.ts';
import { isSigned } from './ed25519.ts';
import type { SecscanHost } from './host.ts';
import { readNonce, toNonce, toTick } from './nonce.ts';
import { issueToken, toKey } from './tokens.ts';

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

function checkPace({ throttle }: AuthenticationParts, call: Call): void {
  const wait = throttle.attempt({ target: '', address: call.request.address });
  if (wait > 0) throw tooManyAttempts(wait);
}

/** Creates a nonce. */
export function makeNonce({ random, now, config }: Ports): string {
  return toNonce(random(RANDOM_BYTES), toTick(now()), toKey(config.secret, 'nonce'));
}

/** Splits `nonce|name`. @throws RestError `rest_forbidden_context` if this site did not create the nonce, or if it is too old */
function readData(
  { ports }: AuthenticationParts,
  data: string,
): { readonly nonce: string; readonly tick: number; readonly name: string } {
  const bar = data.indexOf('|');
  const [nonce, name] = [data.slice(0, Math.max(bar, 0)), data.slice(bar + 1)];
  const tick = readNonce(nonce, toTick(ports.now()), toKey(ports.config.secret, 'nonce'));
  if (tick === null) throw secscanError('rest_forbidden_context');
  return { nonce, tick, name };
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
 * Creates the token of the connected dashboard. `data`: `nonce|site id`.
 * @throws RestError `rest_forbidden_context` for every reason, `rest_too_many_attempts`
 */
export async function authenticate(
  parts: AuthenticationParts,
  { data, signature }: Signed,
  call: Call,
): Promise<{ readonly token: string }> {
  checkPace(parts, call);
  const { ports, host } = parts;
  const { nonce, tick, name } = readData(parts, data);
  const connection = await readConnection(ports);
  const isRight =
    connection !== null &&
    isEqualText(name, connection.siteId) &&
    isSigned(data, signature, connection.publicKey);
  if (!isRight) throw secscanError('rest_forbidden_context');
  await useNonce(ports, { nonce, tick });
  return { token: await issueToken(ports, { subject: connection.siteId, audience: host.audience }) };
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
 * @throws RestError `service_not_connected`, otherwise as `authenticate`
 */
export async function authenticatePremium(
  parts: AuthenticationParts,
  { data, signature }: Signed,
  call: Call,
): Promise<{ readonly token: string }> {
  const { ports, host } = parts;
  if (host.controllerPublicKey === null)
    throw upstreamError('service_not_connected', { data: { service: 'secscan-controller' } });
  checkPace(parts, call);
  const { nonce, tick, name: email } = readData(parts, data);
  if (!isSigned(data, signature, host.controllerPublicKey) || !(await isOneAdministrator(ports, email)))
    throw secscanError('rest_forbidden_context');
  await useNonce(ports, { nonce, tick });
  const connection = await readConnection(ports);
  return {
    token: await issueToken(ports, {
      subject: connection?.siteId ?? 'unconnected',
      audience: host.audience,
      email,
    }),
  };
}
