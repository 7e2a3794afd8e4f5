import type { Job, JobRow } from '../jobs/job-record.ts';

/** What an engine says about one of its jobs. `status`: `ENGINE_STATUS`. `xliff`: address of the translated file at the engine, or null. */
export interface EngineRecord {
  readonly id: number;
  readonly status: number;
  readonly xliff: string | null;
}

/** A job on its way to the engine. */
export interface EngineJob {
  readonly job: Job;
  readonly xliff: string;
  readonly permalink: string;
  /** Where the engine reports that the translation is ready, with the token of the job. */
  readonly notifyUrl: string;
}

/** A person that the engine is told about. */
export interface EngineUser {
  readonly email: string;
  readonly display_name: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** The site as it is registered. */
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
 * Who translates: people at the local translation service, or a service. Ids of the engine's jobs are its own; a job of the site is known by both.
 * Every function throws `service_*` when the engine is a service that can not be reached.
 */
export interface TranslationEngine {
  readonly name: 'local' | 'remote';
  /** Answers engine ids by job id. */
  createJobs(jobs: readonly EngineJob[]): Promise<ReadonlyMap<number, number>>;
  readJobs(jobs: readonly JobRow[]): Promise<ReadonlyMap<number, EngineRecord>>;
  /** The translated file of a record of this engine; null when there is none. */
  fetchXliff(record: EngineRecord): Promise<Uint8Array | null>;
  /** Tells the engine that the translations have arrived. */
  confirm(jobs: readonly JobRow[]): Promise<void>;
  cancel(jobs: readonly JobRow[]): Promise<void>;
  register(site: EngineSite): Promise<void>;
  state(): Promise<EngineState>;
  /** Answers e-mail addresses with whether each may use the engine. */
  syncUsers(kind: 'translators' | 'managers', users: readonly EngineUser[]): Promise<readonly { readonly email: string; readonly subscription: boolean }[]>;
  /** Address of the engine's console; null before the site is registered. */
  consoleUrl(): Promise<string | null>;
}
