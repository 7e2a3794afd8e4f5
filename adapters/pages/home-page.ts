import type { Engine } from '../../lib/index.ts';
import { showNotFound } from './not-found-page.ts';
import type { Answer } from './page-answer.ts';
import { readSiteNames, showFramed } from './page-frame.ts';
import type { AskedList } from './page-head.ts';
import { readPageNumber, toPager } from './pager.ts';
import { findPosts, toItems } from './shown-posts.ts';

/** Shows a page of the newest posts of a language. 404 for a page that the site does not have. */
export async function showNewest(engine: Engine, place: AskedList): Promise<Answer> {
  const { language, pathname, perPage } = place;
  const page = readPageNumber(pathname);
  const [names, { posts, pages }] = await Promise.all([
    readSiteNames(engine, language),
    findPosts(engine, language, { query: `ignore_sticky=false&page=${page}&per_page=${perPage}` }),
  ]);
  if (posts.length === 0 && page > 1) return showNotFound(engine, language);
  // A document must have a title, also that of a site without a name.
  const title = names.name || language;
  const introduction = names.description === '' ? '' : `<p>${names.description}</p>`;
  return showFramed(
    engine,
    { ...place, title },
    {
      status: 200,
      names,
      isHome: true,
      main: `<h1>${title}</h1>${introduction}${toItems(posts, language)}${toPager(pathname, { page, pages, language })}`,
    },
  );
}
