import { createRequest, type Engine, renamePath } from '../../lib/index.ts';
import type { ReadPictureSizes } from '../../registry/site.ts';
import { type Answer, toBare } from './page-answer.ts';
import { checkAnswer } from './page-failure.ts';
import { type HeadedPage, showFramed, showNotFound } from './page-frame.ts';
import { textsOf, toApiLanguage } from './page-texts.ts';
import { findPosts, type Guess, type ShownPost, titleOf, toByline, toTopics } from './shown-posts.ts';

/** Name of the field of a password, as in WordPress. */
export const PASSWORD_FIELD = 'post_password';

const HEADING = /<(\/?)h([1-6])(?=[\s/>])/gi;
const LOWEST = 6;

/**
 * The content of a record with its headings below that of the page: no second `h1`, and no level left out, so that a screen reader can list them.
 * Only digits in the names of headings change.
 */
function inOrder(content: string): string {
  const above: number[] = [];
  return content.replaceAll(HEADING, (_tag, slash: string, digit: string) => {
    const level = Number(digit);
    if (slash === '') {
      while ((above.at(-1) ?? 0) >= level) above.pop();
      above.push(level);
    }
    return `<${slash}h${Math.min(Math.max(above.length, 1) + 1, LOWEST)}`;
  });
}

/** Two expressions, each of which passes over the text once: together they would begin again at every `<img`. */
const PICTURE = /<img\b[^<>]*>/g;
const LIBRARY_CLASS = /\bclass="[^">]*\b[a-z]+-image-(\d{1,15})\b/;

/** Gives pictures of the library their sizes, as WordPress does, so that the text does not move when they arrive. */
async function withSizes(content: string, read: ReadPictureSizes): Promise<string> {
  const idOf = (tag: string): number =>
    /\s(?:width|height)=/.test(tag) ? 0 : Number(LIBRARY_CLASS.exec(tag)?.[1] ?? 0);
  const ids = [...content.matchAll(PICTURE)].map(([tag]) => idOf(tag)).filter((id) => id > 0);
  const sizes = await read([...new Set(ids)]);
  if (sizes.size === 0) return content;
  return content.replaceAll(PICTURE, (tag) => {
    const size = sizes.get(idOf(tag));
    return size === undefined
      ? tag
      : tag.replace('<img', `<img width="${size.width}" height="${size.height}"`);
  });
}

/** Where the page of a record is shown. */
interface UntitledPage extends Omit<HeadedPage, 'title'> {
  readonly guess: Guess | undefined;
  readonly readPictureSizes: ReadPictureSizes;
}

/** Shows the post at the address of a language. */
export async function showPost(engine: Engine, place: UntitledPage, slug: string): Promise<Answer> {
  const {
    posts: [post],
  } = await findPosts(engine, place.language, {
    query: `slug=${encodeURIComponent(slug)}&per_page=1`,
    as: 'page',
    guess: place.guess,
  });
  return post === undefined ? showNotFound(engine, place.language) : toPostPage(engine, place, post);
}

/** Shows the record of a route, as a list shows it: without a text that cannot be read. It may have been removed since it was found. The page that is a home page is shown there. */
export async function showRecord(engine: Engine, place: UntitledPage, route: string): Promise<Answer> {
  const { language, pathname, siteUrl } = place;
  const slash = route.lastIndexOf('/');
  const {
    posts: [post],
  } = await findPosts(engine, language, {
    list: route.slice(0, slash),
    query: `include=${route.slice(slash + 1)}`,
    as: 'page',
    guess: place.guess,
  });
  if (post === undefined) return showNotFound(engine, language);
  const home = `/${language}/`;
  return post.link === home && pathname !== home
    ? { ...toBare(301, language), location: `${siteUrl}${home}` }
    : toPostPage(engine, place, post);
}

const BASE = /^[\w-]{1,60}$/;

/** Shows a record to a visitor with the token of a preview. No cache keeps the page. */
export async function showPreview(
  engine: Engine,
  place: UntitledPage,
  { base, id, preview }: { readonly base: string; readonly id: string; readonly preview: string },
): Promise<Answer> {
  const { language, siteUrl } = place;
  const path = renamePath(engine.names, `/cms/v2/${BASE.test(base) ? base : 'posts'}/${id}`);
  const response = await engine.dispatch(
    createRequest(`${path}?preview=${encodeURIComponent(preview)}`, {
      language: toApiLanguage(engine, language),
      siteUrl,
    }),
  );
  checkAnswer(`the preview of ${id}`, response);
  const answer =
    response.status === 200
      ? await toPostPage(engine, place, response.body as ShownPost)
      : await showNotFound(engine, language);
  return { ...answer, cache: 'no-store', referrer: 'no-referrer' };
}

/**
 * Asks for the password of a record. It is sent to the address of the page and opens this one answer: there is no cookie that
 * another page could use, and nothing that a foreign form could change.
 */
function toPasswordForm(language: string, guess: Guess | undefined): string {
  const { protected: isProtected, password, wrongPassword, open } = textsOf(language);
  const wrong = guess === undefined ? '' : `<p role="alert">${wrongPassword}</p>`;
  return `<p>${isProtected}</p>${wrong}<form method="post"><label>${password} <input type="password" name="${PASSWORD_FIELD}" autocomplete="off" required></label> <button>${open}</button></form>`;
}

async function toPostPage(engine: Engine, place: UntitledPage, post: ShownPost): Promise<Answer> {
  const { language } = place;
  const title = titleOf(post, language);
  const { rendered = '', protected: isProtected = false } = post.content ?? {};
  const isClosed = isProtected && rendered === '';
  const text = isClosed
    ? toPasswordForm(language, place.guess)
    : await withSizes(inOrder(rendered), place.readPictureSizes);
  const shown = await showFramed(
    engine,
    { ...place, title },
    {
      status: 200,
      main: `<article><h1>${title}</h1>${toByline(post, language)}${text}${toTopics(post, engine, language)}</article>`,
    },
  );
  // Nobody else may be shown what the password opens.
  return isProtected
    ? { ...shown, status: isClosed && place.guess !== undefined ? 403 : 200, cache: 'no-store' }
    : shown;
}
