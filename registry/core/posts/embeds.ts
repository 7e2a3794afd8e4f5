import { parseTarget } from '../../../lib/http/address.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Embed } from '../../../lib/route/namespace.ts';
import { compareScalars } from '../../../lib/store/query-plan.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { loadTermAddresses } from '../addresses/permalink.ts';
import { renderTitle } from '../content/render/render.ts';
import { toShownTexts } from '../content/sanitise/text-fields.ts';
import { toMediaUrl } from '../host/media-url.ts';
import type { Taxonomy } from '../model/content-type.ts';
import { callInner, type CmsDeps } from '../post-views/post-deps.ts';
import { MEDIA_TYPE, toMedia } from '../records/media-record.ts';
import { type TermRecord, toTerm } from '../records/term-record.ts';
import type { UserRecord } from '../records/user-record.ts';

const FIRST_ERROR = 400;

/** The response to a link of this site, as the caller would get it in the `embed` context; null for an address outside the API. */
async function follow(href: string, call: Call): Promise<RestResponse | null> {
  const base = call.site.wireUrl('');
  if (!href.startsWith(`${base}/`)) return null;
  const { path, query } = parseTarget(href.slice(base.length));
  return callInner(call, { method: 'GET', path, query: `${query}${query === '' ? '' : '&'}context=embed` });
}

/** Whether the request asks for embedded records. */
export function isEmbedding({ request: { query } }: Call): boolean {
  return query.includes('_embed');
}

/** Embeds what the link leads to. What the caller must not see is embedded as its error. */
const embedTarget: Embed = async (href, call) => {
  return (await follow(href, call))?.body ?? null;
};

/** Embeds what the link leads to if the caller may see it. */
const embedVisible: Embed = async (href, call) => {
  const response = await follow(href, call);
  return response === null || response.status >= FIRST_ERROR ? null : response.body;
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

function idOf(href: string, form: RegExp): number {
  return Number(form.exec(href)?.[1] ?? 0);
}

const LAST_NUMBER = /\/(\d+)$/;
const POST_NUMBER = /[?&]post=(\d+)/;
/** The base of a taxonomy in the address of a list of its terms. */
const BASE = /\/([\w-]+)\?/;

type KindSource = Pick<CmsDeps, 'store' | 'content' | 'terms'>;

/** The public fields of an author. */
function showAuthor(record: StoredRecord, call: Call): object {
  const { id, name, url, description, slug } = toShownTexts('users', record as UserRecord);
  return {
    id,
    name,
    url,
    description,
    slug,
    link: `${call.site.home()}/author/${slug}/`,
    _links: { self: [{ href: call.site.url(`/cms/v2/users/${id}`) }] },
  };
}

function showTerm(
  record: TermRecord,
  { base, link }: Pick<Taxonomy, 'base'> & { readonly link: string },
  call: Call,
): object {
  const term = toShownTexts('terms', record);
  return {
    id: term.id,
    link,
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    _links: { self: [{ href: call.site.url(`/cms/v2/${base}/${term.id}`) }] },
  };
}

function showMedia(record: StoredRecord, call: Call): object {
  const media = toShownTexts('media', toMedia(record));
  const { id, date, slug, title, author, alt, mime_type, width, height, file } = media;
  return {
    id,
    date,
    slug,
    type: MEDIA_TYPE,
    link: `${call.site.home()}/${slug}/`,
    title: { rendered: renderTitle(title) },
    author,
    alt_text: alt,
    media_type: 'image',
    mime_type,
    media_details: { width, height, file },
    source_url: toMediaUrl(call.request.siteUrl, file),
    _links: { self: [{ href: call.site.url(`/cms/v2/media/${id}`) }] },
  };
}

/** The order of the store, in which `name` is a folded field. */
function byName(a: TermRecord, b: TermRecord): number {
  return compareScalars(fold(a.name), fold(b.name)) || compareScalars(a.name, b.name) || a.id - b.id;
}

async function loadTerms(
  { store, content, terms: readTerms }: KindSource,
  href: string,
  call: Call,
): Promise<readonly object[]> {
  const taxonomy = [...content.taxonomies.values()].find(({ base }) => base === BASE.exec(href)?.[1]);
  if (taxonomy === undefined) return [];
  const id = idOf(href, POST_NUMBER);
  const post = await call.once(`embedded terms of ${id}`, () => store.get('posts', id));
  const ids = (post?.[taxonomy.field] ?? []) as readonly number[];
  const known = await readTerms(ids);
  const terms = [...new Set(ids)]
    .flatMap((term) => known.get(term) ?? [])
    .map(toTerm)
    .filter((term) => term.taxonomy === taxonomy.name)
    .sort(byName);
  const addressOf = await loadTermAddresses({ store, taxonomies: content.taxonomies }, terms);
  return terms.map((term) => showTerm(term, { base: taxonomy.base, link: addressOf(term, call.site) }, call));
}

/** Resolves the embeddable links of a post. A link whose target no longer exists embeds nothing. */
export function createPostEmbeds(context: KindSource): Readonly<Record<string, Embed>> {
  const one =
    (collection: string, show: (record: StoredRecord, call: Call) => object): Embed =>
    async (href, call) => {
      const found = await context.store.get(collection, idOf(href, LAST_NUMBER));
      return found === null ? null : show(found, call);
    };
  return {
    author: one('users', showAuthor),
    'cms:featuredmedia': one('media', showMedia),
    'cms:term': (href, call) => loadTerms(context, href, call),
  };
}
