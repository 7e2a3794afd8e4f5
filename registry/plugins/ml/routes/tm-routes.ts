import type { Handlers, NamespaceDescriptor } from '../../../../lib/index.ts';
import { JOB_TYPES } from '../records/collections.ts';
import { XLIFF_VERSIONS } from '../xliff/xliff-write.ts';
import {
  engineAnswers,
  ID,
  ids,
  jobAnswers,
  JOB_ORDER,
  JOB_REPORT,
  jobReferences,
  undeclared,
} from './tm-schemas.ts';

/** A file of 5 MiB in base64, and what is around it. */
const MAX_STORED_BYTES = 7 * 1024 * 1024;

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
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.ate.jobs.store',
          permission: 'translate',
          summary: 'Store what the translation editor reports about a job',
          description:
            'Records the ID and the status that the translation editor gave a job, and takes in its translated XLIFF file if one is delivered.',
          args: {
            ml_job_id: { description: 'ID of the translation job.', type: 'string', required: true },
            ate_job_data: {
              description: 'List of records of the translation editor about the job.',
              type: 'array',
              required: true,
            },
          },
          // Other types are bodies without args.
          accepts: {
            'application/json': 'args',
            'application/x-www-form-urlencoded': 'args',
            'application/*': 'bytes',
            'text/*': 'bytes',
          },
          maxBodyBytes: MAX_STORED_BYTES,
          body: {
            ml_job_id: { type: 'string', pattern: '^[1-9]\\d{0,14}$', required: true },
            ate_job_data: { type: 'array', maxItems: 20, required: true, items: JOB_REPORT },
          },
          answers: { 200: jobAnswers.stored },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/xliff/fetch/(?P<jobId>\\d+)',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.xliff.fetch',
          permission: 'translate',
          summary: 'Get the XLIFF file of a job',
          description: 'Returns the texts of a job as an XLIFF file in base64, ready for a translation tool.',
          args: {},
          body: { jobId: PATH_ID, version: { type: 'string', enum: XLIFF_VERSIONS, default: '1.2' } },
          answers: { 200: jobAnswers.xliff },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ams/register_manager',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.ams.register',
          permission: 'manage_translations',
          summary: 'Register the caller as translation manager',
          description:
            'Registers this site with the translation service, with the calling user as its manager.',
          args: {},
          answers: { 200: engineAnswers.register },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ams/synchronize/translators',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.ams.translators',
          effect: 'write',
          permission: 'manage_translations',
          summary: 'Synchronise the translators',
          description:
            'Tells the translation service which users may translate, and returns for each of them whether the service has a subscription.',
          args: {},
          answers: { 200: engineAnswers.translators },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ams/synchronize/managers',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.ams.managers',
          effect: 'write',
          permission: 'manage_translations',
          summary: 'Synchronise the translation managers',
          description:
            'Tells the translation service which users manage translations, and returns for each of them whether the service has a subscription.',
          args: {},
          answers: { 200: engineAnswers.managers },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ams/status',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.ams.status',
          permission: 'manage_translations',
          summary: 'Get the state of the translation service',
          description:
            'Tells whether the translation service is activated, and how many translators, managers and open jobs it has.',
          args: {},
          answers: { 200: engineAnswers.status },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ams/console',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.ams.console',
          permission: 'manage_translations',
          summary: 'Get the address of the service console',
          description:
            'Returns the address at which a manager administers the translation service, or # if there is none.',
          args: {},
          answers: { 200: engineAnswers.console },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ams/engines',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.ams.engines.read',
          permission: 'manage_translations',
          summary: 'List the machine translation engines',
          description:
            'Returns the engines that can translate automatically, in order of preference, with the languages of each and whether it is enabled.',
          args: {},
          answers: { 200: engineAnswers.engines },
        },
        {
          methods: ['POST'],
          handler: 'ml.tm.ams.engines.write',
          permission: 'manage_translations',
          summary: 'Choose the machine translation engines',
          description: 'Saves which engines are enabled and in which order they are tried.',
          args: {},
          bodyForm: 'array',
          body: { body: undeclared.engineOrders, list: undeclared.engineList },
          answers: { 200: engineAnswers.engines },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.ate.jobs.create',
          permission: 'manage_translations',
          summary: 'Create translation jobs',
          description:
            'Creates a job for each given post and target language, or sends a known job again, and returns the IDs that the translation service gave them.',
          args: {},
          body: { jobs: { type: 'array', minItems: 1, maxItems: 100, required: true, items: JOB_ORDER } },
          answers: { 200: jobAnswers.created },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/(?P<ateJobId>\\d+)',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.ate.jobs.read',
          permission: 'translate',
          summary: 'Get a job of the translation service',
          description:
            'Returns the status and languages of the job with this ID of the translation service, and the address of its translated file once there is one.',
          args: {},
          body: { ateJobId: PATH_ID },
          answers: { 200: jobAnswers.engineJob },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/jobs',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.jobs.list',
          permission: 'translate',
          summary: 'List the translation jobs',
          description:
            'Returns the jobs that the caller may see, filtered by language, status, title, translator or date, and sorted by the given columns.',
          args: {
            local_job_ids: { description: 'IDs of local jobs, separated by commas.', type: 'string' },
            scope: {
              description: 'Where the jobs are translated: all, local, remote or ate.',
              type: 'string',
            },
            id: { description: 'Only the job with this ID.', type: 'integer' },
            title: { description: 'Text to look for in the titles of the jobs.', type: 'string' },
            source_language: { description: 'Code of the language to translate from.', type: 'string' },
            target_language: {
              description: 'Codes of the languages to translate into, separated by commas.',
              type: 'string',
            },
            status: { description: 'Numbers of job statuses, separated by commas.', type: 'string' },
            needs_update: {
              description: 'Whether jobs whose original has changed are included or excluded.',
              type: 'string',
            },
            limit: { description: 'Maximum number of jobs in the response.', type: 'integer' },
            offset: { description: 'Number of jobs to skip.', type: 'integer' },
            sorting: { description: 'Columns to sort by, each with asc or desc.' },
            translated_by: {
              description: 'ID of the translator or name of the translation service.',
              type: 'string',
            },
            sent_from: { description: 'Only jobs sent on or after this date.', type: 'string' },
            sent_to: { description: 'Only jobs sent on or before this date.', type: 'string' },
            deadline_from: { description: 'Only jobs due on or after this date.', type: 'string' },
            deadline_to: { description: 'Only jobs due on or before this date.', type: 'string' },
          },
          body: undeclared.jobFilter,
          answers: { 200: jobAnswers.list },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/jobs/assign',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.jobs.assign',
          permission: 'translate',
          summary: 'Assign a job to a translator',
          description:
            'Gives a job to a translator of its languages or takes it back; translators can take a free job themselves.',
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
          answers: { 200: jobAnswers.assigned },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/jobs/cancel',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.jobs.cancel',
          permission: 'manage_translations',
          summary: 'Cancel translation jobs',
          description:
            'Cancels the given jobs, except those that are already complete, and returns the jobs that were cancelled.',
          args: {},
          bodyForm: 'array',
          body: { body: jobReferences, jobs: { type: 'array', maxItems: 200 } },
          answers: { 200: jobAnswers.cancelled },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/tp/xliff/download/(?P<job_id>\\d+)/(?P<job_type>\\w+)',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.tp.download',
          permission: 'translate',
          summary: 'Download a finished translation',
          description:
            'Returns the translation of a finished job, as an XLIFF file or as a JSON list of sources and targets.',
          args: {
            job_id: { description: 'ID of the translated job.', required: true },
            job_type: { description: 'Type of the translated job.', required: true },
            json: { description: 'Whether to return JSON instead of an XLIFF file.', type: 'boolean' },
          },
          body: {
            job_id: { type: 'integer', required: true },
            job_type: { type: 'string', enum: JOB_TYPES, required: true },
          },
          answers: { 200: jobAnswers.translation },
          produces: ['application/x-xliff+xml'],
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/tp/apply-translations',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.tp.apply',
          permission: 'translate',
          summary: 'Apply finished translations',
          description:
            'Writes the finished translations of the given jobs, of one original or of all jobs into translated posts, and reports those that failed.',
          args: {},
          bodyForm: 'array',
          body: {
            body: jobReferences,
            jobs: { type: 'array', maxItems: 200 },
            original_element_id: { type: 'integer', minimum: 1 },
            element_type: { type: 'string', maxLength: 100 },
            overwrite: { type: 'boolean' },
          },
          answers: { 200: jobAnswers.applied },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/tp/batches/sync',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.tp.batches.sync',
          permission: 'translate',
          summary: 'Refresh batches of jobs',
          description:
            'Queues the given batches, so that their delivered translations become ready to be applied.',
          args: { batchId: { description: 'IDs of the batches to refresh.', required: true } },
          body: { batchId: { ...ids, minItems: 1, required: true } },
          answers: { 200: ids },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/tp/batches/status',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.tp.batches.status',
          permission: 'translate',
          summary: 'List the batches that are still being refreshed',
          description:
            'Returns the IDs of the batches whose refresh has not finished, or an empty list if all have.',
          args: {},
          answers: { 200: ids },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/sync',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.ate.jobs.sync',
          permission: 'translate',
          summary: 'Synchronise the status of open jobs',
          description:
            'Asks the translation service page by page for the status of the open jobs, under a lock that only one caller at a time can hold.',
          args: {
            lockKey: { description: 'Key of the lock, as returned by the first call.', type: 'string' },
            ateToken: { description: 'Token of the running synchronisation.', type: 'string' },
            page: { description: 'Page of jobs to synchronise.', type: 'int' },
            numberOfPages: { description: 'Total number of pages.', type: 'int' },
          },
          body: {
            lockKey: { type: 'string', maxLength: 100 },
            ateToken: { type: 'string', maxLength: 100 },
            nextPage: { type: 'integer', minimum: 1 },
            includeManualAndLongstandingJobs: { type: 'boolean', default: true },
          },
          answers: { 200: jobAnswers.synced },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/download',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.ate.jobs.download',
          permission: 'translate',
          summary: 'Fetch and apply delivered translations',
          description:
            'Fetches the translated files of the given jobs, applies them to the translated posts, and returns the jobs for which that succeeded.',
          args: {},
          body: { lockKey: { type: 'string', maxLength: 100 }, jobs: undeclared.downloads },
          answers: { 200: jobAnswers.downloaded },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/retry',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'ml.tm.ate.jobs.retry',
          permission: 'translate',
          summary: 'Send failed jobs again',
          description:
            'Sends up to ten jobs again that the translation service did not accept, and returns those that are left.',
          args: {},
          body: { jobsToProcess: ids },
          answers: { 200: jobAnswers.retried },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/receive/(?P<mlJobId>\\d+)',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.ate.jobs.receive',
          permission: 'ml.tm.receive',
          effect: 'write',
          tool: false,
          summary: 'Receive a translation that is ready',
          description:
            'Fetches the translation of a job and applies it to the translated post, when the translation service calls with the token of the job.',
          args: {
            mlJobId: {
              description: 'ID of the job whose translation is ready.',
              type: 'int',
              required: true,
            },
          },
          body: { t: { type: 'string', maxLength: 200 } },
          answers: { 200: { type: 'null' } },
        },
      ],
    },
    {
      pattern: '/ml/tm/v1/ate/jobs/(?P<ateJobId>\\d+)/fix',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'ml.tm.ate.jobs.fix',
          effect: 'write',
          permission: 'translate',
          summary: 'Apply the translation of a stuck job again',
          description:
            'Fetches and applies the translation of a job that was delivered but not completed, and gives the reason if that fails again.',
          args: {},
          body: { ateJobId: PATH_ID, jobId: { type: 'integer' } },
          answers: { 200: jobAnswers.fixed },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

type TmHandlers = Handlers<typeof mlTmDescriptor>;

/** The validated parameters of the endpoint with this handler. */
export type TmArgs<Id extends keyof TmHandlers> = Parameters<TmHandlers[Id]>[0];
