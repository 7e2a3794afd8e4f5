import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './page-answer.ts';
import { toPageHeaders } from './page-style.ts';

/** Sends an answer; to HEAD without its text. */
export function sendPage(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, type, text, link, location, cache, referrer, retryAfter, formTarget }: Answer,
): void {
  const own = Object.entries({
    // A page can be had as Markdown, too.
    Vary: type === 'application/json' ? undefined : 'Accept',
    Link: link,
    Location: location,
    'Cache-Control': cache,
    'Referrer-Policy': referrer,
    'Retry-After': retryAfter,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  response
    .writeHead(status, {
      ...toPageHeaders(formTarget),
      'Content-Type': `${type}; charset=UTF-8`,
      ...Object.fromEntries(own),
    })
    .end(method === 'HEAD' ? '' : text);
}
