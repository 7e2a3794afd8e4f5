import { createHmac, createPrivateKey, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import type { Json } from '../../../../lib/index.ts';
import { changeOption, type Ports, readOption, removeOption, writeOption } from '../../../plugin.ts';

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

/** The dashboard to which this site is connected. */
interface Connection {
  readonly siteId: string;
  /** Ed25519, 64 hexadecimal digits in lower case. */
  readonly publicKey: string;
}

type StorePort = Pick<Ports, 'store'>;

const CONNECTION = ['secscan', 'connection'] as const;
const EPOCH = ['secscan', 'tokenEpoch'] as const;

/** The connection; null if there is none. */
export async function readConnection({ store }: StorePort): Promise<Connection | null> {
  const value = await readOption(store, ...CONNECTION);
  if (typeof value !== 'object' || value === null || !('siteId' in value) || !('publicKey' in value))
    return null;
  return { siteId: String(value['siteId']), publicKey: String(value['publicKey']) };
}

/** Stores the connection and what the dashboard sent about the site. `now`: seconds since 1970-01-01 UTC. */
export async function writeConnection(
  { store }: StorePort,
  connection: Connection,
  { data, now }: { data: Json; now: number },
): Promise<void> {
  await writeOption(store, CONNECTION, {
    siteId: connection.siteId,
    publicKey: connection.publicKey,
    data,
    connected: now,
  });
}

/** Number of disconnections so far. A token contains the number at its creation; a token with a lower number is void. */
export async function readEpoch({ store }: StorePort): Promise<number> {
  return Number((await readOption(store, ...EPOCH)) ?? 0);
}

/** Removes the connection, voids every token, and records who asked for it. */
export async function dropConnection(
  { store }: StorePort,
  { email, now }: { email: string; now: number },
): Promise<void> {
  // The tokens come first: if the rest fails, access is denied rather than granted.
  await changeOption(store, EPOCH, (epoch) => Number(epoch ?? 0) + 1);
  await removeOption(store, ...CONNECTION);
  await writeOption(store, ['secscan', 'disconnection'], { time: now, email });
}

/**
 * The site's public key for a connection. The private key is derived from the secret of the site when it is needed, so that
 * it is never in the store or in a backup of it.
 */
export function toOwnPublicKey(secret: Uint8Array, siteId: string, epoch: number): string {
  return toPublicKey(createHmac('sha256', secret).update(`secscan key ${siteId} ${epoch}`).digest());
}

/** Whether two texts are equal. The time that this takes depends on their lengths only. */
export function isEqualText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
