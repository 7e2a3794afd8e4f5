import { type Json, type Store, type StoredRecord, and, eq, oneOf } from '../../../../lib/index.ts';
import { createPause, own, readOption, runInTurns } from '../../../plugin.ts';
import {
  toJobFields,
  toRevision,
  type JobField,
  type OpenTerm,
  type PostTexts,
} from '../records/job-fields.ts';
import { segmentFields } from '../segments/segment-fields.ts';
import { readXmlConfig, type XmlConfig } from '../xml-config/xml-config.ts';

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
  const isMembers = typeof meta === 'object' && meta !== null && !Array.isArray(meta);
  return {
    title: text('title'),
    content: text('content'),
    excerpt: text('excerpt'),
    slug: text('slug'),
    meta: isMembers ? (meta as Readonly<Record<string, Json>>) : {},
  };
}

const idsOf = (value: Json | undefined): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** The terms of a post. */
export async function readTerms(store: Store, post: StoredRecord): Promise<readonly StoredRecord[]> {
  const ids = [...idsOf(post['categories']), ...idsOf(post['tags']), ...idsOf(post['terms'])];
  if (ids.length === 0) return [];
  return (await store.find({ collection: 'terms', where: oneOf('id', ids) })).records;
}

/** The existing translations of these terms, by the id of the source term. */
export async function findTranslatedTerms(
  store: Store,
  terms: readonly StoredRecord[],
  target: string,
): Promise<ReadonlyMap<number, StoredRecord>> {
  const groups = [...new Set(terms.map((term) => Number(term['group'])).filter((group) => group !== 0))];
  if (groups.length === 0) return new Map();
  const { records } = await store.find({
    collection: 'terms',
    where: and(oneOf('group', groups), eq('language', target)),
  });
  return new Map(
    terms.flatMap((term) => {
      const found = records.find(
        (record) => record['group'] === term['group'] && record['taxonomy'] === term['taxonomy'],
      );
      return found === undefined ? [] : [[term.id, found] as const];
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
      createPause(),
    ),
    revision: toRevision(toJobFields(texts, terms.map(toOpenTerm), config)),
  };
}
