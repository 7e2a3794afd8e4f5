import { and, eq, oneOf, type Predicate } from '../../lib/store/query.ts';
import { findFirst, type Store, type StoredRecord } from '../../lib/store/store.ts';
import { type AddressSources, findTarget, type FoundTarget, toPathKey } from './addresses/find-target.ts';
import { readPlace, type Target, toPagePart } from './addresses/page-paths.ts';
import { createHomes, loadTermAddresses } from './addresses/permalink.ts';
import { toPlainText } from './content/html/plain-text.ts';
import type { Ports } from './host/ports.ts';
import { hasPages } from './model/content-type.ts';
import { type TermRecord, toTerm } from './records/term-record.ts';
import { servicesOf } from './services.ts';
import { orderLanguages } from './settings/options.ts';

/** What finds the pages of a site by their addresses. */
export function toAddressSources(ports: Ports): AddressSources {
  const {
    store,
    config,
    content: { types, taxonomies },
  } = ports;
  return {
    store,
    types,
    taxonomies,
    settings: servicesOf(ports).settings,
    languages: orderLanguages(config),
  };
}

/** Published posts of these types. */
export const publishedOf = (types: readonly string[]): Predicate =>
  and(eq('status', 'publish'), oneOf('type', types));

/**
 * The route of the published record whose page a path of the site is: `/cms/v2/posts/5` for `/en/lamp/`. `siteUrl`: address of the site, without
 * a trailing slash. null: the path is not the permalink of a published record of a type that has routes.
 */
export type FindRoute = (path: string, siteUrl: string) => Promise<string | null>;

/** Finds the routes of pages, for hosts that show them. */
export function createFindRoute(ports: Ports): FindRoute {
  const { store, content } = ports;
  const { publishDue } = servicesOf(ports).schedule;
  const sources = toAddressSources(ports);
  const isPublic = publishedOf([...content.types.values()].filter(hasPages).map(({ name }) => name));

  return async (path, siteUrl) => {
    await publishDue();
    const target = await findTarget(sources, { url: `${siteUrl}${path}`, siteUrl, isPublic });
    if (target?.kind !== 'post-id') return null;
    const record = await findFirst(store, {
      collection: 'posts',
      where: and(eq('id', target.id), isPublic),
      fields: ['type'],
    });
    const type = content.types.get(String(record?.['type']));
    return record === undefined || type === undefined ? null : `/cms/v2/${type.base}/${record.id}`;
  };
}

/** A page of the archive of a term or of an author, or of the page that lists the posts. */
export interface Archive {
  /** Name of the term or of the author, or title of the page: plain text. */
  readonly name: string;
  /** Plain text. '': there is none. */
  readonly description: string;
  /** Counts from 1. The archive may have fewer pages. */
  readonly page: number;
  /** Whether it has a page although it lists nothing. The page of an author without published records would disclose a name. */
  readonly mayBeEmpty: boolean;
  /** Its address, if the path is another one: without the terms above, or with wrong ones. null: the path is right. */
  readonly location: string | null;
  /** Lists of its records, one for each type: `/cms/v2/posts?tags=5`. */
  readonly lists: readonly string[];
}

/**
 * The archive whose page a path of the site is: that of the category 5 for `/en/category/news/`. `siteUrl`: address of the site, without a
 * trailing slash. null: the path is not that of a term, of a user or of the page that lists the posts.
 */
export type FindArchive = (path: string, siteUrl: string) => Promise<Archive | null>;

type TermTarget = Extract<Target, { kind: 'term' }>;

/** A path that was asked for. `siteUrl`: address of the site. */
interface SitePath {
  readonly path: string;
  readonly siteUrl: string;
}

const toArchive = (record: StoredRecord, rest: Omit<Archive, 'name' | 'description'>): Archive => ({
  name: toPlainText(String(record['name'] ?? '')),
  description: toPlainText(String(record['description'] ?? '')),
  ...rest,
});

/** The address of a page of the archive; null if the visitor has used it. */
async function findLocation(
  sources: AddressSources & { readonly prefixes: readonly string[] },
  term: TermRecord,
  { target: { language, page }, path, siteUrl }: SitePath & { readonly target: TermTarget },
): Promise<string | null> {
  const addressOf = await loadTermAddresses(sources, [term]);
  const address =
    addressOf({ ...term, language: term.language || language }, createHomes(sources.prefixes, siteUrl)) +
    toPagePart(page);
  const [right, used] = [address, `${siteUrl}${path}`].map((url) =>
    readPlace(url, siteUrl, sources.languages),
  );
  return right && used && toPathKey(right) === toPathKey(used) ? null : address;
}

/** The posts in place of the text of a page. */
async function findPostsPage(
  store: Store,
  { id, page }: Extract<FoundTarget, { kind: 'posts-page' }>,
): Promise<Archive | null> {
  const post = await store.get('posts', id);
  return post === null
    ? null
    : {
        name: toPlainText(String(post['title'] ?? '')),
        description: '',
        page,
        mayBeEmpty: true,
        location: null,
        lists: ['/cms/v2/posts?ignore_sticky=false'],
      };
}

/** Finds archives of terms and authors, for hosts that show them. */
export function createFindArchive(ports: Ports): FindArchive {
  const {
    store,
    config: { prefixes },
    content,
  } = ports;
  const { publishDue } = servicesOf(ports).schedule;
  const sources = { ...toAddressSources(ports), prefixes };
  const shown = [...content.types.values()].filter(hasPages);
  const isPublic = publishedOf(shown.map(({ name }) => name));

  async function findTerm(target: TermTarget, asked: SitePath): Promise<Archive | null> {
    const { taxonomy: name, slug, language, page } = target;
    const taxonomy = content.taxonomies.get(name);
    const term = await findFirst(store, {
      collection: 'terms',
      where: and(eq('taxonomy', name), eq('slug', slug), oneOf('language', [language, ''])),
    });
    if (term === undefined || taxonomy === undefined) return null;
    const listing = shown.filter(({ taxonomies: own }) => own.includes(name));
    // The archive of a term has the records of the terms below it, as in WordPress.
    const filter = taxonomy.hierarchical
      ? `${taxonomy.base}[terms]=${term.id}&${taxonomy.base}[include_children]=true`
      : `${taxonomy.base}=${term.id}`;
    const location = await findLocation(sources, toTerm(term), { ...asked, target });
    return toArchive(term, {
      page,
      mayBeEmpty: true,
      location,
      lists: listing.map(({ base }) => `/cms/v2/${base}?${filter}`),
    });
  }

  async function findAuthor({ slug, page }: Extract<Target, { kind: 'author' }>): Promise<Archive | null> {
    const user = await findFirst(store, { collection: 'users', where: eq('slug', slug) });
    if (user === undefined) return null;
    return toArchive(user, {
      page,
      mayBeEmpty: false,
      location: null,
      lists: [`/cms/v2/posts?author=${user.id}`],
    });
  }

  return async (path, siteUrl) => {
    await publishDue();
    const target = await findTarget(sources, { url: `${siteUrl}${path}`, siteUrl, isPublic });
    if (target?.kind === 'term') return findTerm(target, { path, siteUrl });
    if (target?.kind === 'posts-page') return findPostsPage(store, target);
    return target?.kind === 'author' ? findAuthor(target) : null;
  };
}
