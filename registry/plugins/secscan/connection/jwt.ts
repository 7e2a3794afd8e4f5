import { createHmac, timingSafeEqual } from 'node:crypto';

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
