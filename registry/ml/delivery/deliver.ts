import { own } from '../../../lib/core/objects.ts';
import type { Operation } from '../../../lib/store/store.ts';
import type { TranslationServices } from '../engine/services.ts';
import { mlError } from '../errors.ts';
import type { JobField } from '../jobs/job-fields.ts';
import { toLogEntry } from '../jobs/job-log.ts';
import { toJob, type Job, type JobTarget, type JobTargets } from '../jobs/job-record.ts';
import { checkStaleness } from '../jobs/stale-jobs.ts';
import { ENGINE_STATUS, JOB_STATUS } from '../status.ts';
import { readOriginal } from '../xliff/xliff-identity.ts';
import { readXliff, XliffError, type ReadXliff, type XliffTarget } from '../xliff/xliff-read.ts';

function toText(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw mlError('not_xml_file', { message: 'The file must be UTF-8 text.', cause });
  }
}

function read(bytes: Uint8Array): ReadXliff {
  try {
    return readXliff(toText(bytes));
  } catch (error) {
    if (error instanceof XliffError) throw mlError(error.code, { message: error.message, cause: error });
    throw error;
  }
}

/** @throws RestError `xliff_does_not_match` for a file that this site did not create for this job */
function checkOrigin(secret: Uint8Array, job: Job, file: ReadXliff): string {
  const revision = readOriginal(secret, file.original, { job: job.id, post: job.post });
  if (revision === null) throw mlError('xliff_does_not_match');
  const languages = [[file.source, job.source], [file.target, job.target]] as const;
  const wrong = languages.find(([given, wanted]) => given !== '' && given.toLowerCase() !== wanted);
  if (wrong !== undefined) throw mlError('xliff_does_not_match', { message: `The file has the language "${wrong[0]}", but the job has "${wrong[1]}".` });
  return revision;
}

const isEmpty = (target: XliffTarget): boolean => (target.text ?? '').trim() === '';

/** @throws RestError `xliff_invalid` for missing texts, unless the file was made from an older revision of the post */
function checkTargets(job: Job, known: readonly XliffTarget[], revision: string): void {
  const given = new Set(known.map((target) => target.id));
  const empty = known.filter(isEmpty).map((target) => target.id);
  const missing = revision === job.revision ? job.fields.map((field) => field.id).filter((id) => !given.has(id)) : [];
  if (known.length === 0) throw mlError('xliff_invalid', { message: 'The file does not contain any text of the job.' });
  if (empty.length > 0) throw mlError('xliff_invalid', { message: `These units have no target: ${empty.join(', ')}`, data: { units: empty } });
  if (missing.length > 0) throw mlError('xliff_invalid', { message: `These units are missing: ${missing.join(', ')}`, data: { units: missing } });
}

const listTags = (text: string): string => (text.match(/<\/?[a-z][a-z0-9-]*/gi) ?? []).map((tag) => tag.toLowerCase()).sort().join(' ');

/** A translation should have the same tags as its source, in any order. A difference is a warning, not an error. */
function listWarnings(job: Job, targets: JobTargets): readonly string[] {
  const hasOtherTags = ({ id, source }: JobField): boolean => {
    const target = own(targets, id);
    return target !== undefined && listTags(source) !== listTags(target.text);
  };
  return job.fields.filter(hasOtherTags).map(({ id }) => id);
}

/** A delivered file. `unfiltered`: whether the user who delivers it may write unfiltered HTML. A service may not. */
export interface HandedIn {
  readonly bytes: Uint8Array;
  readonly unfiltered: boolean;
}

/** The result of a delivered file. `stale`: the file was made before the texts of the job changed. */
export interface Delivery {
  readonly targets: JobTargets;
  readonly stale: boolean;
}

/**
 * Reads a translated file and verifies that it belongs to the job.
 * @throws RestError `not_xml_file`, `xliff_invalid`, `xliff_does_not_match`
 */
export function readDelivery(secret: Uint8Array, job: Job, { bytes, unfiltered }: HandedIn): Delivery {
  const file = read(bytes);
  const revision = checkOrigin(secret, job, file);
  const ids = new Set(job.fields.map((field) => field.id));
  const known = file.targets.filter((target) => ids.has(target.id));
  checkTargets(job, known, revision);
  const entries = known.map((target) => [target.id, { text: target.text ?? '', state: target.state, ...(unfiltered ? { unfiltered: true } : {}) } satisfies JobTarget] as const);
  return { targets: { ...job.targets, ...Object.fromEntries(entries) }, stale: revision !== job.revision };
}

/** Stores the translation of a job, which can then be applied (status 4). A stale one is flagged (`needs_update`). */
export async function deliver(services: TranslationServices, job: Job, handedIn: HandedIn): Promise<Job> {
  const { targets, stale } = readDelivery(services.ports.config.secret, job, handedIn);
  const warnings = listWarnings(job, targets);
  const [checked = job] = await checkStaleness(services.ports, [job]);
  const update: Operation = {
    op: 'update', collection: 'ml_jobs', id: job.id, version: checked.version,
    values: { targets, status: JOB_STATUS.ready, engine_status: ENGINE_STATUS.translated, needs_update: stale || checked.needs_update },
  };
  const log = warnings.length === 0 ? [] : [toLogEntry(services.ports, job.id, { code: 'tags_differ', message: `Other tags than in the source: ${warnings.join(', ')}` })];
  const [saved] = await services.store.commit([update, ...log]);
  return saved === null || saved === undefined ? job : toJob(saved);
}
