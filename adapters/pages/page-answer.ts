import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { defined } from '../../lib/core/objects.ts';
import { STYLE } from './page-style.ts';
import { textsOf } from './page-texts.ts';

/**
 * What a page may load and do. Only the stylesheet above applies, and what `style` attributes of the content say. Pages run no script.
 * The empty icon (`data:`) keeps browsers from asking for /favicon.ico.
 */
const POLICY = {
  'default-src': "'self'",
  'script-src': "'none'",
  'style-src-elem': `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'style-src-attr': "'unsafe-inline'",
  'img-src': '* data:',
  'form-action': "'self'",
  'base-uri': "'none'",
  // A page in the frame of another site could be made to take a click.
  'frame-ancestors': "'none'",
};

/** Headers of every page. `formTarget`: origin to which the answer to a form may redirect. */
const toPageHeaders = (formTarget = ''): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': Object.entries({
    ...POLICY,
    'form-action': `${POLICY['form-action']} ${formTarget}`.trim(),
  })
    .map((directive) => directive.join(' '))
    .join('; '),
});

/** What is sent for a page. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly link?: string;
  readonly location?: string;
  readonly cache?: string;
  /** `Referrer-Policy`. */
  readonly referrer?: string;
  readonly retryAfter?: string | undefined;
  /** Where a form of the page may lead to, beside this site. */
  readonly formTarget?: string | undefined;
}

/** A page of the site. `head`: markup, with the title. `body`: markup. */
interface Page {
  readonly language: string;
  readonly head: string;
  readonly body: string;
}

/** The same on every page. The empty icon keeps browsers from asking for one. */
const START = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><style>${STYLE}</style>`;

/** The title of a page. `title`: markup, whose tags are left out. */
export const toTitle = (title: string): string =>
  `<title>${title.replaceAll(/<[^>]*>?/g, (tag) => (tag.endsWith('>') ? '' : tag))}</title>`;

/** A whole document. */
function toPage({ language, head, body }: Page): string {
  return `<!doctype html><html lang="${language}"><head>${START}${head}</head><body>${body}</body></html>`;
}

/** An answer with a page. */
export const toHtml = (status: number, page: Page): Answer => ({
  status,
  type: 'text/html',
  text: toPage(page),
});

/** A page that needs nothing from the site: its status, and in a failure what the visitor can do. */
export function toBare(status: number, language: string): Answer {
  const { failed, unavailable } = textsOf(language);
  const sentence = status === 503 ? unavailable : status >= 500 ? failed : '';
  return toHtml(status, {
    language,
    head: toTitle(String(status)),
    body: `<main><h1>${status}</h1>${sentence === '' ? '' : `<p>${sentence}</p>`}</main>`,
  });
}

/** Sends an answer; to HEAD without its text. */
export function sendPage(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, type, text, link, location, cache, referrer, retryAfter, formTarget }: Answer,
): void {
  const headers = defined({
    ...toPageHeaders(formTarget),
    'Content-Type': `${type}; charset=UTF-8`,
    // A page can be had as Markdown, too.
    Vary: type === 'application/json' ? undefined : 'Accept',
    Link: link,
    Location: location,
    'Cache-Control': cache,
    'Referrer-Policy': referrer,
    'Retry-After': retryAfter,
  });
  response.writeHead(status, headers).end(method === 'HEAD' ? '' : text);
}
