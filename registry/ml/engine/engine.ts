import type { Job, JobRow } from '../jobs/job-record.ts';

/** The engine's record of one of its jobs. `status`: `ENGINE_STATUS`. `xliff`: URL of the translated file at the engine, or null. */
export interface EngineRecord {
  readonly id: number;
  readonly status: number;
  readonly xliff: string | null;
}

/** A job to be sent to the engine. */
export interface EngineJob {
  readonly job: Job;
  readonly xliff: string;
  readonly permalink: string;
  /** URL at which the engine reports that the translation is ready. It contains the token of the job. */
  readonly notifyUrl: string;
}

/** A user as sent to the engine. */
export interface EngineUser {
  readonly email: string;
  readonly display_name: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** The site as it is registered with the engine. */
export interface EngineSite {
  readonly uuid: string;
  readonly site_url: string;
  readonly manager: EngineUser;
  readonly translators: readonly EngineUser[];
  readonly managers: readonly EngineUser[];
}

export interface EngineState {
  readonly activated: boolean;
  readonly mode: 'local' | 'remote';
  readonly registered_at: string;
}

/**
 * Translates jobs: people outside the site, or a connected service. The engine has its own job ids; a job of the site stores both ids.
 * Every function throws `service_*` when the engine is a service that cannot be reached.
 */
export interface TranslationEngine {
  readonly name: 'local' | 'remote';
  /** Name of the service in lists of jobs. Default for `remote`: `ate`, or `config.ml.serviceName`. */
  readonly label?: string;
  /** Returns engine ids by job id. */
  createJobs(jobs: readonly EngineJob[]): Promise<ReadonlyMap<number, number>>;
  readJobs(jobs: readonly JobRow[]): Promise<ReadonlyMap<number, EngineRecord>>;
  /** The translated file of a record of this engine; null when it has none. */
  fetchXliff(record: EngineRecord): Promise<Uint8Array | null>;
  /** Confirms to the engine that the translations have arrived. */
  confirm(jobs: readonly JobRow[]): Promise<void>;
  cancel(jobs: readonly JobRow[]): Promise<void>;
  register(site: EngineSite): Promise<void>;
  state(): Promise<EngineState>;
  /** Returns each e-mail address with whether the user may use the engine. */
  syncUsers(kind: 'translators' | 'managers', users: readonly EngineUser[]): Promise<readonly { readonly email: string; readonly subscription: boolean }[]>;
  /** URL of the engine's console; null before the site is registered. */
  consoleUrl(): Promise<string | null>;
}
