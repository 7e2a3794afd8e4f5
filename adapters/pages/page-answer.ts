/** What is sent for a page. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly link?: string;
  readonly location?: string;
  readonly cache?: string;
  readonly retryAfter?: string;
}

/** A page of the site. `head`: markup, with the title. `body`: markup. */
export interface Page {
  readonly language: string;
  readonly head: string;
  readonly body: string;
}

const STYLE = 'body{font:18px/1.6 Georgia,serif;max-width:42rem;margin:3rem auto;padding:0 1rem}img{max-width:100%}a{color:#0a58ca}';
/** Headers of every page. */
export const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': "default-src 'self'; style-src 'unsafe-inline'; img-src *" };

/** The title of a page. `title`: markup, whose tags are left out. */
export const toTitle = (title: string): string => `<title>${title.replaceAll(/<[^>]*>?/g, (tag) => (tag.endsWith('>') ? '' : tag))}</title>`;

/** A whole document. */
export function toPage({ language, head, body }: Page): string {
  return `<!doctype html><html lang="${language}"><meta charset="utf-8">${head}<style>${STYLE}</style>${body}</html>`;
}

/** An answer with a page. */
export const toHtml = (status: number, page: Page): Answer => ({ status, type: 'text/html', text: toPage(page) });

/** A page that shows its status alone. */
export const toBare = (status: number, language: string): Answer => toHtml(status, { language, head: toTitle(String(status)), body: `<h1>${status}</h1>` });
