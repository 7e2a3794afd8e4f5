import { createHash } from 'node:crypto';

/** A password hash in the former format, which was used before scrypt. */
export function toOldHash(password: string): string {
  return `sha256$00ff$${createHash('sha256').update('00ff').update('\0').update(password).digest('hex')}`;
}
