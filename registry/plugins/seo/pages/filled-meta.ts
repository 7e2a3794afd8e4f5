import { inOrderOf, oneOf, type Store, type StoredRecord } from '../../../../lib/index.ts';
import { type ReadSettings, own } from '../../../plugin.ts';
import { fillTemplate, type TemplateFacts } from '../head/texts.ts';
import { readContent, toPlainText } from '../values/content-facts.ts';
import type { ObjectType, SeoMeta } from '../values/head-facts.ts';
import { toText, withOffset } from '../values/scalars.ts';

const TEXTS = [
  'title',
  'description',
  'og_title',
  'og_description',
  'twitter_title',
  'twitter_description',
] as const satisfies readonly (keyof SeoMeta)[];

/** Length of markup from which a summary is made. */
const OPENING = 4000;

const idsOf = (value: unknown): readonly number[] => (Array.isArray(value) ? value.map(Number) : []);

async function readArticle(store: Store, post: StoredRecord): Promise<TemplateFacts['article']> {
  const ids = [...idsOf(post['categories']), ...idsOf(post['tags'])].slice(0, 100);
  const { records } =
    ids.length === 0
      ? { records: [] }
      : await store.find({
          collection: 'terms',
          where: oneOf('id', ids),
          order: [inOrderOf('id', ids)],
        });
  const namesOf = (taxonomy: string): readonly string[] =>
    records.filter((term) => term['taxonomy'] === taxonomy).map((term) => toPlainText(toText(term['name'])));
  const author = await store.get('users', Number(post['author']));
  return {
    published: withOffset(toText(post['date_gmt'])),
    modified: withOffset(toText(post['modified_gmt'])),
    author: author === null ? null : { name: toPlainText(toText(author['name'])) },
    sections: namesOf('category'),
    keywords: namesOf('post_tag'),
  };
}

/** Where the values of variables are found. */
interface MetaSources {
  readonly store: Store;
  readonly settings: ReadSettings;
}

async function readFacts(
  { store, settings }: MetaSources,
  type: ObjectType,
  { record, meta }: { readonly record: StoredRecord; readonly meta: SeoMeta },
): Promise<TemplateFacts> {
  const { name, description } = await settings();
  // A term without a language is shown in the first one.
  const textOf = (texts: typeof name): string =>
    toPlainText(own(texts, toText(record['language'])) ?? Object.values(texts)[0] ?? '');
  const common = { meta, person: null, site: { name: textOf(name), description: textOf(description) } };
  if (type === 'term')
    return {
      ...common,
      heading: toPlainText(toText(record['name'])),
      description: toPlainText(toText(record['description'])),
      opening: '',
      article: null,
    };
  const opening = readContent(toText(record['content']).slice(0, OPENING)).text.slice(0, 1000);
  return {
    ...common,
    heading: toPlainText(toText(record['title'])),
    description: toPlainText(toText(record['excerpt'])),
    opening,
    article: await readArticle(store, record),
  };
}

/** The editor's fields of an object with its variables filled in, as its page shows them. */
export async function fillMeta(
  sources: MetaSources,
  type: ObjectType,
  { record, meta }: { readonly record: StoredRecord; readonly meta: SeoMeta },
): Promise<SeoMeta> {
  if (!TEXTS.some((name) => meta[name].includes('%%'))) return meta;
  const facts = await readFacts(sources, type, { record, meta });
  return { ...meta, ...Object.fromEntries(TEXTS.map((name) => [name, fillTemplate(meta[name], facts)])) };
}
