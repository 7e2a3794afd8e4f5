import { escapeText } from '../../lib/core/escape.ts';
import type { Engine } from '../../lib/index.ts';
import type { Archive } from '../../registry/index.ts';
import { toNotFound } from './not-found-page.ts';
import { toHtml, type Answer } from './page-answer.ts';
import { readHead } from './page-head.ts';
import { toPager } from './pager.ts';
import { findPosts, toItems } from './shown-posts.ts';

/** An archive that is asked for. `siteUrl`: address of the site. `perPage`: number of records on a page. */
export interface AskedArchive {
  readonly archive: Archive;
  readonly language: string;
  readonly pathname: string;
  readonly siteUrl: string;
  readonly perPage: number;
}

/** Shows a page of the archive of a term or an author: its name, its description and its records. 404 for a page that it does not have. */
export async function showArchive(engine: Engine, asked: AskedArchive): Promise<Answer> {
  const { archive: { name, description, page, mayBeEmpty, lists }, language, pathname, siteUrl, perPage } = asked;
  const found = await Promise.all(lists.map((each) => {
    const [list = '', filter = ''] = each.split('?');
    return findPosts(engine, language, { list, query: `${filter}&page=${page}&per_page=${perPage}` });
  }));
  const items = found.map(({ posts }) => toItems(posts)).join('');
  if (items === '' && (page > 1 || !mayBeEmpty)) return toNotFound(engine, language);
  const pages = Math.max(...found.map((each) => each.pages));
  const title = escapeText(name);
  return toHtml(200, {
    language, head: await readHead(engine, { language, pathname, siteUrl, title }), body: `<h1>${title}</h1><p>${escapeText(description)}</p>${items}${toPager(pathname, { page, pages })}`,
  });
}
