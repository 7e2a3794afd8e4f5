import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SALT_BYTES = 16;

function digest(salt: string, password: string): string {
  // Blanks are for reading: application passwords are shown in groups of four.
  return createHash('sha256').update(salt).update('\0').update(password.replaceAll(/\s/g, '')).digest('hex');
}

/**
 * The stored form of an application password: `sha256$salt$digest`. One round is enough for 24 random characters,
 * which nobody guesses; do not use it for passwords that people choose.
 */
export function hashPassword(password: string): string {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  return `sha256$${salt}$${digest(salt, password)}`;
}

/** Whether the password is the hashed one. Takes the same time whether it is or not. */
export function isPasswordOf(hash: string, password: string): boolean {
  const [scheme, salt, stored] = hash.split('$');
  if (scheme !== 'sha256' || salt === undefined || stored === undefined) return false;
  const expected = Buffer.from(stored, 'hex');
  const actual = Buffer.from(digest(salt, password), 'hex');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
