import { encodeSlug, toSitePath } from '../../../core/addresses/page-paths.ts';

/** A link to a page of this site. `id`: of a link by number, otherwise 0. `segments`: of the path, the language first, decoded and in lower case. */
export interface OwnLink {
  readonly id: number;
  readonly segments: readonly string[];
}

/** Where links are read. `page`: address of the page with the links. `languages`: of the site, the default one first. */
export interface LinkPlace {
  readonly page: string;
  readonly pagesUrl: string;
  readonly languages: readonly string[];
}

const ID = /^[1-9]\d{0,14}$/;

/** Reads a link, which may be relative; null for a link to another site, within the page, or to a file of another scheme. */
export function readOwnLink(address: string, { page, pagesUrl, languages }: LinkPlace): OwnLink | null {
  if (/^\s*(?:[?#]|$)/.test(address) || !URL.canParse(address, page)) return null;
  const place = toSitePath(new URL(address, page).href, pagesUrl);
  if (place === null) return null;
  const given = place.path.split('/').filter((segment) => segment !== '');
  const segments = languages.includes(given[0] ?? '') ? given : [languages[0] ?? '', ...given];
  const id = place.query.get('p') ?? place.query.get('page_id') ?? '';
  return { id: segments.length === 1 && ID.test(id) ? Number(id) : 0, segments: segments.map(encodeSlug) };
}

const PARTS = /^((?:https?:)?\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(.*)$/is;

/** The query of a link by number without the number. */
const withoutId = (query: string): string =>
  query
    .replaceAll(/(\?|&amp;|&)(?:p|page_id|post_type)=[^&#]*/g, (_all, before: string) =>
      before === '?' ? '?' : '',
    )
    .replace(/^\?(?:&amp;|&)?/, '?')
    .replace(/^\?$/, '');

/**
 * The link as written, with another page: origin, query and fragment stay. Relative paths become paths from the root.
 * @returns null for a link whose path is written with character references
 */
export function toPage(
  written: string,
  page: string,
  { byId, pagesUrl }: { readonly byId: boolean; readonly pagesUrl: string },
): string | null {
  const [, origin = '', path = '', query = '', fragment = ''] = PARTS.exec(written.trim()) ?? [];
  if (path.includes('&')) return null;
  const url = new URL(page);
  const address = url.origin === new URL(pagesUrl).origin ? origin + url.pathname : url.origin + url.pathname;
  const kept = byId ? withoutId(query) : query;
  return (
    address +
    (url.search === '' || kept === '' ? url.search + kept : `${url.search}&amp;${kept.slice(1)}`) +
    fragment
  );
}
