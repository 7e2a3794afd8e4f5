import { type Call, can, type Permission, RestResponse } from '../../../../lib/index.ts';
import {
  type AddressQuery,
  createTypeRights,
  findMoved,
  findTarget,
  type FoundTarget,
  invalidParam,
  MEDIA_PATH,
  OutboundRefused,
  type Ports,
  publishedOf,
  servicesOf,
  toPost,
  toSitePath,
  upstreamError,
} from '../../../plugin.ts';
import { toHead } from '../head/head.ts';
import { PAGE_READERS } from '../pages/archive-pages.ts';
import { createHeadContext } from '../pages/head-context.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { seoError } from '../values/errors.ts';
import { findMeta, type HeadFacts, NO_META, type SeoMeta, toMetaKey } from '../values/head-facts.ts';
import { type PageContext, toErrorPage } from '../values/page-context.ts';
import { isWebAddress, toMembers, toNumber } from '../values/scalars.ts';

const toFailure = (response: string): RestResponse =>
  new RestResponse({ type: 'failure', response }, { status: 404 });
const NOT_FOUND = toFailure('The file does not exist.');
const FOREIGN = toFailure('The file is on another host.');

/** The path below the media library; null for a URL outside it. `source_url` of a file has the prefix of a language. */
function toMediaPath(path: string, prefixes: readonly string[]): string | null {
  const prefix = ['', ...prefixes.map((language) => `/${language}`)].find((each) =>
    path.startsWith(`${each}${MEDIA_PATH}`),
  );
  if (prefix === undefined) return null;
  try {
    return decodeURIComponent(path.slice(prefix.length + MEDIA_PATH.length));
  } catch {
    // A malformed percent-encoding cannot be a file name.
    return null;
  }
}

/** Sizes of media files. The site's own files are read; configured media hosts are asked with HEAD. */
export function createFileSizeHandlers({
  ports: {
    media,
    outbound,
    log,
    config: { prefixes },
  },
  config,
}: SeoDeps): HandlerGroup<'seo.fileSize'> {
  async function readOwn(place: string): Promise<number | null> {
    const path = toMediaPath(place, prefixes);
    return path === null || media === undefined ? null : media.size(path);
  }

  async function readForeign(url: string, call: Call): Promise<number | null> {
    if (outbound === undefined)
      throw upstreamError('service_not_connected', { data: { service: 'media-outbound' } });
    try {
      const { status, headers } = await outbound({ url, method: 'HEAD', accept: [], signal: call.signal });
      const size = status === 200 ? Number(headers['content-length'] ?? Number.NaN) : Number.NaN;
      return Number.isSafeInteger(size) && size >= 0 ? size : null;
    } catch (error) {
      if (!(error instanceof OutboundRefused)) throw error;
      log({ level: 'warn', message: 'the media host did not return a size', error });
      return null;
    }
  }

  return {
    'seo.fileSize': async ({ url }, call) => {
      if (!isWebAddress(url)) return FOREIGN;
      const own = toSitePath(url, call.request.siteUrl) ?? toSitePath(url, call.site.pagesUrl);
      if (own === null && !config.mediaHosts.includes(new URL(url).host)) return FOREIGN;
      const size = own === null ? await readForeign(url, call) : await readOwn(own.path);
      return size === null ? NOT_FOUND : { type: 'success', size_in_bytes: size };
    },
  };
}

function readPage<K extends FoundTarget['kind']>(
  context: PageContext,
  target: Extract<FoundTarget, { kind: K }> & { kind: K },
): Promise<HeadFacts | null> {
  return PAGE_READERS[target.kind](context, target);
}

/** Head markup for front ends that do not build their own. A page that is not public is reported as not found. */
export function createHeadHandlers({ ports, config }: SeoDeps): HandlerGroup<'seo.head'> {
  const { sources, createContext } = createHeadContext({ ports, config });
  const { publishDue, nextDue } = servicesOf(ports).schedule;
  const isPublic = publishedOf(config.postTypes);

  /** With redirects, the page of a post that had the address before. */
  async function readMoved(context: PageContext, query: AddressQuery): Promise<HeadFacts | null> {
    const moved = await findMoved(sources, query);
    return moved === null
      ? null
      : readPage(context, { kind: 'post-id', language: context.language, id: moved.id });
  }

  return {
    'seo.head': async ({ url }, call) => {
      if (!URL.canParse(url))
        throw invalidParam('url', `"${url}" is not an absolute URL such as ${call.site.home()}/.`);
      await publishDue();
      const query = { url, siteUrl: call.site.pagesUrl, isPublic };
      const target = await findTarget(sources, query);
      const context = await createContext(call, target?.language ?? call.language);
      const facts =
        (target === null ? null : await readPage(context, target)) ??
        (config.redirects ? await readMoved(context, query) : null);
      if (facts === null)
        return new RestResponse({ ...toHead(toErrorPage(context)), status: 404 }, { status: 404 });
      // A scheduled translation becomes one of the alternates when it is published.
      const dependsOn = { records: [], collections: call.endpoint.cache ?? [], until: nextDue() };
      return new RestResponse({ ...toHead(facts), status: 200 }, { dependsOn });
    },
  };
}

const LIMIT = 25;
/** The names of the editor's fields. */
const FIELDS = Object.keys(NO_META) as readonly (keyof SeoMeta)[];

type Plain = string | number | boolean;

function isPlain(value: unknown): value is Plain {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Allows callers who may edit the post. Anonymous callers do not learn whether the post exists. */
export function createMetaPermission({ store, content }: Pick<Ports, 'store' | 'content'>): Permission {
  const rightsOf = createTypeRights(content);
  return async ({ post_id }, { identity }) => {
    if (!can(identity, 'edit_posts')) return false;
    const record = await store.get('posts', toNumber(post_id));
    if (record === null) return seoError('post_not_found');
    const post = toPost(record);
    return rightsOf(post.type).mayEdit(identity, post);
  };
}

/** Suggests names of a post's custom fields: its own and, as `seo_*`, its editor's fields. */
export function createMetaSearchHandlers({ ports: { store } }: SeoDeps): HandlerGroup<'seo.meta.search'> {
  return {
    'seo.meta.search': async ({ post_id, query = '' }) => {
      const post = await store.get('posts', post_id);
      if (post === null) throw seoError('post_not_found');
      const { meta } = (await findMeta(store, 'post', [post_id]))(post_id);
      const said = FIELDS.map((field) => [toMetaKey(field), meta[field]] as const).filter(
        ([, value]) => value !== '' && value !== false,
      );
      // The post's own values win, as in its head, unless they are empty.
      const own = Object.entries(toMembers(post['meta']));
      const all: readonly (readonly [string, unknown])[] = [
        ...new Map([...own, ...said, ...own.filter(([, value]) => value !== '')]),
      ];
      const wanted = all.filter(([key]) => (query === '' ? !key.startsWith('_') : key.startsWith(query)));
      const rows = wanted.flatMap(([key, value]) => (isPlain(value) ? [{ key, value }] : []));
      return { meta: rows.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, LIMIT) };
    },
  };
}
