import { createRequest, renamePath, type Engine } from '../../../lib/index.ts';
import type { Archive } from '../../../registry/index.ts';
import { escapeHtml, toBare, toHtml, toTitle, type Answer } from './page-answer.ts';
import { findPosts, toItems } from './shown-posts.ts';

/** An archive that is asked for. `siteUrl`: address of the site. */
export interface AskedArchive {
  readonly archive: Archive;
  readonly language: string;
  readonly pathname: string;
  readonly siteUrl: string;
}

/** The markup that search engines read; the bare title where the site has none. */
async function readHead(engine: Engine, { archive, language, pathname, siteUrl }: AskedArchive): Promise<string> {
  const [first = language] = engine.prefixes;
  const target = `${renamePath(engine.names, '/seo/v1/get_head')}?url=${encodeURIComponent(siteUrl + pathname)}`;
  const { status, body } = await engine.dispatch(createRequest(target, { language: engine.prefixes.includes(language) ? language : first, siteUrl }));
  return status === 200 ? (body as { readonly html: string }).html : toTitle(escapeHtml(archive.name));
}

/** Links to the pages before and after this one. */
function toPager({ archive: { page }, pathname }: AskedArchive, pages: number): string {
  const first = pathname.replace(/\/page\/\d+\/?$/, '').replace(/\/*$/, '/');
  const toLink = (number: number, text: string): string => (number < 1 || number > pages ? '' : `<a href="${escapeHtml(first).replaceAll('"', '&quot;')}${number === 1 ? '' : `page/${number}/`}">${text}</a> `);
  return `<p>${toLink(page - 1, '←')}${toLink(page + 1, '→')}</p>`;
}

/** Shows a page of the archive of a term or an author: its name, its description and its records. 404 for a page that it does not have. */
export async function showArchive(engine: Engine, asked: AskedArchive): Promise<Answer> {
  const { archive: { name, description, page, mayBeEmpty, lists }, language } = asked;
  const found = await Promise.all(lists.map((each) => {
    const [list = '', filter = ''] = each.split('?');
    return findPosts(engine, language, { list, query: `${filter}&page=${page}` });
  }));
  const items = found.map(({ posts }) => toItems(posts)).join('');
  if (items === '' && (page > 1 || !mayBeEmpty)) return toBare(404, language);
  const pages = Math.max(...found.map((each) => each.pages));
  return toHtml(200, { language, head: await readHead(engine, asked), body: `<h1>${escapeHtml(name)}</h1><p>${escapeHtml(description)}</p>${items}${toPager(asked, pages)}` });
}
