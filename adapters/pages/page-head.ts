import { createRequest, renamePath, type Engine } from '../../lib/index.ts';
import { toTitle } from './page-answer.ts';
import { toApiLanguage } from './page-language.ts';

/** A page of the site. `siteUrl`: address of the site. `query`: what belongs to its address, with the question mark. `title`: markup. */
export interface HeadedPage {
  readonly language: string;
  readonly pathname: string;
  readonly siteUrl: string;
  readonly query?: string;
  readonly title: string;
}

/** A page of a list that is asked for. `perPage`: number of its records. */
export interface AskedList extends Omit<HeadedPage, 'title' | 'query'> {
  readonly perPage: number;
}

/** The markup that search engines read; the title alone where the site has none for the page. */
export async function readHead(engine: Engine, { language, pathname, siteUrl, query = '', title }: HeadedPage): Promise<string> {
  const target = `${renamePath(engine.names, '/seo/v1/get_head')}?url=${encodeURIComponent(siteUrl + pathname + query)}`;
  const { status, body } = await engine.dispatch(createRequest(target, { language: toApiLanguage(engine, language), siteUrl }));
  return status === 200 ? (body as { readonly html: string }).html : toTitle(title);
}
