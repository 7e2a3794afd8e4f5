import { escapeAttribute, escapeOnce, escapeQuotesOnce } from '../../lib/core/escape.ts';
import { renameRelation } from '../../lib/core/names.ts';
import { own } from '../../lib/core/objects.ts';
import { trimEnd } from '../../lib/core/text.ts';
import { changeRequest } from '../../lib/http/request.ts';
import { createRequest, type Engine, renamePath, type RestResponse } from '../../lib/index.ts';
import { checkAnswer } from './page-failure.ts';
import { textsOf, toApiLanguage, toDay } from './page-texts.ts';

/** Somebody or something that a record names: an author, a term. `name`: markup without tags. */
interface Named {
  readonly name?: string;
  readonly link?: string;
}

/** A record as lists show it to anonymous callers. */
export interface ShownPost {
  readonly link: string;
  readonly title: { readonly rendered: string };
  /** Types without a text do not have it, nor do records of a list. */
  readonly content?: { readonly rendered: string; readonly protected?: boolean };
  readonly excerpt?: { readonly rendered: string };
  readonly type?: string;
  /** Site time, no offset. */
  readonly date?: string;
  readonly date_gmt?: string;
  /** Only of a page: `author`, and lists of terms, by their relation on the wire. What the caller must not see is a failure without a name. */
  readonly _embedded?: Readonly<Record<string, readonly (Named | readonly Named[])[]>>;
}

/** What is read of each record. The contents of a list would take most of its time, and could make it larger than the API answers. */
const FIELDS = {
  list: 'link,title,excerpt,type,date,date_gmt',
  page: 'link,title,content,type,date,date_gmt,_links,_embedded',
  titles: 'link,title,type,date,date_gmt',
} as const;

/** A list of records. `list`: its route. Default: that of posts. `as`: what they are shown as; default: a list. */
interface ListQuery {
  readonly list?: string;
  readonly query: string;
  readonly as?: keyof typeof FIELDS;
  /** The password that a visitor sent for the records. */
  readonly guess?: Guess | undefined;
}

/** A password, and the network address that it came from, for the limit of guesses. */
export interface Guess {
  readonly password: string;
  readonly address: string;
}

/** Records of a list, and the number of its pages. */
interface FoundPosts {
  readonly posts: readonly ShownPost[];
  readonly pages: number;
}

/** The relation of terms on the wire. */
const termsOf = ({ names }: Engine): string => renameRelation(names, 'cms:term');

function readPages({ headers }: RestResponse, engine: Engine): number {
  return Number(own(headers, `${engine.names.headerPrefix}-TotalPages`) ?? 0);
}

/** Reads a list as an anonymous caller. Links begin with a slash. A list without the page is empty. @throws PageFailure for a failure of the site */
export async function findPosts(
  engine: Engine,
  language: string,
  { list = '/cms/v2/posts', query, as = 'list', guess }: ListQuery,
): Promise<FoundPosts> {
  const asked = toApiLanguage(engine, language);
  const filter =
    asked === language
      ? query
      : `${query}&${own(engine.names.params, 'ml_language') ?? 'ml_language'}=${language}`;
  const password = guess === undefined ? '' : `&password=${encodeURIComponent(guess.password)}`;
  const embed = as === 'page' ? `&_embed=author,${termsOf(engine)}` : '';
  const request = createRequest(
    `${renamePath(engine.names, list)}?${filter}&_fields=${FIELDS[as]}${embed}${password}`,
    {
      language: asked,
      siteUrl: '',
    },
  );
  const response = await engine.dispatch(
    guess === undefined ? request : changeRequest(request, { address: guess.address }),
  );
  // Without the excerpts, the records that make the list too large are shown beside the others.
  if (
    as === 'list' &&
    (response.status === 413 || own(response.headers, `${engine.names.headerPrefix}-Truncated`) !== undefined)
  )
    return findPosts(engine, language, { list, query, as: 'titles' });
  checkAnswer('the list of posts', response);
  return response.status === 200
    ? { posts: response.body as readonly ShownPost[], pages: readPages(response, engine) }
    : { posts: [], pages: 0 };
}

/** The title of a record, which its headings and links must have. */
export const titleOf = ({ title }: ShownPost, language: string): string =>
  title.rendered.trim() === '' ? textsOf(language).untitled : title.rendered;

const toLink = ({ name = '', link = '' }: Named, relation: string): string => {
  const text = escapeOnce(name);
  return text === '' || link === ''
    ? text
    : `<a href="${escapeQuotesOnce(link)}" rel="${relation}">${text}</a>`;
};

/** Date and author of a record; '' for a page of the site, which has no date that matters. */
export function toByline({ type, date = '', date_gmt = '', _embedded }: ShownPost, language: string): string {
  const day = type === 'page' ? '' : toDay(language, date);
  if (day === '') return '';
  const author = toLink((_embedded?.['author']?.[0] ?? {}) as Named, 'author');
  return `<p class="meta"><time datetime="${date_gmt === '' ? date : `${date_gmt}Z`}">${day}</time>${author === '' ? '' : ` · ${author}`}</p>`;
}

/** Links to the categories, tags and other terms of a record. */
export function toTopics({ _embedded }: ShownPost, engine: Engine, language: string): string {
  const terms = (own(_embedded ?? {}, termsOf(engine)) ?? [])
    .flat()
    .map((term) => toLink(term as Named, 'tag'))
    .filter((term) => term !== '');
  return terms.length === 0 ? '' : `<p class="terms">${textsOf(language).topics}: ${terms.join(', ')}</p>`;
}

/** Title, link, date and excerpt of each record. */
export function toItems(posts: readonly ShownPost[], language: string): string {
  return posts
    .map(
      (post) =>
        `<article><h2><a href="${post.link}">${titleOf(post, language)}</a></h2>${toByline(post, language)}${post.excerpt?.rendered ?? ''}</article>`,
    )
    .join('');
}

const PAGE = /\/page\/([1-9]\d{0,8})\/?$/;

/** The number in an address that ends with `/page/2/`; 1 in any other. */
export const readPageNumber = (pathname: string): number => Number(PAGE.exec(pathname)?.[1] ?? 1);

/** The address of the first page: `/en/` for `/en/page/2/`. */
export const toFirstPage = (pathname: string): string => `${trimEnd(pathname.replace(PAGE, ''), '/')}/`;

/** A page of so many. `query`: what belongs to the address of each, encoded. */
interface Paged {
  readonly page: number;
  readonly pages: number;
  readonly language: string;
  readonly query?: string;
}

/** Links to the pages before and after this one; '' for the only page. */
export function toPager(pathname: string, { page, pages, language, query = '' }: Paged): string {
  const { previous, next, pages: name } = textsOf(language);
  const first = escapeAttribute(toFirstPage(pathname));
  const toLink = (number: number, relation: 'prev' | 'next', text: string): string =>
    `<a href="${first}${number === 1 ? '' : `page/${number}/`}${query}" rel="${relation}">${text}</a>`;
  const links = [
    ...(page > 1 ? [toLink(page - 1, 'prev', `<span aria-hidden="true">← </span>${previous}`)] : []),
    ...(page < pages ? [toLink(page + 1, 'next', `${next}<span aria-hidden="true"> →</span>`)] : []),
  ];
  return links.length === 0 ? '' : `<nav class="pager" aria-label="${name}">${links.join('')}</nav>`;
}
