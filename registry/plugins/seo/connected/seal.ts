import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Json } from '../../../../lib/index.ts';
import type { Ports } from '../../../plugin.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const toKey = (secret: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'seo/v1 tokens', 32));

/** Encrypts a value for the store. Reading it requires the secret of the site (AES-GCM, NIST SP 800-38D). */
export function seal({ random, config }: Pick<Ports, 'random' | 'config'>, value: Json): string {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER, toKey(config.secret), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
}

/** The decrypted value; null when it was sealed with another secret or is not a sealed value. */
export function unseal({ config }: Pick<Ports, 'config'>, sealed: unknown): Json {
  if (typeof sealed !== 'string') return null;
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, toKey(config.secret), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    // The secret of the site has changed. The site must be authorized again.
    return null;
  }
}
