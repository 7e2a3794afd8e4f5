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

/** What search engines read about a page. */
export interface Head {
  readonly html: string;
  /** Address of the page in each language that has it: a path, where it is on this site. */
  readonly alternates: ReadonlyMap<string, string>;
}

interface SeoHead {
  readonly html: string;
  readonly json: { readonly alternates?: readonly { readonly hreflang: string; readonly href: string }[] };
}

/** The head of a page; the title alone where the site has none for the page. */
export async function readHead(
  engine: Engine,
  { language, pathname, siteUrl, query = '', title }: HeadedPage,
): Promise<Head> {
  const target = `${renamePath(engine.names, '/seo/v1/get_head')}?url=${encodeURIComponent(siteUrl + pathname + query)}`;
  const { status, body } = await engine.dispatch(
    createRequest(target, { language: toApiLanguage(engine, language), siteUrl }),
  );
  if (status !== 200) return { html: toTitle(title), alternates: new Map() };
  const {
    html,
    json: { alternates = [] },
  } = body as SeoHead;
  // The home page of a site without a name.
  const named = html.includes('<title>') ? '' : toTitle(title || new URL(siteUrl).host);
  return {
    html: named + html,
    alternates: new Map(
      alternates.map(({ hreflang, href }) => [
        hreflang,
        href.startsWith(`${siteUrl}/`) ? href.slice(siteUrl.length) : href,
      ]),
    ),
  };
}
