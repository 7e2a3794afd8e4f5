import { and, eq, not, oneOf } from '../../../lib/query.ts';
import type { StoredRecord } from '../../../lib/store.ts';
import { toAuthorPath, toTermPath, type Target } from '../address.ts';
import { toPlainText } from '../content-facts.ts';
import { toText, toNumber } from '../json.ts';
import { readMeta } from '../meta.ts';
import type { HeadFacts } from './facts.ts';
import { toPageFacts, type PageContext } from './page-context.ts';
import { fill } from './phrases.ts';
import { findPublicPost, toPerson, toPostPage } from './post-page.ts';

type Reader<K extends Target['kind']> = (context: PageContext, target: Extract<Target, { kind: K }>) => Promise<HeadFacts | null>;

const readFront: Reader<'front'> = async (context) => {
  const { site, languages, home, language } = context;
  return toPageFacts(context, {
    kind: 'front', url: home(language), heading: site.name, title: site.description === '' ? site.name : `${site.name} - ${site.description}`,
    description: site.description, alternates: Object.fromEntries(languages.map((each) => [each, home(each)])),
  });
};

/** A term without a language belongs to all. */
const readTerm: Reader<'term'> = async (context, { taxonomy, slug }) => {
  const { store, language, config } = context;
  const where = and(eq('taxonomy', taxonomy), eq('slug', slug), oneOf('language', [language, '']));
  const { records: [term] } = await store.find({ collection: 'terms', where, limit: 1 });
  if (term === undefined || !config.taxonomies.includes(taxonomy)) return null;
  const [heading, url] = [toText(term['name']), context.absolute(toTermPath({ language, taxonomy, slug }))];
  return toPageFacts(context, {
    kind: 'archive', url, heading, title: `${fill(context.phrases.archive, heading)} - ${context.site.name}`, description: toPlainText(toText(term['description'])),
    meta: await readMeta(store, 'term', term.id), alternates: await findTermAlternates(context, term, url),
  });
};

async function findTermAlternates({ store, absolute, language }: PageContext, term: StoredRecord, url: string): Promise<Readonly<Record<string, string>>> {
  const group = toNumber(term['group']);
  if (group === 0) return { [language]: url };
  const where = and(eq('group', group), eq('taxonomy', toText(term['taxonomy'])), not(eq('language', '')));
  const { records } = await store.find({ collection: 'terms', where, fields: ['language', 'slug', 'taxonomy'], limit: 50 });
  const paths = records.map((each) => ({ language: toText(each['language']), slug: toText(each['slug']), taxonomy: toText(each['taxonomy']) }));
  return { ...Object.fromEntries(paths.map((each) => [each.language, absolute(toTermPath(each))])), [language]: url };
}

/** Who has published nothing has no page, so that names of users are not told. */
const readAuthor: Reader<'author'> = async (context, { slug, language }) => {
  const { store } = context;
  const { records: [user] } = await store.find({ collection: 'users', where: eq('slug', slug), limit: 1 });
  if (user === undefined) return null;
  const where = and(eq('language', language), eq('status', 'publish'), eq('author', user.id));
  const { records: [post] } = await store.find({ collection: 'posts', where, fields: ['language'], limit: 1 });
  if (post === undefined) return null;
  const person = toPerson(context, user);
  return toPageFacts(context, {
    kind: 'author', url: context.absolute(toAuthorPath(language, slug)), heading: person.name, person,
    title: `${fill(context.phrases.author, person.name)} - ${context.site.name}`, description: person.description,
  });
};

const readSearch: Reader<'search'> = async (context, { text, language }) => toPageFacts(context, {
  kind: 'search', url: `${context.home(language)}?s=${encodeURIComponent(text)}`, heading: fill(context.phrases.search, text),
});

const readDate: Reader<'date'> = async (context, { date, language }) => {
  // `~` sorts behind everything that a date can go on with.
  const where = and(eq('language', language), eq('status', 'publish'), { op: 'gte', field: 'date', value: date }, { op: 'lt', field: 'date', value: `${date}~` });
  const { records: [post] } = await context.store.find({ collection: 'posts', where, fields: ['date'], limit: 1 });
  if (post === undefined) return null;
  return toPageFacts(context, {
    kind: 'archive', url: context.absolute(`/${language}/${date.replaceAll('-', '/')}/`), heading: date, title: `${fill(context.phrases.archive, date)} - ${context.site.name}`,
  });
};

/** A post is shown at its own address, whatever the one that was asked for. */
const readPost = async (context: PageContext, by: { slug: string } | { id: number }): Promise<HeadFacts | null> => {
  const post = await findPublicPost(context, by);
  if (post === null) return null;
  return toPostPage(post.language === context.language ? context : await context.in(post.language), post);
};

/** How the facts of each kind of page are gathered; null: there is no such page for the public. */
export const PAGE_READERS: { readonly [K in Target['kind']]: Reader<K> } = {
  front: readFront, term: readTerm, author: readAuthor, search: readSearch, date: readDate,
  post: (context, { slug }) => readPost(context, { slug }),
  'post-id': (context, { id }) => readPost(context, { id }),
};
