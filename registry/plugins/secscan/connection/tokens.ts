import { createHmac } from 'node:crypto';
import { type Call, type Permission, type Subject, can, subject } from '../../../../lib/index.ts';
import { type MaybePromise, type Ports, own } from '../../../plugin.ts';
import { secscanError } from '../settings/errors.ts';
import { readEpoch } from './connection.ts';
import { readToken, toToken, type Claims } from './jwt.ts';

/** The caller that a permission of this namespace accepted: a machine with a token, or an administrator (`claims` is null). */
interface Principal {
  readonly claims: Claims | null;
}

/** Issuer of the tokens. */
export const ISSUER = 'routebook-secscan/1';

const LIFE_S = 600;
const PREMIUM = '-central-premium';
const BEARER = /^Bearer +([\w.-]{1,4096})$/i;

/** Each use has its own key, derived from the secret of the site. */
export function toKey(secret: Uint8Array, use: 'token' | 'nonce'): Buffer {
  return createHmac('sha256', secret).update(`secscan ${use}`).digest();
}

/** Seconds since 1970-01-01 UTC. */
export function toSeconds(now: number): number {
  return Math.floor(now / 1000);
}

/** Creates a token that is valid for ten minutes. `email`: of the administrator for whom a premium token is created. */
export async function issueToken(
  ports: Ports,
  { subject, audience, email }: { subject: string; audience: string; email?: string },
): Promise<string> {
  const iat = toSeconds(ports.now());
  const claims: Claims = {
    iss: ISSUER,
    sub: email === undefined ? subject : `${subject}${PREMIUM}`,
    aud: audience,
    iat,
    exp: iat + LIFE_S,
    epoch: await readEpoch(ports),
    ...(email === undefined ? {} : { email }),
  };
  return toToken(claims, toKey(ports.config.secret, 'token'));
}

function isPremium(claims: Claims): boolean {
  return claims.sub.endsWith(PREMIUM);
}

/** The claims of the first valid token in the headers of the request. */
async function readClaims(ports: Ports, call: Call): Promise<Claims | null> {
  for (const name of ['authorization', 'x-authorization']) {
    const token = BEARER.exec(own(call.request.headers, name) ?? '')?.[1];
    const claims =
      token === undefined
        ? null
        : readToken(token, toKey(ports.config.secret, 'token'), toSeconds(ports.now()));
    if (claims !== null) return claims.epoch === (await readEpoch(ports)) ? claims : null;
  }
  return null;
}

/** Permission functions of the namespace. The subject of the call is then a `Principal`. */
export function createSecscanPermissions(
  ports: Ports,
): Readonly<Record<'secscan.token' | 'secscan.premium', Permission>> {
  const loadClaims = (call: Call): MaybePromise<Claims | null> =>
    call.once('secscan.claims', () => readClaims(ports, call));
  const principal = (claims: Claims | null): Subject<Principal> => subject({ claims });
  return {
    'secscan.token': async (_args, call) => {
      if (can(call.identity, 'manage_options')) return principal(null);
      const claims = await loadClaims(call);
      return claims === null ? secscanError('rest_forbidden_context') : principal(claims);
    },
    'secscan.premium': async (_args, call) => {
      const claims = await loadClaims(call);
      return claims === null || !isPremium(claims)
        ? secscanError('rest_forbidden_context')
        : principal(claims);
    },
  };
}

/** The principal that the permission function put into the call. */
export function principalOf(call: Call): Principal {
  const { subject } = call;
  return typeof subject === 'object' && subject !== null && 'claims' in subject
    ? (subject as Principal)
    : { claims: null };
}
