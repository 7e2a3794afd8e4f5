import { own } from '../../lib/core/objects.ts';
import { createRequest, renamePath, type Engine, type RestResponse } from '../../lib/index.ts';
import { checkAnswer } from './page-failure.ts';
import { toApiLanguage } from './page-language.ts';

/** A record as lists show it to anonymous callers. */
export interface ShownPost {
  readonly link: string;
  readonly title: { readonly rendered: string };
  /** Types without a text do not have it, nor do records of a list. */
  readonly content?: { readonly rendered: string };
  readonly excerpt?: { readonly rendered: string };
}

/** What is read of each record. The contents of a list would take most of its time, and could make it larger than the API answers. */
const FIELDS = { list: 'link,title,excerpt', page: 'link,title,content', titles: 'link,title' } as const;

/** A list of records. `list`: its route. Default: that of posts. `as`: what they are shown as; default: a list. */
export interface ListQuery {
  readonly list?: string;
  readonly query: string;
  readonly as?: keyof typeof FIELDS;
}

/** Records of a list, and the number of its pages. */
export interface FoundPosts {
  readonly posts: readonly ShownPost[];
  readonly pages: number;
}

function readPages({ headers }: RestResponse, engine: Engine): number {
  return Number(own(headers, `${engine.names.headerPrefix}-TotalPages`) ?? 0);
}

/** Reads a list as an anonymous caller. Links begin with a slash. A list without the page is empty. @throws PageFailure for a failure of the site */
export async function findPosts(engine: Engine, language: string, { list = '/cms/v2/posts', query, as = 'list' }: ListQuery): Promise<FoundPosts> {
  const asked = toApiLanguage(engine, language);
  const filter = asked === language ? query : `${query}&${own(engine.names.params, 'ml_language') ?? 'ml_language'}=${language}`;
  const response = await engine.dispatch(createRequest(`${renamePath(engine.names, list)}?${filter}&_fields=${FIELDS[as]}`, { language: asked, siteUrl: '' }));
  // Without the excerpts, the records that make the list too large are shown beside the others.
  if (as === 'list' && (response.status === 413 || own(response.headers, `${engine.names.headerPrefix}-Truncated`) !== undefined)) return findPosts(engine, language, { list, query, as: 'titles' });
  checkAnswer('the list of posts', response);
  return response.status === 200 ? { posts: response.body as readonly ShownPost[], pages: readPages(response, engine) } : { posts: [], pages: 0 };
}

/** Title, link and excerpt of each record. */
export function toItems(posts: readonly ShownPost[]): string {
  return posts.map((post) => `<h2><a href="${post.link}">${post.title.rendered}</a></h2>${post.excerpt?.rendered ?? ''}`).join('');
}
