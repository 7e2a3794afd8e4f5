import type { CollectionDescriptor, RecordOf, StoredRecord } from '../../../../lib/index.ts';

/** Fields of a job, without its texts. Lists read these. */
export const JOB_FIELDS = {
  /** Kind of what is translated: `post`. */
  type: { type: 'text' },
  /** Id of the original. */
  post: { type: 'integer', references: 'posts' },
  /** Content type of the original. */
  post_type: { type: 'text' },
  /** Language of the original. */
  source: { type: 'text' },
  /** Language of the translation. */
  target: { type: 'text' },
  /** What becomes of it: a number in `JOB_STATUS`. */
  status: { type: 'integer' },
  /** Review of a machine's translation; '' if none is needed. */
  review_status: { type: 'text' },
  /** The original changed since the job was made. */
  needs_update: { type: 'boolean' },
  /** Title of the original. */
  title: { type: 'text', folded: true },
  /** User who ordered it. */
  author: { type: 'integer', references: 'users' },
  /** User who translates; 0 if nobody is assigned. */
  translator: { type: 'integer', references: 'users' },
  /** `local`, or the name of the translation service. */
  service: { type: 'text' },
  /** The engine that has the job, and the job's id there; '' and 0 when no engine has it. */
  engine: { type: 'text' },
  /** Id at the engine; 0 if it was not sent. */
  engine_job: { type: 'integer' },
  /** Status at the engine: `ENGINE_STATUS`. */
  engine_status: { type: 'integer' },
  /** Id of the batch in which it was ordered, and its name. */
  batch: { type: 'integer', references: 'ml_batches' },
  batch_name: { type: 'text', folded: true },
  /** Time of the last order (GMT). */
  sent: { type: 'text' },
  /** Day by which it is due; '' if there is none. */
  deadline: { type: 'text' },
  /** Time of completion (GMT); '' before it. */
  completed: { type: 'text' },
  /** Every text was translated by a machine or the memory. */
  automatic: { type: 'boolean' },
  /** Post and target language of an open job, so that no two open jobs translate the same text; '' for a closed job. */
  open_key: { type: 'text' },
  /** Revision of the texts that the job was made from (`toRevision`), and the version of the post that was last compared with it. */
  revision: { type: 'text' },
  /** Version of the original when its texts were read. */
  post_version: { type: 'integer' },
  /** Id of the translated post; 0 when there is none yet. */
  result: { type: 'integer', references: 'posts' },
} as const satisfies CollectionDescriptor['fields'];

/** Translation jobs and their data, strings of components and their .mo files. Times are GMT texts `YYYY-MM-DDTHH:MM:SS`. */
export const ML_COLLECTIONS = [
  {
    name: 'ml_jobs',
    fields: {
      ...JOB_FIELDS,
      /** `StoredField[]`, and `JobTargets` by field id. */
      fields: { type: 'json' },
      targets: { type: 'json' },
      /** `queued` until the machines have translated the job. */
      machine: { type: 'text' },
      /** Similar texts of the memory, `JobMatches` by field id. */
      matches: { type: 'json' },
    },
    unique: [{ fields: ['open_key'], except: { open_key: '' } }],
    indexes: [
      ['status', 'sent'],
      ['machine', 'id'],
      ['post'],
      ['engine', 'engine_job'],
      ['batch'],
      ['translator', 'status'],
      ['source', 'target', 'status'],
    ],
  },
  {
    /** `state`: `idle`, or `queued` until its jobs have been checked. */
    name: 'ml_batches',
    fields: { name: { type: 'text', folded: true }, created: { type: 'text' }, state: { type: 'text' } },
    unique: [{ fields: ['name'] }],
    indexes: [['state']],
  },
  {
    name: 'ml_job_log',
    fields: {
      job: { type: 'integer', references: 'ml_jobs' },
      date: { type: 'text' },
      code: { type: 'text' },
      message: { type: 'text' },
    },
    indexes: [['job', 'date']],
  },
  {
    /**
     * Translation memory: one text per language pair. `hash`: hash of the source text. `post`, `field`: where it was last used. `size`, `keys`:
     * the number of its tokens and its words, by which similar texts are found; 0 and none if it is not compared.
     */
    name: 'ml_memory',
    fields: {
      pair: { type: 'text' },
      hash: { type: 'text' },
      post: { type: 'integer', references: 'posts' },
      field: { type: 'text' },
      source: { type: 'text' },
      text: { type: 'text' },
      size: { type: 'integer' },
      keys: { type: 'texts' },
    },
    unique: [{ fields: ['pair', 'hash'] }],
    indexes: [
      ['pair', 'post', 'field'],
      ['keys', 'size'],
    ],
  },
  {
    /** The glossary. `key`: language and term, in lower case unless capitals matter. `keep`: the term must not be translated. `targets`: translations by language; `languages`: their languages. */
    name: 'ml_glossary',
    fields: {
      key: { type: 'text' },
      term: { type: 'text', folded: true },
      source: { type: 'text' },
      keep: { type: 'boolean' },
      case_sensitive: { type: 'boolean' },
      targets: { type: 'json' },
      languages: { type: 'texts' },
      note: { type: 'text' },
    },
    unique: [{ fields: ['key'] }],
    indexes: [['source', 'term']],
  },
  {
    /** What was last applied to a translation, so that corrections by hand are noticed. `texts`: `AppliedText[]`. `learned`: version of the translation whose corrections are in the memory. */
    name: 'ml_applied',
    fields: {
      post: { type: 'integer', references: 'posts' },
      source: { type: 'text' },
      target: { type: 'text' },
      result: { type: 'integer', references: 'posts' },
      learned: { type: 'integer' },
      texts: { type: 'json' },
    },
    unique: [{ fields: ['post', 'target'] }],
    indexes: [['result']],
  },
  {
    /** Strings of components. `translations`: locale -> plural forms. `locales`: the locales in `translations`. */
    name: 'ml_strings',
    fields: {
      hash: { type: 'text' },
      domain: { type: 'text' },
      context: { type: 'text' },
      msgid: { type: 'text' },
      plural: { type: 'text' },
      translations: { type: 'json' },
      locales: { type: 'texts' },
    },
    unique: [{ fields: ['hash'] }],
    indexes: [['domain']],
  },
  {
    /** Imported .mo files. `state`: `pending`, `partly` (up to `cursor`), `imported`, `skipped`, or `removed` for a file that no longer exists. `headers`: by lower-case name. */
    name: 'ml_mo_files',
    fields: {
      name: { type: 'text' },
      domain: { type: 'text' },
      locale: { type: 'text' },
      hash: { type: 'text' },
      state: { type: 'text' },
      cursor: { type: 'integer' },
      total: { type: 'integer' },
      headers: { type: 'json' },
    },
    unique: [{ fields: ['name'] }],
    indexes: [['state'], ['domain', 'locale']],
  },
  {
    /** Generated .mo files of a site that stores them here. `bytes`: base64. */
    name: 'ml_mo_output',
    fields: { name: { type: 'text' }, bytes: { type: 'text' } },
    unique: [{ fields: ['name'] }],
  },
] as const satisfies readonly CollectionDescriptor[];

/** A record of the collection of this name. */
export type MlRecord<N extends (typeof ML_COLLECTIONS)[number]['name']> = StoredRecord &
  RecordOf<Extract<(typeof ML_COLLECTIONS)[number], { readonly name: N }>>;
