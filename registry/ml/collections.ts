import type { CollectionDescriptor } from '../../lib/store/collection.ts';

/** Translation jobs and what belongs to them, strings of components and their .mo files. Moments are GMT texts `YYYY-MM-DDTHH:MM:SS`. */
export const mlCollections = [
  {
    name: 'ml_jobs',
    fields: {
      type: { type: 'text' }, post: { type: 'integer' }, post_type: { type: 'text' }, source: { type: 'text' }, target: { type: 'text' },
      /** `registry/ml/status.ts`. */
      status: { type: 'integer' }, review_status: { type: 'text' }, needs_update: { type: 'boolean' },
      title: { type: 'text', folded: true }, author: { type: 'integer' }, translator: { type: 'integer' },
      /** `local`, or the name of the translation service. */
      service: { type: 'text' },
      /** Which engine knows the job under which id; '' and 0: none does. */
      engine: { type: 'text' }, engine_job: { type: 'integer' }, engine_status: { type: 'integer' },
      batch: { type: 'integer' }, batch_name: { type: 'text', folded: true },
      sent: { type: 'text' }, deadline: { type: 'text' }, completed: { type: 'text' }, automatic: { type: 'boolean' },
      /** Post and target language while the job is open: no two jobs translate the same at the same time. '' when it is closed. */
      open_key: { type: 'text' },
      /** State of the texts that the job was made from (`toRevision`), and the version of the post that was last compared with it. */
      revision: { type: 'text' }, post_version: { type: 'integer' },
      /** The post that the translation became; 0: none yet. */
      result: { type: 'integer' },
      /** `JobField[]`, and `JobTargets` by the id of the field. */
      fields: { type: 'json' }, targets: { type: 'json' },
    },
    unique: [{ fields: ['open_key'], except: { open_key: '' } }],
    indexes: [['status', 'sent'], ['post'], ['engine', 'engine_job'], ['batch'], ['translator', 'status'], ['source', 'target', 'status']],
  },
  {
    /** `state`: `idle`, or `queued` while its jobs are being looked at. */
    name: 'ml_batches',
    fields: { name: { type: 'text', folded: true }, created: { type: 'text' }, state: { type: 'text' } },
    unique: [{ fields: ['name'] }],
    indexes: [['state']],
  },
  {
    name: 'ml_job_log',
    fields: { job: { type: 'integer' }, date: { type: 'text' }, code: { type: 'text' }, message: { type: 'text' } },
    indexes: [['job', 'date']],
  },
  {
    /** Translation memory: one text per language pair. `hash`: of the source text. `post`, `field`: where it was last used. */
    name: 'ml_memory',
    fields: { pair: { type: 'text' }, hash: { type: 'text' }, post: { type: 'integer' }, field: { type: 'text' }, text: { type: 'text' } },
    unique: [{ fields: ['pair', 'hash'] }],
    indexes: [['pair', 'post', 'field']],
  },
  {
    /** Strings of components. `translations`: locale -> plural forms. `locales`: those it has. */
    name: 'ml_strings',
    fields: {
      hash: { type: 'text' }, domain: { type: 'text' }, context: { type: 'text' }, msgid: { type: 'text' }, plural: { type: 'text' },
      translations: { type: 'json' }, locales: { type: 'texts' },
    },
    unique: [{ fields: ['hash'] }],
    indexes: [['domain']],
  },
  {
    /** .mo files that were read. `state`: `pending`, `partly` (up to `cursor`), `imported` or `skipped`. */
    name: 'ml_mo_files',
    fields: {
      name: { type: 'text' }, domain: { type: 'text' }, locale: { type: 'text' }, hash: { type: 'text' }, state: { type: 'text' },
      cursor: { type: 'integer' }, total: { type: 'integer' },
    },
    unique: [{ fields: ['name'] }],
    indexes: [['state']],
  },
  {
    /** .mo files that were written, when the site keeps them in the store. `bytes`: base64. */
    name: 'ml_mo_output',
    fields: { name: { type: 'text' }, bytes: { type: 'text' } },
    unique: [{ fields: ['name'] }],
  },
] as const satisfies readonly CollectionDescriptor[];
