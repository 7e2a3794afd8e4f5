import {
  and,
  eq,
  findFirst,
  inOrderOf,
  not,
  oneOf,
  type Predicate,
  type Store,
  type StoredRecord,
} from '../../../../lib/index.ts';
import {
  ADDRESSED,
  groupBy,
  isFrontPage,
  isPostsPage,
  type PostRecord,
  type TermRecord,
  toAuthorPath,
  toMediaUrl,
  toPagePart,
  toPost,
  toTerm,
  countRecords,
} from '../../../plugin.ts';
import { toListedVersions } from '../head/canonical.ts';
import { type ContentLink, readContent, toPlainText } from '../values/content-facts.ts';
import {
  type HeadFacts,
  type ImageFacts,
  NO_META,
  type PersonFacts,
  readMeta,
  type Step,
} from '../values/head-facts.ts';
import { fill, joinTitle, type PageContext, toPageFacts } from '../values/page-context.ts';
import { isWebAddress, toNumber, toText, withOffset } from '../values/scalars.ts';

/** A paged list of records. `url` is that of its first page; `where` selects its records. */
interface ArchiveFacts {
  readonly url: string;
  readonly page: number;
  readonly where: Predicate;
  /** Names of the types whose records it shows. Each of its pages shows a page of each type, as the lists of `findArchive` do. */
  readonly types: readonly string[];
  /** Whether the archive exists even when it is empty. */
  readonly mayBeEmpty: boolean;
  /** First part of the title, before the page number and the name of the site. */
  readonly label: string;
  readonly own: Partial<HeadFacts> & Pick<HeadFacts, 'kind' | 'heading'>;
}

/** The number of its pages: those of the type with the most records. */
async function countPages(
  { store, config, language, site }: PageContext,
  { where, types }: Pick<ArchiveFacts, 'where' | 'types'>,
): Promise<number> {
  const listed = and(eq('language', language), eq('status', 'publish'), where);
  const totals = await Promise.all(
    types
      .filter((type) => config.postTypes.includes(type))
      .map((type) => countRecords(store, { collection: 'posts', where: and(eq('type', type), listed) })),
  );
  return Math.ceil(Math.max(0, ...totals) / site.perPage);
}

/** The facts of one page of an archive; null when the archive does not have this page. Only the first page names its versions in other languages. */
export async function toArchivePage(
  context: PageContext,
  { url, page, where, types, mayBeEmpty, label, own }: ArchiveFacts,
): Promise<HeadFacts | null> {
  const { site, phrases } = context;
  const pages = Math.max(await countPages(context, { where, types }), mayBeEmpty ? 1 : 0);
  if (page > pages) return null;
  const urlOf = (number: number): string => url + toPagePart(number);
  return toPageFacts(context, {
    ...own,
    url: urlOf(page),
    alternates: page === 1 ? (own.alternates ?? {}) : {},
    title: joinTitle(label, page === 1 ? '' : fill(phrases.page, page), site.name),
    previous: page === 1 ? '' : urlOf(page - 1),
    next: page === pages ? '' : urlOf(page + 1),
  });
}

/** Maximum number of images from the text that a card can use. */
const MAX_IMAGES = 4;

/** The featured image; null when there is none. */
async function readMedia(
  store: Store,
  id: number,
  toUrl: (file: string) => string,
): Promise<ImageFacts | null> {
  const record = id === 0 ? null : await store.get('media', id);
  const type = toText(record?.['mime_type']);
  if (record === null || !type.startsWith('image/')) return null;
  return {
    url: toUrl(toText(record['file'])),
    width: toNumber(record['width']),
    height: toNumber(record['height']),
    type,
    caption: toText(record['alt']) || toText(record['title']),
  };
}

/** Images in the text, with absolute URLs. */
function toContentImages(links: readonly ContentLink[], base: string): readonly ImageFacts[] {
  const pictures = links
    .filter(({ image, url }) => image && URL.canParse(url, base))
    .map(({ url, alt }) => ({ url: new URL(url, base).href, caption: alt, width: 0, height: 0, type: '' }));
  return pictures.filter(({ url }) => isWebAddress(url)).slice(0, MAX_IMAGES);
}

const PUBLIC = eq('status', 'publish');

/** The published post with a slug in the language of the page, or with an id in any language. */
export async function findPublicPost(
  { store, config, language }: PageContext,
  by: { readonly slug: string } | { readonly id: number },
): Promise<PostRecord | null> {
  const own = 'slug' in by ? and(eq('slug', by.slug), eq('language', language)) : eq('id', by.id);
  const isPublic = and(PUBLIC, oneOf('type', config.postTypes));
  const record = await findFirst(store, { collection: 'posts', where: and(own, isPublic) });
  return record === undefined ? null : toPost(record);
}

/** Language -> URL of the listed published posts of the translation group, including this one. */
async function findAlternates(
  context: PageContext,
  post: PostRecord,
): Promise<Readonly<Record<string, string>>> {
  if (post.group === 0) return {};
  const { records } = await context.store.find({
    collection: 'posts',
    where: and(eq('group', post.group), eq('type', post.type), PUBLIC, not(eq('id', post.id))),
    fields: ['meta', ...ADDRESSED],
    limit: 50,
  });
  const others = records.map(toPost);
  const addressOf = await context.addressesOf([post, ...others]);
  const toVersion = (each: PostRecord) => ({
    id: each.id,
    language: each.language,
    url: addressOf(each),
    stored: each.meta,
  });
  return toListedVersions(context, 'post', { own: toVersion(post), others: others.map(toVersion) });
}

/** The public facts of a user. */
export function toPerson(
  { absolute, language }: Pick<PageContext, 'absolute' | 'language'>,
  user: StoredRecord,
): PersonFacts {
  const [slug, url] = [toText(user['slug']), toText(user['url'])];
  return {
    name: toPlainText(toText(user['name'])),
    slug,
    url: absolute(toAuthorPath(language, slug)),
    description: toPlainText(toText(user['description'])),
    sameAs: isWebAddress(url) ? [url] : [],
  };
}

/** What a post says of its times, terms and author. `user`, `category`: the author and the first category, as stored. */
export async function readArticle(store: Store, post: PostRecord) {
  const ids = [...post.categories, ...post.tags].slice(0, 100);
  const query = { collection: 'terms', where: oneOf('id', ids), order: [inOrderOf('id', ids)] };
  const [user, found] = await Promise.all([
    post.author === 0 ? null : store.get('users', post.author),
    ids.length === 0 ? null : store.find(query),
  ]);
  const terms = groupBy((found?.records ?? []).map(toTerm), ({ taxonomy }) => taxonomy);
  const namesOf = (taxonomy: string): readonly string[] =>
    (terms.get(taxonomy) ?? []).map(({ name }) => toPlainText(name));
  return {
    published: withOffset(post.date_gmt),
    modified: withOffset(post.modified_gmt),
    sections: namesOf('category'),
    keywords: namesOf('post_tag'),
    user,
    category: terms.get('category')?.[0],
  };
}

/** Home, the category, the post. A front page is home. */
async function toTrail(
  context: PageContext,
  category: TermRecord | undefined,
  last: Step,
): Promise<readonly Step[]> {
  const home = { name: context.phrases.home, url: context.home(context.language) };
  if (last.url === home.url) return [home];
  if (category === undefined) return [home, last];
  const url = (await context.termAddressesOf([category]))(category);
  return [home, { name: toPlainText(category.name), url }, last];
}

const addressOf = async ({ addressesOf }: PageContext, post: PostRecord): Promise<string> =>
  (await addressesOf([post]))(post);

const kindOf = ({ settings }: PageContext, post: PostRecord): 'front-page' | 'article' =>
  isFrontPage(settings, post) ? 'front-page' : 'article';

/** The public facts of a protected post: its name and URL, and whether it is listed. */
async function toProtected(context: PageContext, post: PostRecord): Promise<HeadFacts> {
  const heading = fill(context.phrases.protected, toPlainText(post.title));
  const { noindex, nofollow, canonical } = await readMeta(context.store, 'post', post);
  return toPageFacts(context, {
    kind: kindOf(context, post),
    url: await addressOf(context, post),
    heading,
    isProtected: true,
    alternates: await findAlternates(context, post),
    meta: { ...NO_META, noindex, nofollow, canonical },
  });
}

/** The facts of the page in place of which the newest posts are shown. Its text and its password do not matter. */
async function toPostsPage(context: PageContext, post: PostRecord, page: number): Promise<HeadFacts | null> {
  const heading = toPlainText(post.title);
  return toArchivePage(context, {
    url: await addressOf(context, post),
    page,
    where: and(),
    types: ['post'],
    mayBeEmpty: true,
    label: heading,
    own: {
      kind: 'archive',
      heading,
      description: toPlainText(post.excerpt),
      meta: await readMeta(context.store, 'post', post),
      alternates: await findAlternates(context, post),
    },
  });
}

/** The facts of a published post's page. `page`: number of the page of a list; null if the list does not have it. */
export async function toPostPage(
  context: PageContext,
  post: PostRecord,
  page = 1,
): Promise<HeadFacts | null> {
  if (isPostsPage(context.settings, post)) return toPostsPage(context, post, page);
  if (post.password !== '') return toProtected(context, post);
  const url = await addressOf(context, post);
  const [{ user, category, ...article }, alternates, meta, featured] = await Promise.all([
    readArticle(context.store, post),
    findAlternates(context, post),
    readMeta(context.store, 'post', post),
    readMedia(context.store, post.featured_media, (file) => toMediaUrl(context.absolute(''), file)),
  ]);
  const content = readContent(post.content);
  const heading = toPlainText(post.title);
  return toPageFacts(context, {
    kind: kindOf(context, post),
    url,
    heading,
    meta,
    alternates,
    description: toPlainText(post.excerpt),
    opening: content.text.slice(0, 1000),
    article: {
      ...article,
      author: user === null ? null : toPerson(context, user),
      wordCount: content.words,
      comments: post.comment_status === 'open',
    },
    images: featured === null ? toContentImages(content.links, url) : [featured],
    trail: await toTrail(context, category, { name: meta.breadcrumb_title || heading, url }),
  });
}
