import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodePercent } from '../../lib/core/text.ts';
import { createRequest, type Engine, logToConsole, renamePath, RestError } from '../../lib/index.ts';
import type {
  FindArchive,
  FindRedirect,
  FindRoute,
  OpenDocument,
  ReadPictureSizes,
} from '../../registry/site.ts';
import type { LoadShedder } from '../http/admission/load-shedder.ts';
import { patienceOf } from '../http/admission/waiting.ts';
import { readCallerAddress } from '../http/host-options.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import { AUTHORIZE_PAGE, readForm, showAuthorize } from './authorize-page.ts';
import { findDocument, sendDocument, showMarkdown, wantsMarkdown } from './documents.ts';
import { readSearch, showArchive, showFound, showNewest } from './list-pages.ts';
import { type Answer, sendPage, toBare } from './page-answer.ts';
import { checkAnswer, isOfCaller, PageFailure, toFailurePage } from './page-failure.ts';
import { type AskedList, showNotFound } from './page-frame.ts';
import { toApiLanguage, toHomePath } from './page-texts.ts';
import { PASSWORD_FIELD, showPost, showPreview, showRecord } from './record-page.ts';
import { sendFile, type ServedFolder } from './send-file.ts';
import { type Guess, readPageNumber, type ShownPost, toFirstPage } from './shown-posts.ts';

interface PageOptions {
  /** Directories whose files are sent. */
  readonly folders: readonly ServedFolder[];
  readonly siteUrl: () => string;
  /** The network address of a visitor. Default: that of the connection. */
  readonly address?: (request: IncomingMessage) => string | undefined;
  readonly openDocument: OpenDocument;
  readonly findRedirect: FindRedirect;
  readonly findRoute: FindRoute;
  readonly findArchive: FindArchive;
  /** Number of records on a page. */
  readonly readPageSize: () => Promise<number>;
  readonly readPictureSizes: ReadPictureSizes;
  /** Restores the initial content. null: the address does not exist. */
  readonly reset: (() => Promise<void>) | null;
  /** Languages of the content. Pages of a language without a prefix of the API are shown too, because their links lead here. */
  readonly languages: readonly string[];
  /** What a monitor reads at /metrics. Default: nothing is there. */
  readonly metrics?: Monitored | undefined;
  /** Whether the store takes writes. */
  readonly isHealthy: () => Promise<boolean>;
  /** Pages wait for their turn as requests to the API do. */
  readonly loadShedder: LoadShedder;
}

/** What a visitor sent. `from`: the network address. */
interface Sent {
  readonly method: string;
  readonly form: URLSearchParams | null;
  readonly from: string;
  readonly accept: string | undefined;
}

/** What a monitor reads. `isHealthy`: whether the store takes writes. */
interface Monitored {
  readonly type: string;
  toText(isHealthy: boolean): string;
}

/** Tells a monitor, and every other caller, no more than whether the site works. */
const HEALTH: Monitored = {
  type: 'application/json',
  toText: (isHealthy) => JSON.stringify({ status: isHealthy ? 'ok' : 'unavailable' }),
};

/** What monitors ask for; null for every other request. */
async function showMonitored(
  path: string | undefined,
  { method, isHealthy, metrics }: Pick<PageOptions, 'isHealthy' | 'metrics'> & { readonly method: string },
): Promise<Answer | null> {
  const isRead = method === 'GET' || method === 'HEAD';
  const asked = path === '/healthz' ? HEALTH : path === '/metrics' ? metrics : undefined;
  if (!isRead || asked === undefined) return null;
  const isOk = await isHealthy();
  const status = asked === HEALTH && !isOk ? 503 : 200;
  return { status, type: asked.type, text: asked.toText(isOk), cache: 'no-store' };
}

type PageSources = Pick<
  PageOptions,
  'siteUrl' | 'findRoute' | 'findArchive' | 'readPageSize' | 'readPictureSizes'
>;

/** A page that is asked for. `slug`: '' for a home page, null for a path of several parts. */
interface AskedPage {
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly language: string;
  readonly slug: string | null;
  /** A password that the visitor sent with the form of a protected record. */
  readonly guess: Guess | undefined;
  readonly accept: string | undefined;
}

/** Parameters of a home page that ask for a record by its id, as links of WordPress do. Files of the media library have no page. */
const NUMBERS = [
  { name: 'p', hasPage: true },
  { name: 'page_id', hasPage: true },
  { name: 'attachment_id', hasPage: false },
] as const;
/** The token of a preview. */
const TOKEN = /^\d{1,15}\.[\w-]{1,60}$/;
const ID = /^0*([1-9]\d{0,14})$/;

/** The address of a redirect, with the query of the visitor: without the id by which a record was asked for. */
function withQuery(location: string, search: string, isHome: boolean): string {
  const names: readonly string[] = isHome ? NUMBERS.map(({ name }) => name) : [];
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !names.includes(part.split('=')[0] ?? ''));
  return kept.length === 0 ? location : `${location}${location.includes('?') ? '&' : '?'}${kept.join('&')}`;
}

/** The id in the address of a home page; 0 for a record that has no page. null: the home page itself is asked for. */
function readNumber(query: URLSearchParams): string | null {
  for (const { name, hasPage } of NUMBERS) {
    const id = ID.exec(query.get(name) ?? '')?.[1];
    if (id !== undefined) return hasPage ? id : '0';
  }
  return null;
}

/** Sends to the permalink of a published record of any language. */
async function showNumbered(
  engine: Engine,
  { siteUrl, findRoute }: PageSources,
  { language, id }: { readonly language: string; readonly id: string },
): Promise<Answer> {
  const route = id === '0' ? null : await findRoute(`/?p=${id}`, siteUrl());
  if (route === null) return showNotFound(engine, language);
  const response = await engine.dispatch(
    createRequest(`${renamePath(engine.names, route)}?_fields=link`, {
      language: toApiLanguage(engine, language),
      siteUrl: siteUrl(),
    }),
  );
  checkAnswer(`the record of ${route}`, response);
  return response.status === 200
    ? { ...toBare(301, language), location: (response.body as ShownPost).link }
    : showNotFound(engine, language);
}

/** Shows the newest posts of a language. A home page with a page of the site has no further pages, and a language without a prefix has no home page. */
async function showHome(
  engine: Engine,
  { siteUrl, findRoute }: PageSources,
  list: AskedList,
): Promise<Answer> {
  const { language, pathname } = list;
  const isPage =
    !engine.prefixes.includes(language) ||
    (readPageNumber(pathname) > 1 && (await findRoute(toHomePath(engine, language), siteUrl())) !== null);
  return isPage ? showNotFound(engine, language) : showNewest(engine, list);
}

async function showPage(
  engine: Engine,
  sources: PageSources,
  { pathname, query, language, slug, guess, accept }: AskedPage,
): Promise<Answer> {
  const id = slug === '' ? readNumber(query) : null;
  const preview = query.get('preview_nonce') ?? '';
  if (id !== null && TOKEN.test(preview)) {
    const place = {
      language,
      pathname,
      siteUrl: sources.siteUrl(),
      guess: undefined,
      readPictureSizes: sources.readPictureSizes,
    };
    return showPreview(engine, place, { id, preview, base: query.get('rest_base') ?? 'posts' });
  }
  if (id !== null) return showNumbered(engine, sources, { language, id });
  const { siteUrl, findRoute, findArchive } = sources;
  // The address of the site alone is the home page of its first language.
  const place = {
    language,
    pathname: pathname === '/' ? toHomePath(engine, language) : pathname,
    siteUrl: siteUrl(),
  };
  const record = { ...place, guess, readPictureSizes: sources.readPictureSizes };
  const list = { ...place, perPage: await sources.readPageSize() };
  const text = slug === '' ? readSearch(query) : '';
  if (text !== '') return showFound(engine, list, text);
  const markdown = wantsMarkdown(accept, pathname) ? await showMarkdown(engine, sources, list) : null;
  if (markdown !== null) return markdown;
  const route = await findRoute(place.pathname, siteUrl());
  if (route !== null) return showRecord(engine, record, route);
  const archive = await findArchive(place.pathname, siteUrl());
  if (archive !== null)
    return archive.location === null
      ? showArchive(engine, { archive, ...list })
      : { ...toBare(301, language), location: archive.location };
  if (slug === '') return showHome(engine, sources, list);
  return slug === null ? showNotFound(engine, language) : showPost(engine, record, slug);
}

function showFailure(
  request: IncomingMessage,
  response: ServerResponse,
  { error, language }: { readonly error: unknown; readonly language: string },
): void {
  // The engine has logged why a request to it was answered with 503, and overload is not a failure.
  if (
    !(
      (error instanceof RestError || error instanceof PageFailure) &&
      (isOfCaller(error) || Number(error.status) < 500)
    )
  )
    logToConsole({ level: 'error', message: 'a page could not be shown', error });
  // Part of a file has been sent: the client must see that it is not complete.
  if (response.headersSent) response.destroy();
  else sendPage(request, response, toFailurePage(error, language));
}

const hasPasswords = ({ routes }: Engine): boolean =>
  routes.some(({ pattern }) => pattern.endsWith('/application-passwords'));

/** A request for a page. */
interface Asked {
  readonly sent: Sent;
  readonly url: URL;
}

/** What is at a path of a language. */
async function showInLanguage(
  engine: Engine,
  options: PageOptions,
  {
    sent: { form, from, accept },
    url: { search, searchParams: query },
    pathname,
    language,
  }: Asked & { readonly pathname: string; readonly language: string },
): Promise<Answer> {
  const { siteUrl, findRedirect } = options;
  const [, prefix = '', part = '', ...rest] = pathname.split('/');
  const slug = decodePercent(part);
  if (slug === null) return toBare(400, language);
  const asked = toFirstPage(pathname) === `/${prefix}/` ? '' : rest.join('') === '' ? slug : null;
  const link = `<${siteUrl()}/${toApiLanguage(engine, language)}${engine.base}/>; rel="${engine.names.apiRelation}"`;
  const password = form?.get(PASSWORD_FIELD) ?? '';
  const guess = password === '' ? undefined : { password, address: from };
  const shown = await showPage(engine, options, { pathname, query, language, slug: asked, guess, accept });
  const location = shown.status === 404 ? await findRedirect(pathname, siteUrl()) : (shown.location ?? null);
  return location === null
    ? { ...shown, link }
    : { ...toBare(301, language), link, location: withQuery(location, search, asked === '') };
}

/** What is at a path of no language: a redirect to where a plugin says, else to what has the path below the first language, because a site that was moved here had addresses without languages. */
async function showOutside(engine: Engine, options: PageOptions, { sent, url }: Asked): Promise<Answer> {
  const { pathname, search } = url;
  const language = firstLanguage(engine);
  const site = options.siteUrl();
  const moved = await options.findRedirect(pathname, site);
  if (moved !== null) return { ...toBare(301, language), location: withQuery(moved, search, false) };
  const below = `/${language}${pathname}`;
  const shown = await showInLanguage(engine, options, { sent, url, pathname: below, language });
  const location = shown.location ?? (shown.status === 200 ? `${site}${below}${search}` : null);
  return location === null ? showNotFound(engine, language) : { ...toBare(301, language), location };
}

/** What an address shows. */
async function showAddress(engine: Engine, options: PageOptions, asked: Asked): Promise<Answer> {
  const { siteUrl, reset, languages } = options;
  const {
    sent: { method, form, from },
    url: { pathname, searchParams: query },
  } = asked;
  if (reset !== null && pathname === '/__reset' && method === 'POST') {
    await reset();
    return { status: 200, type: 'application/json', text: '{"reset":true}' };
  }
  const isRead = method === 'GET' || method === 'HEAD';
  if (pathname === AUTHORIZE_PAGE && (isRead || form !== null) && hasPasswords(engine))
    return showAuthorize(engine, { query, form, siteUrl: siteUrl(), address: from });
  const first = firstLanguage(engine);
  const language = pathname.split('/')[1] || first;
  if (!isRead && !form?.get(PASSWORD_FIELD)) return showNotFound(engine, first);
  if (engine.prefixes.includes(language) || languages.includes(language))
    return showInLanguage(engine, options, { ...asked, pathname, language });
  return isRead ? showOutside(engine, options, asked) : showNotFound(engine, first);
}

const firstLanguage = ({ prefixes: [first = 'en'] }: Engine): string => first;

async function answer(
  engine: Engine,
  options: PageOptions,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const { folders, loadShedder, siteUrl, openDocument, address = () => undefined } = options;
  const { method = 'GET', url: target = '/' } = request;
  const url = URL.canParse(target, 'http://localhost') ? new URL(target, 'http://localhost') : null;
  for (const served of folders) if (await sendFile(request, response, served)) return;
  // A monitor must be answered under load too.
  const watched = await showMonitored(url?.pathname, { ...options, method });
  if (watched !== null) {
    sendPage(request, response, watched);
    return;
  }
  const form = method === 'POST' ? await readForm(request) : null;
  const from = readCallerAddress(address(request), request.socket.remoteAddress ?? '');
  const sent = { method, form, from, accept: request.headers.accept };
  const found = await loadShedder.take({
    patience: patienceOf(HTTP_LIMITS),
    isOver: () => request.socket.destroyed,
    run: async () => {
      const file = await findDocument(request, { openDocument, siteUrl });
      if (file !== null) return { file };
      return {
        page:
          url === null
            ? toBare(400, firstLanguage(engine))
            : await showAddress(engine, options, { sent, url }),
      };
    },
  });
  if (found === null) return;
  // A file is sent as slowly as the client reads it, and has no place in the line meanwhile.
  if ('file' in found) await sendDocument(request, response, found.file);
  else sendPage(request, response, found.page);
}

/**
 * The pages of the server: the newest posts of a language, results of searches, one record of any type, archives of terms and authors, and the files of the media library.
 * The first `Link` header of a page names the API, so that clients find it.
 */
export function createPages(
  engine: Engine,
  options: PageOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    answer(engine, options, { request, response }).catch((error: unknown) => {
      showFailure(request, response, { error, language: firstLanguage(engine) });
    });
  };
}
