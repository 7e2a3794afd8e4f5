import type { CollectionDescriptor, RecordOf, StoredRecord } from '../../../../lib/index.ts';

const TEXT = { type: 'text' } as const;
const FOLDED = { type: 'text', folded: true } as const;
const INTEGER = { type: 'integer' } as const;
const JSON_VALUE = { type: 'json' } as const;
const FLAG = { type: 'boolean' } as const;
const TEXTS = { type: 'texts' } as const;

/** Kinds of jobs. */
export const JOB_TYPES = ['post', 'string', 'package', 'st-batch_strings'] as const;

/** Review of a translation that a machine made. It is applied once a person has accepted it. */
export const REVIEW = { needed: 'NEEDS_REVIEW', editing: 'EDITING', accepted: 'ACCEPTED' } as const;

/** Fields of a job, without its texts. Lists read these. */
export const JOB_FIELDS = {
  /** Kind of what is translated: `post`. */
  type: TEXT,
  /** Id of the original. */
  post: { type: 'integer', references: 'posts' },
  /** Content type of the original. */
  post_type: TEXT,
  /** Language of the original. */
  source: TEXT,
  /** Language of the translation. */
  target: TEXT,
  /** What becomes of it: a number in `JOB_STATUS`. */
  status: INTEGER,
  /** Review of a machine's translation; '' if none is needed. */
  review_status: TEXT,
  /** The original changed since the job was made. */
  needs_update: FLAG,
  /** Title of the original. */
  title: FOLDED,
  /** User who ordered it. */
  author: { type: 'integer', references: 'users' },
  /** User who translates; 0 if nobody is assigned. */
  translator: { type: 'integer', references: 'users' },
  /** `local`, or the name of the translation service. */
  service: TEXT,
  /** The engine that has the job, and the job's id there; '' and 0 when no engine has it. */
  engine: TEXT,
  /** Id at the engine; 0 if it was not sent. */
  engine_job: INTEGER,
  /** Status at the engine: `ENGINE_STATUS`. */
  engine_status: INTEGER,
  /** Id of the batch in which it was ordered, and its name. */
  batch: { type: 'integer', references: 'ml_batches' },
  batch_name: FOLDED,
  /** Time of the last order (GMT). */
  sent: TEXT,
  /** Day by which it is due; '' if there is none. */
  deadline: TEXT,
  /** Time of completion (GMT); '' before it. */
  completed: TEXT,
  /** Every text was translated by a machine or the memory. */
  automatic: FLAG,
  /** Post and target language of an open job, so that no two open jobs translate the same text; '' for a closed job. */
  open_key: TEXT,
  /** Revision of the texts that the job was made from (`toRevision`), and the version of the post that was last compared with it. */
  revision: TEXT,
  /** Version of the original when its texts were read. */
  post_version: INTEGER,
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
      fields: JSON_VALUE,
      targets: JSON_VALUE,
      /** `queued` until the machines have translated the job. */
      machine: TEXT,
      /** Similar texts of the memory, `JobMatches` by field id. */
      matches: JSON_VALUE,
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
    fields: { name: FOLDED, created: TEXT, state: TEXT },
    unique: [{ fields: ['name'] }],
    indexes: [['state']],
  },
  {
    name: 'ml_job_log',
    fields: {
      job: { type: 'integer', references: 'ml_jobs' },
      date: TEXT,
      code: TEXT,
      message: TEXT,
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
      pair: TEXT,
      hash: TEXT,
      post: { type: 'integer', references: 'posts' },
      field: TEXT,
      source: TEXT,
      text: TEXT,
      size: INTEGER,
      keys: TEXTS,
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
      key: TEXT,
      term: FOLDED,
      source: TEXT,
      keep: FLAG,
      case_sensitive: FLAG,
      targets: JSON_VALUE,
      languages: TEXTS,
      note: TEXT,
    },
    unique: [{ fields: ['key'] }],
    indexes: [['source', 'term']],
  },
  {
    /** What was last applied to a translation, so that corrections by hand are noticed. `texts`: `AppliedText[]`. `learned`: version of the translation whose corrections are in the memory. */
    name: 'ml_applied',
    fields: {
      post: { type: 'integer', references: 'posts' },
      source: TEXT,
      target: TEXT,
      result: { type: 'integer', references: 'posts' },
      learned: INTEGER,
      texts: JSON_VALUE,
    },
    unique: [{ fields: ['post', 'target'] }],
    indexes: [['result']],
  },
  {
    /** Strings of components. `translations`: locale -> plural forms. `locales`: the locales in `translations`. */
    name: 'ml_strings',
    fields: {
      hash: TEXT,
      domain: TEXT,
      context: TEXT,
      msgid: TEXT,
      plural: TEXT,
      translations: JSON_VALUE,
      locales: TEXTS,
    },
    unique: [{ fields: ['hash'] }],
    indexes: [['domain']],
  },
  {
    /** Imported .mo files. `state`: `pending`, `partly` (up to `cursor`), `imported`, `skipped`, or `removed` for a file that no longer exists. `headers`: by lower-case name. */
    name: 'ml_mo_files',
    fields: {
      name: TEXT,
      domain: TEXT,
      locale: TEXT,
      hash: TEXT,
      state: TEXT,
      cursor: INTEGER,
      total: INTEGER,
      headers: JSON_VALUE,
    },
    unique: [{ fields: ['name'] }],
    indexes: [['state'], ['domain', 'locale']],
  },
  {
    /** Generated .mo files of a site that stores them here. `bytes`: base64. */
    name: 'ml_mo_output',
    fields: { name: TEXT, bytes: TEXT },
    unique: [{ fields: ['name'] }],
  },
] as const satisfies readonly CollectionDescriptor[];

/** A record of the collection of this name. */
export type MlRecord<N extends (typeof ML_COLLECTIONS)[number]['name']> = StoredRecord &
  RecordOf<Extract<(typeof ML_COLLECTIONS)[number], { readonly name: N }>>;
