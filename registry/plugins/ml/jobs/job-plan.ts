import type { Identity, ValueOf, Values } from '../../../../lib/index.ts';
import { type PostRecord, own, pause, toPost } from '../../../plugin.ts';
import { checkTranslator } from '../engine/engine.ts';
import { prefill } from '../engine/text-engine.ts';
import { readCorrections } from '../memory/corrections.ts';
import { readConfig, readSource } from '../posts/source-texts.ts';
import { REVIEW } from '../records/collections.ts';
import { findUnknownLanguage, jobError, mlError } from '../records/errors.ts';
import {
  type Job,
  JOB_STATUS,
  type JobTargets,
  findJob,
  toMoment,
  CANCELLED_STATUSES,
} from '../records/job-record.ts';
import { type JobField, toStoredFields, withMetaRules } from '../records/job-texts.ts';
import type { XmlConfig } from '../records/xml-config.ts';
import type { JOB_ORDER } from '../routes/tm-schemas.ts';
import type { TranslationServices } from '../services/services.ts';
import { QUEUED } from './machine-queue.ts';

/** One item of a request for jobs: `id` sends an existing job, `post_id` creates one. */
export type JobOrder = ValueOf<typeof JOB_ORDER>;

/** A job to be written. `current` is null for a new job. */
export interface JobPlan {
  readonly current: Job | null;
  readonly batchName: string;
  readonly openKey: string;
  readonly values: Values;
}

interface Ordering {
  readonly services: TranslationServices;
  readonly identity: Identity;
  readonly config: XmlConfig;
}

/** A caller who sends a post to translation must be allowed to read all of it. */
function mayReadAll({ services: { kinds }, identity }: Ordering, post: PostRecord): boolean {
  const rights = kinds.get(post.type)?.rights;
  if (
    rights === undefined ||
    post.status === 'trash' ||
    post.status === 'auto-draft' ||
    !rights.mayRead(identity, post)
  )
    return false;
  return post.password === '' || rights.mayEdit(identity, post);
}

async function readPost(ordering: Ordering, id: number): Promise<PostRecord> {
  const record = await ordering.services.store.get('posts', id);
  if (record === null || !mayReadAll(ordering, toPost(record)))
    throw mlError('ml_post_not_found', { data: { post_id: id } });
  return toPost(record);
}

/** @throws RestError for a language that the site does not have, and for equal languages */
function checkLanguages({ services }: Ordering, order: JobOrder, source: string): string {
  const { source_language: named = source, target_language: target = '' } = order;
  const fault = findUnknownLanguage(services.config.languages, [named, target]);
  if (fault !== null) throw fault;
  if (named !== source)
    throw mlError('ml_language_unknown', {
      message: `The language of the post is "${source}", not "${named}".`,
      data: { language: named },
    });
  if (target === source) throw mlError('ml_same_language', { data: { language: target } });
  return target;
}

/** What a job is made from. `job`: null for a new one. */
interface Subject {
  readonly post: PostRecord;
  readonly target: string;
  readonly job: Job | null;
}

const isComplete = (fields: readonly JobField[], targets: JobTargets): boolean =>
  fields.every(({ id }) => own(targets, id) !== undefined && own(targets, id)?.memory !== 'outdated');

/** First translations of a job. Translations of unchanged texts and corrections by hand are kept. `automatic`: all texts are translated, and a machine took part. */
async function readTargets(
  { services, config }: Ordering,
  { post, job, target }: Subject,
  fields: readonly JobField[],
) {
  const sources = new Map(job?.fields.map(({ id, source }) => [id, source]));
  const corrections = await readCorrections(services.store, post.id, target);
  const kept: JobTargets = Object.fromEntries(
    fields.flatMap(({ id, source }) => {
      const known = sources.get(id) === source ? own(job?.targets ?? {}, id) : undefined;
      const corrected = corrections.get(source);
      if (corrected !== undefined && corrected !== known?.text)
        return [[id, { text: corrected, state: 'initial', memory: 'current' } as const] as const];
      return known === undefined ? [] : [[id, known] as const];
    }),
  );
  const {
    targets: found,
    matches,
    isPending,
  } = await prefill(
    services.store,
    { engines: services.textEngines, machines: false },
    {
      post: post.id,
      source: post.language,
      target,
      fields: fields.filter(({ id }) => !Object.hasOwn(kept, id)),
      isShortcode: (name) => services.shortcodes.has(name) || config.shortcodes.includes(name),
    },
  );
  const targets: JobTargets = { ...found, ...kept };
  return { targets, matches, isPending, automatic: isComplete(fields, targets) && job?.automatic === true };
}

/** The data that is read from the post each time a job is created or sent. */
async function readSnapshot(ordering: Ordering, subject: Subject) {
  const { services, config: common } = ordering;
  const { post, target } = subject;
  const config = withMetaRules(common, services.content, post.type);
  if (config.types.get(post.type) === false)
    throw mlError('ml_type_not_translatable', { data: { post_id: post.id } });
  const { fields, revision } = await readSource(services.store, post, { target, config });
  if (fields.length === 0) throw mlError('ml_xliff_no_translation_units', { data: { post_id: post.id } });
  const { targets, automatic, isPending, matches } = await readTargets(ordering, subject, fields);
  return {
    fields: toStoredFields(fields),
    targets,
    matches,
    revision,
    post_version: post.version,
    title: post.title,
    needs_update: false,
    automatic,
    review_status: automatic ? REVIEW.needed : '',
    sent: toMoment(services.now()),
    status: isPending ? JOB_STATUS.inProgress : JOB_STATUS.retry,
    machine: isPending ? QUEUED : '',
    open_key: `${post.id}:${target}`,
    engine: '',
    engine_job: 0,
    engine_status: 0,
    completed: '',
  };
}

async function planNew(ordering: Ordering, order: JobOrder): Promise<JobPlan> {
  const { services, identity } = ordering;
  const post = await readPost(ordering, order.post_id ?? 0);
  const source = post.language;
  const target = checkLanguages(ordering, order, source);
  const translator = order.translator_id ?? 0;
  if (translator !== 0) await checkTranslator(services.store, translator, { source, target });
  const snapshot = await readSnapshot(ordering, { post, target, job: null });
  const values = {
    ...snapshot,
    type: 'post',
    post: post.id,
    post_type: post.type,
    source,
    target,
    author: identity.id,
    translator,
    service: 'local',
    deadline: order.deadline ?? '',
    result: 0,
  };
  return { current: null, batchName: order.batch_name?.trim() ?? '', openKey: snapshot.open_key, values };
}

/** An existing job is rebuilt from the current post. */
async function planKnown(ordering: Ordering, order: JobOrder): Promise<JobPlan> {
  const { services } = ordering;
  const { id = 0 } = order;
  const job = await findJob(services.store, id);
  if (job === null) throw jobError('ml_job_not_found', id);
  if (CANCELLED_STATUSES.has(job.status)) throw jobError('ml_job_closed', id);
  const post = await readPost(ordering, job.post);
  const values = await readSnapshot(ordering, { post, target: job.target, job });
  return {
    current: job,
    batchName: job.batch_name,
    openKey: values.open_key,
    values: { ...values, deadline: order.deadline ?? job.deadline },
  };
}

/**
 * Plans what each order changes in the store; writes nothing.
 * @throws RestError for the first order that cannot be accepted
 */
export async function planJobs(
  services: TranslationServices,
  identity: Identity,
  orders: readonly JobOrder[],
): Promise<readonly JobPlan[]> {
  const ordering: Ordering = { services, identity, config: await readConfig(services.store) };
  const plans: JobPlan[] = [];
  for (const order of orders) {
    plans.push(await (order.id === undefined ? planNew(ordering, order) : planKnown(ordering, order)));
    await pause();
  }
  const keys = plans.map((plan) => plan.openKey);
  if (new Set(keys).size < keys.length)
    throw mlError('ml_job_exists', { message: 'The request has two jobs for the same post and language.' });
  return plans;
}
