import { eq } from '../../../lib/store/query.ts';
import type { Store, StoredRecord } from '../../../lib/store/store.ts';
import { isFastHash, isGenerated } from './password-hash.ts';

/** Names of the passwords that people log in with, as the site and fixtures write them. */
export const LOGIN_NAME = 'login';
const LOGIN_NAMES: ReadonlySet<unknown> = new Set([LOGIN_NAME, 'fixture']);

/** The passwords of a user, the oldest first. */
export async function findCredentials(store: Store, user: number): Promise<readonly StoredRecord[]> {
  return (
    await store.find({
      collection: 'credentials',
      where: eq('user', user),
      order: [{ field: 'id', direction: 'asc' }],
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
