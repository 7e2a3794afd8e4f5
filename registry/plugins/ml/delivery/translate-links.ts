import { type SiteView, and, eq, not, oneOf, or } from '../../../../lib/index.ts';
import {
  ADDRESSED,
  type PostRecord,
  type Steps,
  createPause,
  encodeSlug,
  loadAddresses,
  loadTermAddresses,
  orderLanguages,
  own,
  rewriteLinks,
  runInTurns,
  toPost,
  toSitePath,
  toTerm,
} from '../../../plugin.ts';
import { findByGroup } from '../posts/source-texts.ts';
import type { Job } from '../records/job-record.ts';
import { type FieldTexts, mapTexts } from '../records/job-texts.ts';
import type { TranslationServices } from '../services/services.ts';

/** A link to a page of this site. `id`: of a link by number, otherwise 0. `segments`: of the path, the language first, decoded and in lower case. */
interface OwnLink {
  readonly id: number;
  readonly segments: readonly string[];
}

/** Where links are read. `page`: address of the page with the links. `languages`: of the site, the default one first. */
interface LinkPlace {
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

/** The texts of a job whose links are translated, and the source that they translate. */
interface LinkedTexts {
  readonly job: Pick<Job, 'fields' | 'source' | 'target'>;
  readonly source: PostRecord;
  readonly site: SiteView;
}

interface LinkedPage extends LinkedTexts {
  readonly place: LinkPlace;
}

/** Addresses of translations, by the key of the page that was translated. */
type Pages = ReadonlyMap<string, string>;

const keyOf = ({ id, segments }: OwnLink): string => (id === 0 ? segments.join('/') : `?p=${id}`);
const NOT_LINKED = ['trash', 'auto-draft'];

/** A post that readers cannot see yet has the address by its id, so that the slug of no draft gets into a text. */
const toLinked = (post: PostRecord): PostRecord =>
  post.status === 'publish' ? post : { ...post, status: 'draft' };

async function findPosts(
  services: TranslationServices,
  links: readonly OwnLink[],
  { job, site, place }: LinkedPage,
): Promise<Pages> {
  const { store, settings, content } = services;
  const { pageOnFront } = await settings();
  const ids = [...links.map(({ id }) => id), own(pageOnFront, job.source) ?? 0].filter((id) => id !== 0);
  const slugs = links.flatMap(({ segments }) => segments.slice(1).slice(-1));
  const where = and(
    eq('language', job.source),
    not(eq('group', 0)),
    not(oneOf('status', NOT_LINKED)),
    or(oneOf('id', ids), oneOf('slug', [...new Set(slugs)])),
  );
  const { records } = await store.find({ collection: 'posts', where, fields: [...ADDRESSED, 'group'] });
  const translations = await findByGroup(store, records, {
    collection: 'posts',
    where: and(eq('language', job.target), not(oneOf('status', NOT_LINKED))),
    fields: [...ADDRESSED, 'group'],
  });
  const addressOf = await loadAddresses(
    { store, settings, types: content.types },
    [...records, ...translations.values()].map(toPost),
  );
  const pages = new Map<string, string>();
  for (const post of records.map(toPost)) {
    const translation = translations.get(post.group);
    const link = readOwnLink(addressOf(post, site), place);
    if (translation?.['type'] !== post.type || link === null) continue;
    const address = addressOf(toLinked(toPost(translation)), site);
    if (address !== '') pages.set(keyOf(link), address).set(`?p=${post.id}`, address);
  }
  return pages;
}

const toTermKey = ([language = '', path = '', ...slugs]: readonly string[]): string =>
  `${language}/${path}/${slugs.at(-1) ?? ''}`;

async function findTerms(
  services: TranslationServices,
  links: readonly OwnLink[],
  { job, site, place }: LinkedPage,
): Promise<Pages> {
  const { taxonomies } = services.content;
  const paths = new Set([...taxonomies.values()].map(({ path }) => path));
  const named = links.filter(({ segments }) => segments.length > 2 && paths.has(segments[1] ?? ''));
  if (named.length === 0) return new Map();
  const slugs = named.map(({ segments }) => segments.at(-1) ?? '');
  const where = and(
    oneOf('taxonomy', [...taxonomies.keys()]),
    eq('language', job.source),
    not(eq('group', 0)),
    oneOf('slug', slugs),
  );
  const { records } = await services.store.find({ collection: 'terms', where });
  const translations = await findByGroup(services.store, records, {
    collection: 'terms',
    where: eq('language', job.target),
  });
  const terms = records.map(toTerm);
  const addressOf = await loadTermAddresses({ store: services.store, taxonomies }, [
    ...terms,
    ...[...translations.values()].map(toTerm),
  ]);
  const addresses = new Map<string, string>();
  for (const term of terms) {
    const translation = translations.get(term.group);
    const link = readOwnLink(addressOf(term, site), place);
    if (translation?.['taxonomy'] === term.taxonomy && link !== null)
      addresses.set(toTermKey(link.segments), addressOf(toTerm(translation), site));
  }
  const pages = new Map<string, string>();
  for (const link of named) {
    const address = addresses.get(toTermKey(link.segments));
    if (address !== undefined) pages.set(keyOf(link), address);
  }
  return pages;
}

async function toPlace(
  { store, config, content, settings }: TranslationServices,
  { source, site }: LinkedTexts,
): Promise<LinkPlace> {
  const addressOf = await loadAddresses({ store, settings, types: content.types }, [source]);
  return {
    page: addressOf(source, site) || site.pagesUrl,
    pagesUrl: site.pagesUrl,
    languages: orderLanguages(config),
  };
}

const hasLinks = (id: string): boolean => id !== 'title' && id !== 'URL' && !id.startsWith('t_');

/**
 * Texts in which links to pages of the site in the source language lead to the translations of these pages. A link without a
 * translation, and a text that equals its source, stay byte for byte.
 */
export async function translateLinks(
  services: TranslationServices,
  texts: FieldTexts,
  linked: LinkedTexts,
): Promise<FieldTexts> {
  const sources = new Map(linked.job.fields.map(({ id, source }) => [id, source]));
  const translated = [...texts].filter(([id, text]) => hasLinks(id) && text !== sources.get(id));
  const place = await toPlace(services, linked);
  const links = new Map<string, OwnLink>();
  const pause = createPause();
  for (const [, text] of translated) {
    await runInTurns(
      mapTexts(text, (leaf) =>
        rewriteLinks(leaf, ({ address }) => {
          const link = readOwnLink(address, place);
          if (link !== null) links.set(address, link);
          return null;
        }),
      ),
      pause,
    );
  }
  if (links.size === 0) return texts;
  const found = [...links.values()];
  const pages = new Map([
    ...(await findTerms(services, found, { ...linked, place })),
    ...(await findPosts(services, found, { ...linked, place })),
  ]);
  const rewrite = (leaf: string): Steps<string> =>
    rewriteLinks(leaf, ({ address, written }) => {
      const link = links.get(address);
      const page = link === undefined ? undefined : pages.get(keyOf(link));
      return link === undefined || page === undefined
        ? null
        : toPage(written, page, { byId: link.id !== 0, pagesUrl: place.pagesUrl });
    });
  const linkedTexts = new Map(texts);
  for (const [id, text] of translated) linkedTexts.set(id, await runInTurns(mapTexts(text, rewrite), pause));
  return linkedTexts;
}
