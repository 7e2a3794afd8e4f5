import { type Call, and, eq, oneOf } from '../../../../lib/index.ts';
import { mayWorkOn, readCaller } from '../records/caller.ts';
import { mlError, type ML_ERRORS } from '../records/errors.ts';
import { ROW_FIELDS, toJob, toJobRow, type Job, type JobRow } from '../records/job-record.ts';
import { JOB_TYPES } from '../records/status.ts';
import type { TranslationServices } from '../services/services.ts';

/** Reads a job that the caller may work on. @throws RestError `missing` when it does not exist, `forbidden` when the caller may not work on it */
export async function readWorkJob(
  services: TranslationServices,
  id: number,
  {
    call,
    missing = 'ml_job_not_found',
    forbidden = 'ml_job_forbidden',
  }: {
    readonly call: Pick<Call, 'identity'>;
    readonly missing?: keyof typeof ML_ERRORS;
    readonly forbidden?: keyof typeof ML_ERRORS;
  },
): Promise<Job> {
  const record = await services.store.get('ml_jobs', id);
  if (record === null) throw mlError(missing);
  const job = toJob(record);
  if (!mayWorkOn(await readCaller(services.store, call.identity), job)) throw mlError(forbidden);
  return job;
}

/** A job as requests refer to it. */
export interface JobReference {
  readonly id: number;
  readonly type: string;
}

const isReference = (value: unknown): value is JobReference =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  Number.isSafeInteger(value.id) &&
  'type' in value &&
  (JOB_TYPES as readonly unknown[]).includes(value.type);

/** The existing jobs of a list of `{id, type}`. Invalid entries are ignored. */
export async function findReferenced(
  services: TranslationServices,
  list: readonly unknown[],
): Promise<readonly JobRow[]> {
  const references = list.filter(isReference);
  if (references.length === 0) return [];
  const { records } = await services.store.find({
    collection: 'ml_jobs',
    where: oneOf(
      'id',
      references.map((each) => each.id),
    ),
    fields: ROW_FIELDS,
  });
  const byId = new Map(records.map((record) => [record.id, toJobRow(record)]));
  const found = references.map((each) =>
    byId.get(each.id)?.type === each.type ? byId.get(each.id) : undefined,
  );
  return [...new Set(found.filter((job) => job !== undefined))];
}

/** The newest job to which the active engine gave this id; null when there is none. */
export async function findByEngineId(services: TranslationServices, engineJob: number): Promise<Job | null> {
  const where = and(eq('engine', services.engine.name), eq('engine_job', engineJob));
  const {
    records: [found],
  } = await services.store.find({
    collection: 'ml_jobs',
    where,
    order: [{ field: 'id', direction: 'desc' }],
    limit: 1,
  });
  return found === undefined ? null : toJob(found);
}
