import { createHmac, timingSafeEqual } from 'node:crypto';

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
