import { escapeOnce } from '../../lib/core/escape.ts';
import { createRequest, type Engine } from '../../lib/index.ts';
import { toNotFound } from './not-found-page.ts';
import { toHtml, type Answer } from './page-answer.ts';
import { checkAnswer } from './page-failure.ts';
import { readHead, type AskedList } from './page-head.ts';
import { readPageNumber, toPager } from './pager.ts';
import { findPosts, toItems } from './shown-posts.ts';

/** Shows a page of the newest posts of a language. 404 for a page that the site does not have. */
export async function showNewest(engine: Engine, place: AskedList): Promise<Answer> {
  const { language, pathname, perPage } = place;
  const page = readPageNumber(pathname);
  const response = await engine.dispatch(createRequest('/?_fields=name,description', { language, siteUrl: '' }));
  checkAnswer('the index', response);
  const { name, description } = response.body as { readonly name: string; readonly description: string };
  const { posts, pages } = await findPosts(engine, language, { query: `ignore_sticky=false&page=${page}&per_page=${perPage}` });
  if (posts.length === 0 && page > 1) return toNotFound(engine, language);
  const others = engine.prefixes.map((prefix) => `<a href="/${prefix}/">${prefix}</a>`).join(' ');
  // A document must have a title, also that of a site without a name.
  const title = escapeOnce(name) || language;
  return toHtml(200, {
    language, head: await readHead(engine, { ...place, title }),
    body: `<p>${others}</p><h1>${escapeOnce(name)}</h1><p>${escapeOnce(description)}</p>${toItems(posts)}${toPager(pathname, { page, pages })}`,
  });
}
