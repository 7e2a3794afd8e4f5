import { createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;

function sign(text: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`photofeed cursor ${text}`).digest().subarray(0, MAC_BYTES);
}

/** A position as callers see it: opaque and signed for this site, so that callers cannot send their own positions to a provider. */
export function toCursor(position: string, secret: Uint8Array): string {
  return Buffer.concat([sign(position, secret), Buffer.from(position, 'utf8')]).toString('base64url');
}

/** The position in a cursor; null if this site did not create it. */
export function readCursor(cursor: string, secret: Uint8Array): string | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= MAC_BYTES) return null;
  const position = bytes.subarray(MAC_BYTES).toString('utf8');
  return timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(position, secret)) ? position : null;
}
