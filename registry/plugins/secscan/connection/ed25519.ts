import { createPrivateKey, createPublicKey, verify } from 'node:crypto';

const KEY_FORM = /^[0-9a-f]{64}$/i;
const SIGNATURE_FORM = /^[0-9a-f]{128}$/i;
/** DER prefix of an Ed25519 private key in PKCS #8 (RFC 8410 7). The 32 bytes of the seed follow. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Whether the text is a public key of 32 bytes in hexadecimal digits. */
export function isPublicKey(text: string): boolean {
  return KEY_FORM.test(text);
}

/** Whether `signature` (hexadecimal) is a valid Ed25519 signature of the text for the public key (RFC 8032). */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  if (!SIGNATURE_FORM.test(signature) || !isPublicKey(publicKey)) return false;
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'hex'));
}

/** The public key (hexadecimal) for a private key of 32 bytes. */
export function toPublicKey(seed: Uint8Array): string {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('hex');
}
