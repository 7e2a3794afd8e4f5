import { and, eq, type Json, type Store, type StoredRecord, StoreError } from '../../../../lib/index.ts';
import {
  cutField,
  findFreeSlug,
  type PostRecord,
  retryRaces,
  type Stamp,
  type Taxonomy,
  TEXT_KINDS,
  toCreate,
  toGroup,
  toSlug,
  toUpdate,
} from '../../../plugin.ts';
import type { PostTexts } from '../records/job-texts.ts';
import type { XmlConfig } from '../records/xml-config.ts';
import { findTranslatedTerms, isTranslatable, readTerms } from './source-texts.ts';

/** Terms of the translated post, by the field that stores them. */
type MappedTerms = Readonly<Record<Taxonomy['field'], readonly number[]>>;

/** Names are stored as those that clients send: without markup, and escaped. */
const toName = (text: string): string => cutField('terms', 'name', TEXT_KINDS.name.toStored(text));

/** Creates the translation of a term with the first free slug. @returns its id, or that of the one that another writer has created meanwhile */
async function createTerm(
  store: Store,
  { id, ...original }: StoredRecord,
  { name, target, parent }: { name: string; target: string; parent: number },
): Promise<number> {
  const wanted = toSlug(name) || `term-${id}`;
  const values = { taxonomy: String(original['taxonomy']), name, language: target, parent, description: '' };
  const place = {
    collection: 'terms',
    where: and(eq('taxonomy', values.taxonomy), eq('language', target)),
  };
  return retryRaces(async () => {
    const term = await store.get('terms', id);
    if (term === null) throw new StoreError('missing', `There is no term ${id}.`);
    const known = (await findTranslatedTerms(store, [term], target)).get(id);
    if (known !== undefined) return known.id;
    const group = await toGroup(store, 'terms', term);
    const slug = await findFreeSlug(store, place, { slug: wanted });
    const [created] = await store.commit([
      toCreate('terms', { ...values, group, slug }),
      // Also if it has the group: the version keeps two writers from creating one translation.
      toUpdate('terms', term, { group }),
    ]);
    return created?.id ?? 0;
  });
}

interface Mapping {
  readonly store: Store;
  readonly source: string;
  readonly target: string;
  readonly config: XmlConfig;
  readonly taxonomies: ReadonlyMap<string, Taxonomy>;
  /** Translated names by term id. */
  readonly names: ReadonlyMap<number, string>;
}

/** Id of the term's counterpart in the target language; null when there is none and the job does not name one. */
async function mapTerm(
  mapping: Mapping,
  term: StoredRecord,
  done: ReadonlyMap<number, StoredRecord>,
): Promise<number | null> {
  const { store, source, target, config } = mapping;
  const isShared = term['language'] === '' || config.taxonomies.get(String(term['taxonomy'])) === false;
  if (isShared || !isTranslatable(term, source)) return term.id;
  const known = done.get(term.id);
  if (known !== undefined) return known.id;
  const name = toName(mapping.names.get(term.id) ?? '');
  if (name === '') return null;
  const parent = await store.get('terms', Number(term['parent']) || -1);
  const parents =
    parent === null ? new Map<number, StoredRecord>() : await findTranslatedTerms(store, [parent], target);
  return createTerm(store, term, {
    name,
    target,
    parent: parent === null ? 0 : (parents.get(parent.id)?.id ?? 0),
  });
}

/**
 * The terms of a translated post. Existing translations are used, and new ones are created where the job has a name. Terms
 * without a language and terms of untranslated taxonomies are shared by all languages.
 */
export async function mapTerms(mapping: Mapping, post: StoredRecord): Promise<MappedTerms> {
  const terms = await readTerms(mapping.store, post);
  const done = await findTranslatedTerms(mapping.store, terms, mapping.target);
  const mapped: Record<Taxonomy['field'], number[]> = { categories: [], tags: [], terms: [] };
  for (const term of terms) {
    const field = mapping.taxonomies.get(String(term['taxonomy']))?.field;
    const id = field === undefined ? null : await mapTerm(mapping, term, done);
    if (field !== undefined && id !== null) mapped[field].push(id);
  }
  return mapped;
}

/** Status of a new translation: draft, or the status of the source. */
export type AppliedStatus = 'draft' | 'original';

/** Everything a translation is made of. `sibling`: the existing translation; null when it is new. */
export interface Translation {
  readonly source: PostRecord;
  readonly sibling: PostRecord | null;
  readonly language: string;
  readonly group: number;
  /** The translation of the parent of the source; 0 if there is none. */
  readonly parent: number;
  /** The featured image of a new translation. */
  readonly featured_media: number;
  readonly texts: PostTexts;
  readonly terms: MappedTerms;
  readonly appliedStatus: AppliedStatus;
  readonly stamp: Stamp;
}

type Fields = Readonly<Record<string, Json>>;

const COPIED = [
  'type',
  'author',
  'password',
  'comment_status',
  'ping_status',
  'format',
  'template',
  'menu_order',
] as const;
const DATELESS: ReadonlySet<string> = new Set(['draft', 'pending']);

/** Fields that a new translation copies from its source, besides the texts. The password is copied, so that protected content stays protected. */
function toNewFields(translation: Translation): Fields {
  const { source, language, group, parent, featured_media, appliedStatus, stamp } = translation;
  const status = appliedStatus === 'original' ? source.status : 'draft';
  const floats = DATELESS.has(status);
  const dated =
    floats || source.date_gmt === ''
      ? { date: stamp.date, date_gmt: floats ? '' : stamp.date_gmt }
      : { date: source.date, date_gmt: source.date_gmt };
  return {
    ...Object.fromEntries(COPIED.map((name) => [name, source[name]])),
    ...dated,
    language,
    group,
    status,
    sticky: false,
    parent,
    featured_media,
    trashed_from: '',
    trashed_slug: '',
  };
}

/** The fields to write to the translated post. `slug` is the preferred slug; it may not be free. */
export function toTranslatedPost(translation: Translation): Fields & { readonly slug: string } {
  const { sibling, texts, terms, stamp } = translation;
  return {
    ...(sibling === null ? toNewFields(translation) : {}),
    title: texts.title,
    content: texts.content,
    excerpt: texts.excerpt,
    meta: texts.meta,
    ...terms,
    modified: stamp.date,
    modified_gmt: stamp.date_gmt,
    slug: texts.slug || sibling?.slug || toSlug(texts.title),
  };
}
