import { createHash } from 'node:crypto';

/** A hash as every password got it before passwords that people choose were hashed by scrypt. */
export function toOldHash(password: string): string {
  return `sha256$00ff$${createHash('sha256').update('00ff').update('\0').update(password).digest('hex')}`;
}
