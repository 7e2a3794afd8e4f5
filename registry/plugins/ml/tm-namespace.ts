import {
  type Namespace,
  type Permission,
  RestResponse,
  defineNamespace,
  invalidParams,
} from '../../../lib/index.ts';
import type { Ports } from '../../plugin.ts';
import { applyTranslations, fixJob, receiveJob } from './delivery/apply-translations.ts';
import { listQueuedBatches, syncBatches } from './delivery/batches.ts';
import { downloadJobs } from './delivery/download-jobs.ts';
import { readEngineJob, storeReports } from './delivery/engine-jobs.ts';
import { syncJobs } from './delivery/sync-jobs.ts';
import { assignJob, cancelJobs } from './jobs/job-changes.ts';
import { createJobs } from './jobs/job-create.ts';
import { downloadTranslation, fetchXliff } from './jobs/job-files.ts';
import { listJobs } from './jobs/job-list.ts';
import type { JobOrder } from './jobs/job-plan.ts';
import { startMachines } from './jobs/machine-queue.ts';
import { retryJobs } from './jobs/retry-jobs.ts';
import { mlError } from './records/errors.ts';
import {
  readEngines,
  readStatus,
  registerManager,
  syncManagers,
  syncTranslators,
  writeEngines,
  type EngineOrder,
} from './services/ams.ts';
import { createTranslationServices, isReceiveToken, type TranslationServices } from './services/services.ts';
import { mlTmDescriptor } from './tm-routes.ts';

/** The list in a request: the body itself, or the named member of an object. */
function toList<T>(
  body: readonly T[] | Readonly<Record<string, unknown>> | undefined,
  member: readonly T[] | undefined,
): readonly T[] {
  return Array.isArray(body) ? (body as readonly T[]) : (member ?? []);
}

function checkOrders(orders: readonly JobOrder[]): void {
  const wrong = orders.findIndex(
    (order) => order.id === undefined && (order.post_id === undefined || order.target_language === undefined),
  );
  if (wrong === -1) return;
  const message = `jobs[${wrong}] must have either id, or post_id and target_language.`;
  throw invalidParams([['jobs', { code: 'rest_invalid_param', message, data: null }]]);
}

/** Allows the engine's callback with the token of the job. Other callers do not learn whether the job exists. */
const mayReceive =
  (services: TranslationServices): Permission =>
  (args) => {
    const id = args['mlJobId'];
    if (typeof id !== 'number' || !isReceiveToken(services.ports.config.secret, id, args['t'])) {
      return mlError('ml_receive_invalid_token', { headers: { 'Cache-Control': 'no-store' } });
    }
    return true;
  };

/**
 * `ml/tm/v1`: translation jobs. They are made from posts, translated by a service or by people, and applied as posts.
 * `config.ml`: `TranslationOptions`.
 * @throws TypeError as `readTranslationOptions`
 */
export function createTmNamespace(ports: Ports): Namespace {
  const services = createTranslationServices(ports);
  startMachines(services);
  return defineNamespace(
    mlTmDescriptor,
    {
      'ml.tm.jobs.list': async (args, call) => new RestResponse(await listJobs(services, args, call)),
      'ml.tm.jobs.assign': (args, call) => assignJob(services, args, call),
      'ml.tm.jobs.cancel': ({ body, jobs }) => cancelJobs(services, toList(body, jobs)),
      'ml.tm.xliff.fetch': (args, call) => fetchXliff(services, args, call),
      'ml.tm.tp.download': (args, call) => downloadTranslation(services, args, call),
      'ml.tm.tp.apply': (args, call) => applyTranslations(services, args, call),
      'ml.tm.tp.batches.sync': ({ batchId }) => syncBatches(services, batchId),
      'ml.tm.tp.batches.status': () => listQueuedBatches(services),
      'ml.tm.ate.jobs.create': async ({ jobs }, call) => {
        checkOrders(jobs);
        return { jobs: Object.fromEntries(await createJobs(services, jobs, call)) };
      },
      'ml.tm.ate.jobs.read': ({ ateJobId }, call) => readEngineJob(services, ateJobId, call),
      'ml.tm.ate.jobs.store': (args, call) => storeReports(services, args, call),
      'ml.tm.ate.jobs.sync': (args, call) => syncJobs(services, args, call),
      'ml.tm.ate.jobs.download': (args, call) => downloadJobs(services, args, call),
      'ml.tm.ate.jobs.retry': ({ jobsToProcess }, call) => retryJobs(services, jobsToProcess, call),
      'ml.tm.ate.jobs.receive': ({ mlJobId }, call) => receiveJob(services, mlJobId, call),
      'ml.tm.ate.jobs.fix': (args, call) => fixJob(services, args, call),
      'ml.tm.ams.register': (_args, call) => registerManager(services, call),
      'ml.tm.ams.translators': () => syncTranslators(services),
      'ml.tm.ams.managers': () => syncManagers(services),
      'ml.tm.ams.status': () => readStatus(services),
      'ml.tm.ams.console': async () => (await services.engine.consoleUrl()) ?? '#',
      'ml.tm.ams.engines.read': () => readEngines(services),
      'ml.tm.ams.engines.write': ({ body, list }) => writeEngines(services, toList<EngineOrder>(body, list)),
    },
    { permissions: { 'ml.tm.receive': mayReceive(services) } },
  );
}
