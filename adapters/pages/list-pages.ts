import { escapeText } from '../../lib/core/escape.ts';
import type { Engine } from '../../lib/index.ts';
import type { Archive } from '../../registry/site.ts';
import type { Answer } from './page-answer.ts';
import { type AskedList, readSiteNames, showFramed, showNotFound } from './page-frame.ts';
import { textsOf } from './page-texts.ts';
import { findPosts, readPageNumber, toItems, toPager } from './shown-posts.ts';

/** An archive that is asked for. */
interface AskedArchive extends AskedList {
  readonly archive: Archive;
}

/** Shows a page of the archive of a term or an author: its name, its description and its records. 404 for a page that it does not have. */
export async function showArchive(
  engine: Engine,
  { archive, perPage, ...place }: AskedArchive,
): Promise<Answer> {
  const { name, description, page, mayBeEmpty, lists } = archive;
  const { language, pathname } = place;
  const found = await Promise.all(
    lists.map((each) => {
      const [list = '', filter = ''] = each.split('?');
      return findPosts(engine, language, { list, query: `${filter}&page=${page}&per_page=${perPage}` });
    }),
  );
  const posts = found.flatMap((each) => each.posts);
  if (posts.length === 0 && (page > 1 || !mayBeEmpty)) return showNotFound(engine, language);
  const pages = Math.max(...found.map((each) => each.pages));
  const { untitled, nothing } = textsOf(language);
  const title = escapeText(name) || untitled;
  const introduction = description === '' ? '' : `<p>${escapeText(description)}</p>`;
  const items = posts.length === 0 ? `<p>${nothing}</p>` : toItems(posts, language);
  return showFramed(
    engine,
    { ...place, title },
    {
      status: 200,
      main: `<h1>${title}</h1>${introduction}${items}${toPager(pathname, { page, pages, language })}`,
    },
  );
}

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
