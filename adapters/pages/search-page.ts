import { escapeText } from '../../lib/core/escape.ts';
import type { Engine } from '../../lib/index.ts';
import { showNotFound } from './not-found-page.ts';
import type { Answer } from './page-answer.ts';
import { showFramed } from './page-frame.ts';
import type { AskedList } from './page-head.ts';
import { textsOf } from './page-texts.ts';
import { readPageNumber, toPager } from './pager.ts';
import { findPosts, toItems } from './shown-posts.ts';

/** Longest text of a search, in characters, as in the heads of the SEO namespace. */
const MOST_CHARACTERS = 200;

/** The text that a home page is asked to search for; '' for none. */
export const readSearch = (query: URLSearchParams): string =>
  Array.from(query.get('s') ?? '')
    .slice(0, MOST_CHARACTERS)
    .join('')
    .trim();

/** Shows a page of the posts of a language that anonymous callers find by a text. 404 for a further page that the results do not have. */
export async function showFound(engine: Engine, place: AskedList, text: string): Promise<Answer> {
  const { language, pathname, perPage } = place;
  const [page, words] = [readPageNumber(pathname), encodeURIComponent(text)];
  const { posts, pages } = await findPosts(engine, language, {
    query: `search=${words}&page=${page}&per_page=${perPage}`,
  });
  if (posts.length === 0 && page > 1) return showNotFound(engine, language);
  const { searched, nothing } = textsOf(language);
  const title = escapeText(searched.replace('{}', () => text));
  const query = `?s=${words}`;
  const items = posts.length === 0 ? `<p>${nothing}</p>` : toItems(posts, language);
  return showFramed(
    engine,
    { ...place, query, title },
    {
      status: 200,
      searched: text,
      main: `<h1>${title}</h1>${items}${toPager(pathname, { page, pages, query, language })}`,
    },
  );
}
