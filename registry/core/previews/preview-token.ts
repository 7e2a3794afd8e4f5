import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PreviewRecord } from './preview-record.ts';

/** The id of the preview and a signature: `12.mJ0b…`. */
const TOKEN = /^([1-9]\d{0,14})\.([\w-]{43})$/;

/** `password`: hash of the maker's password, so that a new password revokes the token; '' without one. */
interface Signed extends Pick<PreviewRecord, 'id' | 'post' | 'maker' | 'revision' | 'expires'> {
  readonly password: string;
}

/** The key of previews alone, so that what the secret signs for another purpose opens nothing. */
const toKey = (secret: Uint8Array): Buffer => createHmac('sha256', secret).update('preview').digest();

function sign(secret: Uint8Array, { id, post, maker, revision, expires, password }: Signed): Buffer {
  const text = JSON.stringify([id, post, maker, revision, expires, password]);
  return createHmac('sha256', toKey(secret)).update(text).digest();
}

/** The token of a preview. */
export function toToken(secret: Uint8Array, signed: Signed): string {
  return `${signed.id}.${sign(secret, signed).toString('base64url')}`;
}

/** The id of the preview that a token claims to be of; null: it is not a token. */
export function readTokenId(token: string): number | null {
  const [, id] = TOKEN.exec(token) ?? [];
  return id === undefined ? null : Number(id);
}

/** Whether a token was made for exactly this. The comparison takes constant time. */
export function isTokenOf(secret: Uint8Array, token: string, signed: Signed): boolean {
  const [given, right] = [token, toToken(secret, signed)].map((each) =>
    createHmac('sha256', secret).update(each).digest(),
  ) as [Buffer, Buffer];
  return timingSafeEqual(given, right);
}
