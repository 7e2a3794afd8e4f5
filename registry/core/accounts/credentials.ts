import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { eq } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';

const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** N, r and p of scrypt: 16 MiB and about 50 ms on one core. Stored with each hash, so that they can be increased. */
const COST = [16_384, 8, 1] as const;
const CURRENT = `scrypt$${COST.join('$')}$`;

const GENERATED = /^[\w-]{24}$/;
const KINDS_OF_LETTERS = [/[a-z]/, /[A-Z]/, /\d/];

/** Spaces are for readability: application passwords are shown in groups of four. */
function withoutBlanks(password: string): string {
  return password.replaceAll(/\s/g, '');
}

/**
 * Whether a password has the form of a generated application password: 24 letters, digits, hyphens and underscores, not
 * all of one kind. Such a password cannot be guessed, so a fast hash is sufficient.
 */
export function isGenerated(password: string): boolean {
  const text = withoutBlanks(password);
  return GENERATED.test(text) && KINDS_OF_LETTERS.filter((kind) => kind.test(text)).length > 1;
}

/** Whether the hash was made by one round of SHA-256. */
export function isFastHash(hash: string): boolean {
  return hash.startsWith('sha256$');
}

/** Whether the hash should be replaced at the next successful login: the password was chosen by a person, and `hashPassword` would make another hash today. */
export function isOutdated(hash: string, password: string): boolean {
  return !isGenerated(password) && !hash.startsWith(CURRENT);
}

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Hashes that no password matches. They are compared if a user has no hash, so that this takes as long as a wrong password. */
export const NOBODYS_HASHES = {
  fast: `sha256$${randomHex(SALT_BYTES)}$${randomHex(KEY_BYTES)}`,
  slow: `${CURRENT}${randomHex(SALT_BYTES)}$${randomHex(KEY_BYTES)}`,
} as const;

function digest(salt: string, password: string): Buffer {
  return createHash('sha256').update(salt).update('\0').update(withoutBlanks(password)).digest();
}

function derive(
  password: string,
  salt: Buffer,
  [N, r, p]: readonly [N: number, r: number, p: number],
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The default of `maxmem` is too small for a higher cost.
    scrypt(withoutBlanks(password), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function isSame(actual: Buffer, stored: string): boolean {
  const expected = Buffer.from(stored, 'hex');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/**
 * Hashes a password: `sha256$salt$digest` for an application password, `scrypt$N$r$p$salt$key` for any other, which takes
 * about 50 ms in the thread pool. @throws TypeError for anything but a text with a character other than a space, because callers
 * with an empty password would be let in
 */
export async function hashPassword(password: string): Promise<string> {
  if (typeof password !== 'string' || withoutBlanks(password) === '')
    throw new TypeError(
      'hashPassword needs a password: a text with at least one character that is not a space',
    );
  const salt = randomBytes(SALT_BYTES);
  const text = salt.toString('hex');
  if (isGenerated(password)) return `sha256$${text}$${digest(text, password).toString('hex')}`;
  return `${CURRENT}${text}$${(await derive(password, salt, COST)).toString('hex')}`;
}

/** Whether the password matches a `sha256$` hash. Takes constant time. */
export function isPasswordOfFastHash(hash: string, password: string): boolean {
  const [scheme, salt, stored] = hash.split('$');
  return (
    scheme === 'sha256' &&
    salt !== undefined &&
    stored !== undefined &&
    isSame(digest(salt, password), stored)
  );
}

const SLOW = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\da-f]+)\$([\da-f]+)$/;

/** Whether the password matches the hash, in either form. A text that is not a hash does not match any password. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  if (isFastHash(hash)) return isPasswordOfFastHash(hash, password);
  const [, N, r, p, salt = '', stored = ''] = SLOW.exec(hash) ?? [];
  if (stored === '') return false;
  return isSame(await derive(password, Buffer.from(salt, 'hex'), [Number(N), Number(r), Number(p)]), stored);
}

/** Names of the passwords that people log in with, as the site and fixtures write them. */
export const LOGIN_NAME = 'login';
const LOGIN_NAMES: ReadonlySet<unknown> = new Set([LOGIN_NAME, 'fixture']);

/** The passwords of a user, the oldest first. */
export async function findCredentials(store: Store, user: number): Promise<readonly StoredRecord[]> {
  return (
    await store.find({
      collection: 'credentials',
      where: eq('user', user),
    })
  ).records;
}

/** Whether a program logs in with it. A program of the owner may have written it without a UUID, but with the hash of a generated password. */
export function isOfApplication(credential: StoredRecord): boolean {
  return (
    credential['uuid'] !== '' ||
    (isFastHash(String(credential['hash'])) && !LOGIN_NAMES.has(credential['name']))
  );
}

/** The UUID of an application password. One that was written without a UUID has one that is made from its id. */
export function uuidOf({ id, uuid }: StoredRecord): string {
  return String(uuid) || `00000000-0000-4000-8000-${id.toString(16).padStart(12, '0')}`;
}

const LENGTH = 24;

/** A new application password: 24 letters and digits. `random`: cryptographically random bytes. */
export function generatePassword(random: (count: number) => Uint8Array): string {
  for (;;) {
    const letters = Buffer.from(random(LENGTH * 2))
      .toString('base64url')
      .replaceAll(/[-_]/g, '')
      .slice(0, LENGTH);
    if (isGenerated(letters)) return letters;
  }
}

/** The password in groups of four, as people read it. Blanks are ignored at login. */
export function toGroups(password: string): string {
  return password.replaceAll(/.{4}(?=.)/g, '$& ');
}
