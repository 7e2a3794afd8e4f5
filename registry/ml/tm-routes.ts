import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import { JOB_TYPES } from './status.ts';
import { engineAnswers, ID, ids, jobAnswers, JOB_ORDER, JOB_REPORT, jobReferences, undeclared } from './tm-schemas.ts';
import { XLIFF_VERSIONS } from './xliff/xliff-write.ts';

/** An id in the path that the index does not list. */
const PATH_ID = { type: 'integer' } as const;

/**
 * Routes of `ml/tm/v1`. Most of them require `translate`. Which jobs a translator may see and change is decided
 * for each job.
 */
export const mlTmDescriptor = {
  namespace: 'ml/tm/v1',
  routes: [
    {
      pattern: '/ml/tm/v1/ate/jobs/store',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.ate.jobs.store', permission: 'translate',
        args: {
          ml_job_id: { description: 'ID of the translation job.', type: 'string', required: true },
          ate_job_data: { description: 'List of records of the translation editor about the job.', type: 'array', required: true },
        },
        body: {
          ml_job_id: { type: 'string', pattern: '^[1-9]\\d{0,14}$', required: true },
          ate_job_data: { type: 'array', maxItems: 20, required: true, items: JOB_REPORT },
        },
        answer: { type: 'boolean', enum: [true] },
      }],
    },
    {
      pattern: '/ml/tm/v1/xliff/fetch/(?P<jobId>\\d+)',
      endpoints: [{
        methods: ['GET'], handler: 'ml.tm.xliff.fetch', permission: 'translate', args: {},
        body: { jobId: PATH_ID, version: { type: 'string', enum: XLIFF_VERSIONS, default: '1.2' } },
        answer: jobAnswers.xliff,
      }],
    },
    {
      pattern: '/ml/tm/v1/ams/register_manager',
      endpoints: [{ methods: ['POST'], handler: 'ml.tm.ams.register', permission: 'manage_translations', args: {}, answer: engineAnswers.register }],
    },
    {
      pattern: '/ml/tm/v1/ams/synchronize/translators',
      endpoints: [{ methods: ['GET'], handler: 'ml.tm.ams.translators', permission: 'manage_translations', args: {}, answer: engineAnswers.translators }],
    },
    {
      pattern: '/ml/tm/v1/ams/synchronize/managers',
      endpoints: [{ methods: ['GET'], handler: 'ml.tm.ams.managers', permission: 'manage_translations', args: {}, answer: engineAnswers.managers }],
    },
    {
      pattern: '/ml/tm/v1/ams/status',
      endpoints: [{ methods: ['GET'], handler: 'ml.tm.ams.status', permission: 'manage_translations', args: {}, answer: engineAnswers.status }],
    },
    {
      pattern: '/ml/tm/v1/ams/console',
      endpoints: [{ methods: ['GET'], handler: 'ml.tm.ams.console', permission: 'manage_translations', args: {}, answer: engineAnswers.console }],
    },
    {
      pattern: '/ml/tm/v1/ams/engines',
      endpoints: [
        { methods: ['GET'], handler: 'ml.tm.ams.engines.read', permission: 'manage_translations', args: {}, answer: engineAnswers.engines },
        {
          methods: ['POST'], handler: 'ml.tm.ams.engines.write', permission: 'manage_translations', args: {}, bodyForm: 'array',
          body: { body: undeclared.engineOrders, list: undeclared.engineList }, answer: engineAnswers.engines,
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.ate.jobs.create', permission: 'manage_translations', args: {},
        body: { jobs: { type: 'array', minItems: 1, maxItems: 100, required: true, items: JOB_ORDER } },
        answer: jobAnswers.created,
      }],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/(?P<ateJobId>\\d+)',
      endpoints: [{ methods: ['GET'], handler: 'ml.tm.ate.jobs.read', permission: 'translate', args: {}, body: { ateJobId: PATH_ID }, answer: jobAnswers.engineJob }],
    },
    {
      pattern: '/ml/tm/v1/jobs',
      endpoints: [{
        methods: ['GET'], handler: 'ml.tm.jobs.list', permission: 'translate',
        args: {
          local_job_ids: { description: 'IDs of local jobs, separated by commas.', type: 'string' },
          scope: { description: 'Where the jobs are translated: all, local, remote or ate.', type: 'string' },
          id: { description: 'Only the job with this ID.', type: 'integer' },
          title: { description: 'Text to look for in the titles of the jobs.', type: 'string' },
          source_language: { description: 'Code of the language to translate from.', type: 'string' },
          target_language: { description: 'Codes of the languages to translate into, separated by commas.', type: 'string' },
          status: { description: 'Numbers of job statuses, separated by commas.', type: 'string' },
          needs_update: { description: 'Whether jobs whose original has changed are included or excluded.', type: 'string' },
          limit: { description: 'Maximum number of jobs in the response.', type: 'integer' },
          offset: { description: 'Number of jobs to skip.', type: 'integer' },
          sorting: { description: 'Columns to sort by, each with asc or desc.' },
          translated_by: { description: 'ID of the translator or name of the translation service.', type: 'string' },
          sent_from: { description: 'Only jobs sent on or after this date.', type: 'string' },
          sent_to: { description: 'Only jobs sent on or before this date.', type: 'string' },
          deadline_from: { description: 'Only jobs due on or after this date.', type: 'string' },
          deadline_to: { description: 'Only jobs due on or before this date.', type: 'string' },
        },
        body: undeclared.jobFilter,
        answer: jobAnswers.list,
      }],
    },
    {
      pattern: '/ml/tm/v1/jobs/assign',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.jobs.assign', permission: 'translate',
        args: {
          jobId: { description: 'ID of the job to assign.', required: true },
          type: { description: 'Type of the job: post, string, package or st-batch_strings.' },
          translatorId: { description: 'ID of the translator; 0 removes the assignment.', required: true },
        },
        body: {
          jobId: ID,
          type: { type: 'string', enum: JOB_TYPES, default: 'post' },
          translatorId: { type: 'integer', minimum: 0, required: true },
        },
        answer: jobAnswers.assigned,
      }],
    },
    {
      pattern: '/ml/tm/v1/jobs/cancel',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.jobs.cancel', permission: 'manage_translations', args: {}, bodyForm: 'array',
        body: { body: jobReferences, jobs: { type: 'array', maxItems: 200 } }, answer: jobAnswers.cancelled,
      }],
    },
    {
      pattern: '/ml/tm/v1/tp/xliff/download/(?P<job_id>\\d+)/(?P<job_type>\\w+)',
      endpoints: [{
        methods: ['GET'], handler: 'ml.tm.tp.download', permission: 'translate',
        args: {
          job_id: { description: 'ID of the translated job.', required: true },
          job_type: { description: 'Type of the translated job.', required: true },
          json: { description: 'Whether to return JSON instead of an XLIFF file.', type: 'boolean' },
        },
        body: { job_id: { type: 'integer', required: true }, job_type: { type: 'string', enum: JOB_TYPES, required: true } },
        answer: jobAnswers.translation,
      }],
    },
    {
      pattern: '/ml/tm/v1/tp/apply-translations',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.tp.apply', permission: 'translate', args: {}, bodyForm: 'array',
        body: {
          body: jobReferences, jobs: { type: 'array', maxItems: 200 }, original_element_id: { type: 'integer', minimum: 1 },
          element_type: { type: 'string', maxLength: 100 },
        },
        answer: jobAnswers.applied,
      }],
    },
    {
      pattern: '/ml/tm/v1/tp/batches/sync',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.tp.batches.sync', permission: 'translate',
        args: { batchId: { description: 'IDs of the batches to refresh.', required: true } },
        body: { batchId: { ...ids, minItems: 1, required: true } },
        answer: ids,
      }],
    },
    {
      pattern: '/ml/tm/v1/tp/batches/status',
      endpoints: [{ methods: ['GET'], handler: 'ml.tm.tp.batches.status', permission: 'translate', args: {}, answer: ids }],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/sync',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.ate.jobs.sync', permission: 'translate',
        args: {
          lockKey: { description: 'Key of the lock, as returned by the first call.', type: 'string' },
          ateToken: { description: 'Token of the running synchronisation.', type: 'string' },
          page: { description: 'Page of jobs to synchronise.', type: 'int' },
          numberOfPages: { description: 'Total number of pages.', type: 'int' },
        },
        body: {
          lockKey: { type: 'string', maxLength: 100 }, ateToken: { type: 'string', maxLength: 100 }, nextPage: { type: 'integer', minimum: 1 }, includeManualAndLongstandingJobs: { type: 'boolean', default: true },
        },
        answer: jobAnswers.synced,
      }],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/download',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.ate.jobs.download', permission: 'translate', args: {},
        body: { lockKey: { type: 'string', maxLength: 100 }, jobs: undeclared.downloads },
        answer: jobAnswers.downloaded,
      }],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/retry',
      endpoints: [{
        methods: ['POST'], handler: 'ml.tm.ate.jobs.retry', permission: 'translate', args: {}, body: { jobsToProcess: ids }, answer: jobAnswers.retried,
      }],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/receive/(?P<mlJobId>\\d+)',
      endpoints: [{
        methods: ['GET'], handler: 'ml.tm.ate.jobs.receive', permission: 'ml.tm.receive',
        args: { mlJobId: { description: 'ID of the job whose translation is ready.', type: 'int', required: true } },
        body: { t: { type: 'string', maxLength: 200 } },
        answer: { type: 'null' },
      }],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/(?P<ateJobId>\\d+)/fix',
      endpoints: [{ methods: ['GET'], handler: 'ml.tm.ate.jobs.fix', permission: 'translate', args: {}, body: { ateJobId: PATH_ID, jobId: { type: 'integer' } }, answer: jobAnswers.fixed }],
    },
  ],
} as const satisfies NamespaceDescriptor;
