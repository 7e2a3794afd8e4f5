import { findFirst, and, eq, gte, hasAny, lt, not, oneOf } from '../../../../lib/index.ts';
import {
  type FoundTarget,
  type Taxonomy,
  type TermRecord,
  listPostHomes,
  loadDescendants,
  publishedOf,
  toAuthorPath,
  toDatePath,
  toTerm,
} from '../../../plugin.ts';
import { toListedVersions } from '../head/canonical.ts';
import { toPlainText } from '../values/content-facts.ts';
import { type HeadFacts, NO_META, readMeta } from '../values/head-facts.ts';
import { fill, joinTitle, type PageContext, toPageFacts } from '../values/page-context.ts';
import { findPublicPost, toArchivePage, toPerson, toPostPage } from './post-page.ts';

/** The home page and the pages of authors list posts alone. */
const POSTS = ['post'];

type Reader<K extends FoundTarget['kind']> = (
  context: PageContext,
  target: Extract<FoundTarget, { kind: K }>,
) => Promise<HeadFacts | null>;

const readFront: Reader<'front'> = async (context, { page }) => {
  const { site, served, home, language, config } = context;
  const isPublic = publishedOf(config.postTypes);
  const alternates = served.has(language) ? await listPostHomes(context.sources, [...served], isPublic) : [];
  const facts = await toArchivePage(context, {
    url: home(language),
    page,
    where: and(),
    types: POSTS,
    mayBeEmpty: true,
    label: '',
    own: {
      kind: 'front',
      heading: site.name,
      description: site.description,
      alternates: Object.fromEntries(alternates.map((each) => [each, home(each)])),
    },
  });
  const isFirst = facts !== null && page === 1 && site.description !== '';
  return isFirst ? { ...facts, title: joinTitle(site.name, site.description) } : facts;
};

/** A term without a language belongs to all languages. */
const readTerm: Reader<'term'> = async (context, { taxonomy, slug, page }) => {
  const { store, language, config } = context;
  const known = context.sources.taxonomies.get(taxonomy);
  const record = await findFirst(store, {
    collection: 'terms',
    where: and(eq('taxonomy', taxonomy), eq('slug', slug), oneOf('language', [language, ''])),
  });
  if (record === undefined || known === undefined || !config.taxonomies.includes(taxonomy)) return null;
  const term = toTerm(record);
  const heading = toPlainText(term.name);
  const meta = await readMeta(store, 'term', term);
  const url = (await context.termAddressesOf([term]))(term);
  // The archive of a term has the records of the terms below it, as in WordPress.
  const { field, types, hierarchical } = known;
  const values = hierarchical
    ? ((await loadDescendants({ store }, [term.id])).get(term.id) ?? [])
    : [term.id];
  return toArchivePage(context, {
    url,
    page,
    where: hasAny(field, values),
    types,
    mayBeEmpty: true,
    label: fill(context.phrases.archive, heading),
    own: {
      kind: 'archive',
      heading,
      description: toPlainText(term.description),
      alternates: await findTermAlternates(context, term, { url, taxonomy: known }),
      // An archive without posts is not listed by sitemaps either.
      meta: { ...meta, noindex: meta.noindex || !(await context.findFilled(known, [term.id])).has(term.id) },
    },
  });
};

async function findTermAlternates(
  context: PageContext,
  term: TermRecord,
  { url, taxonomy }: { readonly url: string; readonly taxonomy: Taxonomy },
): Promise<Readonly<Record<string, string>>> {
  const { store, language } = context;
  const { group } = term;
  if (group === 0) return {};
  const where = and(
    eq('group', group),
    eq('taxonomy', term.taxonomy),
    not(eq('language', '')),
    not(eq('id', term.id)),
  );
  const { records } = await store.find({
    collection: 'terms',
    where,
    fields: ['language', 'slug', 'taxonomy', 'parent', 'meta'],
    limit: 50,
  });
  const filled = await context.findFilled(
    taxonomy,
    records.map(({ id }) => id),
  );
  const versions = records.map(toTerm).filter(({ id }) => filled.has(id));
  const addressOf = await context.termAddressesOf(versions);
  return toListedVersions(context, 'term', {
    own: { id: term.id, language, url, stored: term.meta },
    others: versions.map((each) => ({
      id: each.id,
      language: each.language,
      url: addressOf(each),
      stored: each.meta,
    })),
  });
}

/** A user without published posts has no page, so user names are not disclosed. */
const readAuthor: Reader<'author'> = async (context, { slug, language, page }) => {
  const user = await findFirst(context.store, { collection: 'users', where: eq('slug', slug) });
  if (user === undefined) return null;
  const person = toPerson(context, user);
  return toArchivePage(context, {
    url: context.absolute(toAuthorPath(language, slug)),
    page,
    where: eq('author', user.id),
    types: POSTS,
    mayBeEmpty: false,
    label: fill(context.phrases.author, person.name),
    own: { kind: 'author', heading: person.name, person, description: person.description },
  });
};

const readSearch: Reader<'search'> = async (context, { text, language }) =>
  toPageFacts(context, {
    kind: 'search',
    url: `${context.home(language)}?s=${encodeURIComponent(text)}`,
    heading: fill(context.phrases.search, text),
  });

const readDate: Reader<'date'> = (context, { date, language, page }) =>
  toArchivePage(context, {
    url: context.absolute(toDatePath(language, date)),
    page,
    types: context.config.postTypes,
    mayBeEmpty: false,
    label: fill(context.phrases.archive, date),
    // The posts of a date are listed elsewhere, and nobody searches for a date.
    own: { kind: 'archive', heading: date, meta: { ...NO_META, noindex: true } },
    // `~` sorts after every character that can follow in a date.
    where: and(gte('date', date), lt('date', `${date}~`)),
  });

/** The canonical page of a post, whichever of its URLs was requested. */
const readPost = async (
  context: PageContext,
  by: { slug: string } | { id: number },
  page = 1,
): Promise<HeadFacts | null> => {
  const post = await findPublicPost(context, by);
  if (post === null) return null;
  return toPostPage(
    post.language === context.language ? context : await context.in(post.language),
    post,
    page,
  );
};

/** Readers of each kind of page. null: no such page is public. */
export const PAGE_READERS: { readonly [K in FoundTarget['kind']]: Reader<K> } = {
  front: readFront,
  term: readTerm,
  author: readAuthor,
  search: readSearch,
  date: readDate,
  post: (context, { slug }) => readPost(context, { slug }),
  'post-id': (context, { id }) => readPost(context, { id }),
  'posts-page': (context, { id, page }) => readPost(context, { id }, page),
};
