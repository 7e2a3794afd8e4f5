import { escapeAttribute, escapeOnce, escapeQuotesOnce } from '../../lib/core/escape.ts';
import { createRequest, type Engine, renamePath } from '../../lib/index.ts';
import { type Answer, toHtml, toTitle } from './page-answer.ts';
import { checkAnswer } from './page-failure.ts';
import { textsOf, toApiLanguage, toHomePath, toLanguageName } from './page-texts.ts';

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
interface Head {
  readonly html: string;
  /** Address of the page in each language that has it: a path, where it is on this site. */
  readonly alternates: ReadonlyMap<string, string>;
}

interface SeoHead {
  readonly html: string;
  readonly json: { readonly alternates?: readonly { readonly hreflang: string; readonly href: string }[] };
}

/** The head of a page; the title alone where the site has none for the page. */
async function readHead(
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

/** Name and description of the site: markup without tags. */
interface SiteNames {
  readonly name: string;
  readonly description: string;
}

/** Reads them. @throws PageFailure for a failure of the site */
export async function readSiteNames(engine: Engine, language: string): Promise<SiteNames> {
  const response = await engine.dispatch(
    createRequest('/?_fields=name,description', { language: toApiLanguage(engine, language), siteUrl: '' }),
  );
  checkAnswer('the index', response);
  const { name, description } = response.body as SiteNames;
  return { name: escapeOnce(name), description: escapeOnce(description) };
}

/** The page of a kind. `main`: markup of what only this page has. `searched`: text in the search field. `isHome`: its heading is the name of the site. */
interface MainPage {
  readonly status: number;
  readonly language: string;
  readonly main: string;
  readonly searched?: string;
  readonly isHome?: boolean;
}

/** Links to the page in the other languages, or to their home pages. */
function toLanguageLinks({ prefixes }: Engine, language: string, alternates: Head['alternates']): string {
  if (prefixes.length < 2) return '';
  const links = prefixes.map((each) => {
    const href = escapeQuotesOnce(alternates.get(each) ?? `/${each}/`);
    return `<li><a href="${href}" hreflang="${each}" lang="${each}"${each === language ? ' aria-current="true"' : ''}>${escapeOnce(toLanguageName(each))}</a></li>`;
  });
  return `<nav aria-label="${textsOf(language).languages}"><ul>${links.join('')}</ul></nav>`;
}

function toSearchForm(engine: Engine, language: string, searched: string): string {
  const { search } = textsOf(language);
  return `<form role="search" action="${toHomePath(engine, language)}"><label><span>${search}</span> <input type="search" name="s" value="${escapeAttribute(searched)}" placeholder="${search}" required></label> <button>${search}</button></form>`;
}

/** The page between the header and the footer of every page. */
function toFramed(
  engine: Engine,
  { name }: SiteNames,
  { head, page }: { readonly head: Head; readonly page: MainPage },
): Answer {
  const { status, language, main, searched = '', isHome = false } = page;
  const { skip, api, home } = textsOf(language);
  const link = isHome ? '' : `<a href="${toHomePath(engine, language)}">${name || home}</a>`;
  return toHtml(status, {
    language,
    head: head.html,
    body:
      `<a class="skip" href="#main">${skip}</a><header>${link}${toSearchForm(engine, language, searched)}${toLanguageLinks(engine, language, head.alternates)}</header>` +
      `<main id="main" tabindex="-1">${main}</main><footer><a href="/${toApiLanguage(engine, language)}${engine.base}/">${api}</a></footer>`,
  });
}

/** Shows a page that has an address of its own. `names`: read already. */
export async function showFramed(
  engine: Engine,
  place: HeadedPage,
  { names, ...page }: Omit<MainPage, 'language'> & { readonly names?: SiteNames },
): Promise<Answer> {
  const [head, found] = await Promise.all([
    readHead(engine, place),
    names ?? readSiteNames(engine, place.language),
  ]);
  return toFramed(engine, found, { head, page: { ...page, language: place.language } });
}

/** Shows a page that is at no address. `title`: markup. */
async function showUnlisted(engine: Engine, title: string, page: MainPage): Promise<Answer> {
  return toFramed(engine, await readSiteNames(engine, page.language), {
    head: { html: toTitle(title), alternates: new Map() },
    page,
  });
}

/** Shows the page of an address that does not exist. @throws PageFailure for a failure of the site */
export function showNotFound(engine: Engine, language: string): Promise<Answer> {
  const { notFound, explanation, home } = textsOf(language);
  return showUnlisted(engine, notFound, {
    status: 404,
    language,
    main: `<h1>${notFound}</h1><p>${explanation}</p><p><a href="${toHomePath(engine, language)}">${home}</a></p>`,
  });
}
