import {
  findInBatches,
  and,
  eq,
  type Json,
  not,
  oneOf,
  type Predicate,
  type Query,
  type Store,
  type StoredRecord,
  StoreError,
} from '../../../../lib/index.ts';
import { findByIds, isObject, own, pause, type Ports, readOption, runInTurns } from '../../../plugin.ts';
import { JOB_STATUS, type JobRow, ROW_FIELDS, setJob, toJobRow } from '../records/job-record.ts';
import {
  type JobField,
  type OpenTerm,
  type PostTexts,
  toJobFields,
  toRevision,
  withMetaRules,
} from '../records/job-texts.ts';
import { readXmlConfig, type XmlConfig } from '../records/xml-config.ts';
import { segmentFields } from '../segments/split-text.ts';

export const CONFIG_OPTION = ['ml', 'custom_xml'] as const;

/** The custom XML configuration; '' when there is none. */
export async function readConfigText(store: Store): Promise<string> {
  return String((await readOption(store, ...CONFIG_OPTION)) ?? '');
}

export const readConfig = async (store: Store): Promise<XmlConfig> =>
  readXmlConfig(await readConfigText(store));

/** The texts of a post record. */
export function toPostTexts(post: StoredRecord): PostTexts {
  const text = (name: string): string => String(own(post, name) ?? '');
  const meta = post['meta'];
  return {
    title: text('title'),
    content: text('content'),
    excerpt: text('excerpt'),
    slug: text('slug'),
    meta: isObject(meta) ? (meta as PostTexts['meta']) : {},
  };
}

const idsOf = (value: Json | undefined): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** The terms of a post. */
export async function readTerms(store: Store, post: StoredRecord): Promise<readonly StoredRecord[]> {
  const ids = [...idsOf(post['categories']), ...idsOf(post['tags']), ...idsOf(post['terms'])];
  return [...(await findByIds(store, { collection: 'terms', ids })).values()];
}

/** Records in the translation groups of these, by group. */
export async function findByGroup(
  store: Store,
  members: readonly StoredRecord[],
  { where, ...query }: Pick<Query, 'collection' | 'fields'> & { readonly where: Predicate },
): Promise<ReadonlyMap<unknown, StoredRecord>> {
  const groups = new Set(members.map(({ group }) => Number(group)).filter((group) => group !== 0));
  if (groups.size === 0) return new Map();
  const { records } = await store.find({ ...query, where: and(oneOf('group', [...groups]), where) });
  return new Map(records.map((record) => [record['group'], record]));
}

/** The existing translations of these terms, by the id of the source term. */
export async function findTranslatedTerms(
  store: Store,
  terms: readonly StoredRecord[],
  target: string,
): Promise<ReadonlyMap<number, StoredRecord>> {
  const query = { collection: 'terms', where: eq('language', target) };
  const translations = await findByGroup(store, terms, query);
  return new Map(
    terms.flatMap((term) => {
      const found = translations.get(term['group']);
      return found !== undefined && found['taxonomy'] === term['taxonomy'] ? [[term.id, found] as const] : [];
    }),
  );
}

/** A term without a language belongs to every language and can be translated from any. */
export const isTranslatable = (term: StoredRecord, source: string): boolean =>
  term['language'] === '' || term['language'] === source;

const toOpenTerm = (term: StoredRecord): OpenTerm => ({
  id: term.id,
  taxonomy: String(term['taxonomy']),
  name: String(term['name']),
});

/** The texts that a job of this post is made from. `revision` does not depend on which terms have translations. */
interface SourceTexts {
  readonly fields: readonly JobField[];
  readonly revision: string;
}

/** Reads the texts that a job into this language translates. Terms with a translation are left out. */
export async function readSource(
  store: Store,
  post: StoredRecord,
  { target, config }: { target: string; config: XmlConfig },
): Promise<SourceTexts> {
  const terms = (await readTerms(store, post)).filter((term) =>
    isTranslatable(term, String(post['language'])),
  );
  const done = await findTranslatedTerms(store, terms, target);
  const texts = toPostTexts(post);
  return {
    fields: await runInTurns(
      segmentFields(toJobFields(texts, terms.filter((term) => !done.has(term.id)).map(toOpenTerm), config)),
    ),
    revision: toRevision(toJobFields(texts, terms.map(toOpenTerm), config)),
  };
}

const SLICE = 100;

interface Comparison {
  readonly id: number;
  readonly values: { readonly post_version: number; readonly needs_update: boolean };
}

async function compareTexts(
  { store, content }: Ports,
  job: JobRow,
  config: XmlConfig,
): Promise<Comparison | null> {
  const post = await store.get('posts', job.post);
  if (post === null) return null;
  const { revision } = await readSource(store, post, {
    target: job.target,
    config: withMetaRules(config, content, String(post['type'])),
  });
  return { id: job.id, values: { post_version: post.version, needs_update: revision !== job.revision } };
}

/** A post that cannot be read must not stop the check of the others; its job stays unchanged. */
async function compare(ports: Ports, job: JobRow, config: XmlConfig): Promise<Comparison | null> {
  try {
    return await compareTexts(ports, job, config);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    ports.log({
      level: 'error',
      message: `comparing translation job ${job.id} with post ${job.post} failed; it stays as it is`,
      error,
    });
    return null;
  }
}

/** Stores the results. A store that rejects writes must not fail the request, because the next check finds the same. */
async function keep(store: Store, found: readonly Comparison[]): Promise<ReadonlyMap<number, number>> {
  try {
    const saved = await store.commit(found.map(({ id, values }) => setJob(id, values)));
    return new Map(
      saved.flatMap((record) => (record === null ? [] : [[record.id, record.version] as const])),
    );
  } catch (error) {
    if (error instanceof StoreError && ['full', 'unavailable', 'unknown'].includes(error.code))
      return new Map();
    throw error;
  }
}

async function findChanged<T extends JobRow>(store: Store, jobs: readonly T[]): Promise<readonly T[]> {
  const posts = await findByIds(store, {
    collection: 'posts',
    ids: jobs.map(({ post }) => post),
    fields: [],
  });
  return jobs.filter(({ post, post_version: version }) => (posts.get(post)?.version ?? version) !== version);
}

/**
 * Detects posts that changed after their jobs were made, and flags the jobs (`needs_update`). A post is read only if its
 * version differs from the one last compared.
 * @returns the checked jobs in their current state
 */
export async function checkStaleness<T extends JobRow>(
  ports: Ports,
  jobs: readonly T[],
): Promise<readonly T[]> {
  const { store } = ports;
  const changed = jobs.length === 0 ? [] : await findChanged(store, jobs);
  if (changed.length === 0) return jobs;
  const config = await readConfig(store);
  const found = (await Promise.all(changed.map((job) => compare(ports, job, config)))).filter(
    (each) => each !== null,
  );
  const versions = await keep(store, found);
  const byId = new Map(found.map((each) => [each.id, each.values]));
  return jobs.map((job) => {
    const values = byId.get(job.id);
    return values === undefined ? job : { ...job, ...values, version: versions.get(job.id) ?? job.version };
  });
}

/** Checks every job that is not cancelled, a hundred at a time. */
export async function checkAllStaleness(ports: Ports, signal: AbortSignal): Promise<void> {
  const query = {
    collection: 'ml_jobs',
    where: not(eq('status', JOB_STATUS.cancelled)),
    fields: ROW_FIELDS,
    limit: SLICE,
  };
  for await (const records of findInBatches(ports.store, query)) {
    if (signal.aborted) return;
    await checkStaleness(ports, records.map(toJobRow));
    await pause();
  }
}
