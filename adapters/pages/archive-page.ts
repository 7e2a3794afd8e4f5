import { escapeText } from '../../lib/core/escape.ts';
import type { Engine } from '../../lib/index.ts';
import type { Archive } from '../../registry/site.ts';
import { showNotFound } from './not-found-page.ts';
import type { Answer } from './page-answer.ts';
import { showFramed } from './page-frame.ts';
import type { AskedList } from './page-head.ts';
import { textsOf } from './page-texts.ts';
import { toPager } from './pager.ts';
import { findPosts, toItems } from './shown-posts.ts';

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
