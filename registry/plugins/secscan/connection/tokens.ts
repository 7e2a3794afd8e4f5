import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Call, can, type Permission, subject, type Verdict } from '../../../../lib/index.ts';
import { type MaybePromise, own, type Ports } from '../../../plugin.ts';
import { secscanError } from '../settings/errors.ts';
import { readEpoch } from './connection.ts';

/** The claims of a token. `exp`, `iat`: seconds since 1970-01-01 UTC. `epoch`: number of disconnections; a token with a lower number is void. */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly epoch: number;
  readonly email?: string;
}

const MAX_TOKEN_LENGTH = 4096;
const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');

function signText(text: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Creates a JSON Web Token, signed with HMAC-SHA-256 (RFC 7519, RFC 7515). */
export function toToken(claims: Claims, key: Uint8Array): string {
  const text = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${text}.${signText(text, key).toString('base64url')}`;
}

function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false;
  const { iss, sub, aud, iat, exp, epoch, email } = value as Record<string, unknown>;
  return (
    [iss, sub, aud].every((text) => typeof text === 'string') &&
    [iat, exp, epoch].every((count) => Number.isSafeInteger(count)) &&
    (email === undefined || typeof email === 'string')
  );
}

/**
 * The claims of a token; null if this site did not issue it or if it has expired. `now`: seconds since 1970-01-01 UTC.
 * The header must equal ours byte for byte, so that the sender cannot choose the algorithm (RFC 8725 3.1).
 */
export function readToken(token: string, key: Uint8Array, now: number): Claims | null {
  const [header, payload, signature, ...rest] = token.length > MAX_TOKEN_LENGTH ? [] : token.split('.');
  if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0) return null;
  const wanted = signText(`${header}.${payload}`, key);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return isClaims(claims) && claims.exp > now ? claims : null;
}

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

/** Whom a token is for. `email`: of the administrator for whom a premium token is created. */
export interface TokenRequest {
  readonly subject: string;
  readonly audience: string;
  readonly email?: string;
}

/** Creates a token that is valid for ten minutes. */
export async function issueToken(ports: Ports, { subject, audience, email }: TokenRequest): Promise<string> {
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
  const admit = (claims: Claims | null): Verdict =>
    claims === null ? secscanError('rest_forbidden_context') : subject({ claims });
  return {
    'secscan.token': async (_args, call) =>
      can(call.identity, 'manage_options') ? subject({ claims: null }) : admit(await loadClaims(call)),
    'secscan.premium': async (_args, call) => {
      const claims = await loadClaims(call);
      return admit(claims?.sub.endsWith(PREMIUM) === true ? claims : null);
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
