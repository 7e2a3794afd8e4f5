import type { Store, StoredRecord } from '../../../../lib/index.ts';
import { own, type ReadSettings, toPost, toTerm } from '../../../plugin.ts';
import { fillTemplate, type TemplateFacts } from '../head/texts.ts';
import { readContent, toPlainText } from '../values/content-facts.ts';
import type { ObjectType, SeoMeta } from '../values/head-facts.ts';
import { toText } from '../values/scalars.ts';
import { readArticle } from './post-page.ts';

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
  if (type === 'term') {
    const term = toTerm(record);
    return {
      ...common,
      heading: toPlainText(term.name),
      description: toPlainText(term.description),
      opening: '',
      article: null,
    };
  }
  const post = toPost(record);
  const { user, ...article } = await readArticle(store, post);
  return {
    ...common,
    heading: toPlainText(post.title),
    description: toPlainText(post.excerpt),
    opening: readContent(post.content.slice(0, OPENING)).text.slice(0, 1000),
    article: { ...article, author: user === null ? null : { name: toPlainText(toText(user['name'])) } },
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
