import { parseTarget } from '../../../lib/http/address.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import { JsonText } from '../../../lib/json/json-document.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Embed } from '../../../lib/route/namespace.ts';
import { callInner } from '../post-views/inner-call.ts';

const FIRST_ERROR = 400;

/** The response to a link of this site, as the caller would get it in the `embed` context; null for an address outside the API. */
async function follow(href: string, call: Call): Promise<RestResponse | null> {
  const base = call.site.wireUrl('');
  if (!href.startsWith(`${base}/`)) return null;
  const { path, query } = parseTarget(href.slice(base.length));
  return callInner(call, { method: 'GET', path, query: `${query}${query === '' ? '' : '&'}context=embed` });
}

const toBody = (response: RestResponse): unknown =>
  response.content instanceof JsonText ? response.body : response.content;

/** Whether the request asks for embedded records. */
export function isEmbedding({ request: { query } }: Call): boolean {
  return query.includes('_embed');
}

/** Embeds what the link leads to. What the caller must not see is embedded as its error. */
const embedTarget: Embed = async (href, call) => {
  const response = await follow(href, call);
  return response === null ? null : toBody(response);
};

/** Embeds what the link leads to if the caller may see it. */
const embedVisible: Embed = async (href, call) => {
  const response = await follow(href, call);
  return response === null || response.status >= FIRST_ERROR ? null : toBody(response);
};

/** Embeds a list unless it is empty. */
const embedList: Embed = async (href, call) => {
  const body = await embedTarget(href, call);
  return Array.isArray(body) && body.length === 0 ? null : body;
};

/**
 * With the core controllers every link leads to a route of the site, so that embedding is reading it. Relations in the order in which
 * `_embedded` shows them.
 */
export const CORE_EMBEDS: Readonly<Record<string, Embed>> = {
  self: embedTarget,
  author: embedTarget,
  replies: embedList,
  'cms:featuredmedia': embedVisible,
  'cms:term': embedTarget,
  up: embedTarget,
  'in-reply-to': embedTarget,
  children: embedList,
  'cms:attached-to': embedTarget,
  'cms:menu': embedTarget,
  'cms:menu-item-object': embedTarget,
};
