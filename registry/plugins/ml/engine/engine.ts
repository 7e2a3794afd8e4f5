import type { Store, StoredRecord } from '../../../../lib/index.ts';
import { capabilitiesOf, capabilitiesOfUser, ROLES, TEXT_KINDS, withRole } from '../../../plugin.ts';
import { mlError } from '../records/errors.ts';
import type { Job, JobRow } from '../records/job-record.ts';

/** The engine's record of one of its jobs. `status`: `ENGINE_STATUS`. `xliff`: URL of the translated file at the engine, or null. */
export interface EngineRecord {
  /** Id at the engine. */
  readonly id: number;
  readonly status: number;
  readonly xliff: string | null;
}

/** A job to be sent to the engine. */
export interface EngineJob {
  /** The job with its texts. */
  readonly job: Job;
  /** The XLIFF document. */
  readonly xliff: string;
  /** Address of the original. */
  readonly permalink: string;
  /** URL at which the engine reports that the translation is ready. It contains the token of the job. */
  readonly notifyUrl: string;
}

/** A user as sent to the engine. */
export interface EngineUser {
  /** Identifies the user at the engine. */
  readonly email: string;
  /** Name that is shown. */
  readonly display_name: string;
  /** First name; '' if not known. */
  readonly first_name: string;
  /** Last name; '' if not known. */
  readonly last_name: string;
}

/** The site as it is registered with the engine. */
export interface EngineSite {
  /** Identifies the site. */
  readonly uuid: string;
  /** Address of the site. */
  readonly site_url: string;
  /** The user who registers the site. */
  readonly manager: EngineUser;
  /** Users who translate. */
  readonly translators: readonly EngineUser[];
  /** Users who may manage translations. */
  readonly managers: readonly EngineUser[];
}

/** Whether the engine can be used. */
export interface EngineState {
  /** The site is registered. */
  readonly activated: boolean;
  /** `local`: people of the site; `remote`: a service. */
  readonly mode: 'local' | 'remote';
  /** Time of the registration; '' before it. */
  readonly registered_at: string;
}

/**
 * Translates jobs: people outside the site, or a connected service. The engine has its own job ids; a job of the site stores both ids.
 * Every function throws `service_*` when the engine is a service that cannot be reached.
 */
export interface TranslationEngine {
  /** Kind of the engine. */
  readonly name: 'local' | 'remote';
  /** Name of the service in lists of jobs. Default for `remote`: `ate`, or `config.ml.serviceName`. */
  readonly label?: string;
  /** Returns engine ids by job id. */
  createJobs(jobs: readonly EngineJob[]): Promise<ReadonlyMap<number, number>>;
  /** Returns the records of the engine by job id. */
  readJobs(jobs: readonly JobRow[]): Promise<ReadonlyMap<number, EngineRecord>>;
  /** The translated file of a record of this engine; null when it has none. */
  fetchXliff(record: EngineRecord): Promise<Uint8Array | null>;
  /** Confirms to the engine that the translations have arrived. */
  confirm(jobs: readonly JobRow[]): Promise<void>;
  /** Takes back jobs that were sent. */
  cancel(jobs: readonly JobRow[]): Promise<void>;
  /** Registers the site with the engine. */
  register(site: EngineSite): Promise<void>;
  /** Whether the engine can be used. */
  state(): Promise<EngineState>;
  /** Returns each e-mail address with whether the user may use the engine. */
  syncUsers(
    kind: 'translators' | 'managers',
    users: readonly EngineUser[],
  ): Promise<readonly { readonly email: string; readonly subscription: boolean }[]>;
  /** URL of the engine's console; null before the site is registered. */
  consoleUrl(): Promise<string | null>;
}

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
