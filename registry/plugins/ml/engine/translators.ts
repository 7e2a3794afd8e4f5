import type { Store, StoredRecord } from '../../../../lib/index.ts';
import { ROLES, TEXT_KINDS, capabilitiesOf, capabilitiesOfUser, withRole } from '../../../plugin.ts';
import { mlError } from '../records/errors.ts';
import type { EngineUser } from './engine.ts';

const rolesWith = (capability: string): readonly string[] =>
  Object.keys(ROLES).filter((role) => capabilitiesOf(role).has(capability));

/** Users whose role has the capability. */
export async function listUsersWith(store: Store, capability: string): Promise<readonly StoredRecord[]> {
  return (await store.find({ collection: 'users', where: withRole(rolesWith(capability)) })).records;
}

/** A user as sent to the engine. The first word of the name becomes the first name. */
export function toEngineUser(user: StoredRecord): EngineUser {
  const name = TEXT_KINDS.name.toShown(String(user['name'] ?? ''));
  const [first = '', ...rest] = name.split(' ');
  return {
    email: String(user['email'] ?? ''),
    display_name: name,
    first_name: first,
    last_name: rest.join(' '),
  };
}

/**
 * Checks that a user can take a job of these languages: a translator of the pair, or a translation manager.
 * @throws RestError `translator_not_found`, `translator_not_capable`
 */
export async function checkTranslator(
  store: Store,
  id: number,
  { source, target }: { source: string; target: string },
): Promise<void> {
  const user = await store.get('users', id);
  if (user === null) throw mlError('translator_not_found', { data: { translator_id: id } });
  const capabilities = capabilitiesOfUser(user);
  const pairs = Array.isArray(user['language_pairs']) ? user['language_pairs'] : [];
  const isCapable =
    capabilities.has('manage_translations') ||
    (capabilities.has('translate') && pairs.includes(`${source}:${target}`));
  if (!isCapable)
    throw mlError('translator_not_capable', { data: { translator_id: id, pair: `${source}:${target}` } });
}
