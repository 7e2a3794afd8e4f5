import { createRequest, renamePath, type Engine } from '../../../lib/index.ts';
import { toTitle } from './page-answer.ts';

/** A page of the site. `siteUrl`: address of the site. `title`: markup. */
export interface HeadedPage {
  readonly language: string;
  readonly pathname: string;
  readonly siteUrl: string;
  readonly title: string;
}

/** The markup that search engines read; the title alone where the site has none for the page. */
export async function readHead(engine: Engine, { language, pathname, siteUrl, title }: HeadedPage): Promise<string> {
  const [first = language] = engine.prefixes;
  const target = `${renamePath(engine.names, '/seo/v1/get_head')}?url=${encodeURIComponent(siteUrl + pathname)}`;
  const { status, body } = await engine.dispatch(createRequest(target, { language: engine.prefixes.includes(language) ? language : first, siteUrl }));
  return status === 200 ? (body as { readonly html: string }).html : toTitle(title);
}
