import {
  and,
  type Call,
  createErrors,
  eq,
  type ErrorTable,
  findFirst,
  type Json,
  oneOf,
  type Predicate,
  type StoredRecord,
} from '../../../lib/index.ts';
import {
  ADDRESSED,
  type ContentModel,
  escapeAttribute,
  escapeText,
  findMoved,
  findTarget,
  type FoundTarget,
  isOut,
  loadAddresses,
  own,
  perObject,
  type Ports,
  renderTitle,
  servicesOf,
  toAddressed,
  toAddressSources,
  toAuthorPath,
  toMediaUrl,
  toPlainText,
  toShownTexts,
} from '../../plugin.ts';

/** The errors of `oembed/1.0` in addition to those of the engine and of the upstream port. */
export const OEMBED_ERRORS = {
  oembed_invalid_url: [404, 'Not Found'],
  rest_forbidden: ['denied', 'Sorry, you are not allowed to make proxied oEmbed requests.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const oembedError = createErrors(OEMBED_ERRORS);

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN = 200;
const MAX = 600;

/** The integer at the start of a value, or 0 if there is none. The value is cast and never rejected. */
export function castInteger(value: unknown): number {
  const number =
    typeof value === 'number' ? value : Number(/^\s*[+-]?\d{1,15}/.exec(String(value))?.[0] ?? 0);
  return Number.isFinite(number) ? Math.trunc(number) : 0;
}

/** The frame size of a post of this site in pixels: 200 to 600 wide, with a ratio of 16:9, but at least 200 high. */
function toFrameSize(maxwidth: unknown): Size {
  const width = Math.min(Math.max(Math.abs(castInteger(maxwidth)), MIN), MAX);
  return { width, height: Math.max(Math.ceil((width * 9) / 16), MIN) };
}

/** The size to request from a foreign provider, in pixels. Without a height, the height is 1.5 times the width, at most 1000. */
export function toOfferedSize(maxwidth: unknown, maxheight: unknown): Size {
  const width = castInteger(maxwidth) > 0 ? castInteger(maxwidth) : MAX;
  const height = castInteger(maxheight);
  return { width, height: height > 0 ? height : Math.min(Math.ceil(width * 1.5), 1000) };
}

/** Types whose posts can be embedded, whether or not the API has routes for them. */
const typesOf = perObject(({ types }: ContentModel) =>
  [...types.values()].filter((type) => type.public && type.storage === 'posts').map(({ name }) => name),
);

function toPredicate(target: FoundTarget | null): Predicate | null {
  if (target?.kind === 'post-id' || target?.kind === 'posts-page') return eq('id', target.id);
  return target?.kind === 'post' ? and(eq('slug', target.slug), eq('language', target.language)) : null;
}

/**
 * The published post with this address: its permalink with or without the trailing slash, or `?p=id`, each also below a
 * language prefix. With redirects, also an address that it had before. Returns null for every other address, so that drafts, private posts and unknown slugs look the same.
 */
async function findPost(ports: Ports, url: string, siteUrl: string): Promise<StoredRecord | null> {
  const { store, config, content, now } = ports;
  const isPublic = and(isOut(now()), oneOf('type', typesOf(content)));
  const [sources, query] = [toAddressSources(ports), { url, siteUrl, isPublic }];
  const wanted = toPredicate(await findTarget(sources, query));
  const fields = ['title', 'password', 'featured_media', ...ADDRESSED];
  const found =
    wanted === null
      ? undefined
      : await findFirst(store, { collection: 'posts', where: and(isPublic, wanted), fields });
  return found ?? (config.namespaces['seo']?.['redirects'] === true ? findMoved(sources, query) : null);
}

/** The oEmbed description of a page (oembed.com 2.3.4), ready to be sent. */
export type Oembed = Readonly<Record<string, string | number>>;

const textIn = (record: StoredRecord | null, field: string): string =>
  String(own<Json>(record ?? {}, field) ?? '');

async function getById(ports: Ports, collection: string, id: unknown): Promise<StoredRecord | null> {
  return typeof id === 'number' && id > 0 ? ports.store.get(collection, id) : null;
}

/** The link to the post and, if the host serves `embed/` pages, the frame. Both contain the same secret, which identifies the frame. */
function toHtml(
  ports: Ports,
  { link, title }: { readonly link: string; readonly title: string },
  { width, height }: Size,
): string {
  const quote = (attributes: string): string =>
    `<blockquote class="cms-embedded-content"${attributes}><a href="${escapeAttribute(link)}">${escapeText(title)}</a></blockquote>`;
  if (ports.config.namespaces['oembed']?.['embedPage'] !== true) return quote('');
  const secret = Buffer.from(ports.random(8)).toString('hex');
  const address = new URL('embed/', link);
  address.hash = `?secret=${secret}`;
  return (
    `${quote(` data-secret="${secret}"`)}<iframe class="cms-embedded-content" sandbox="allow-scripts" security="restricted" ` +
    `src="${escapeAttribute(address.href)}" data-secret="${secret}" title="${escapeAttribute(title)}" width="${width}" height="${height}"></iframe>`
  );
}

function toThumbnail(media: StoredRecord | null, siteUrl: string): Oembed {
  const [width, height] = [media?.['width'], media?.['height']];
  if (
    media === null ||
    typeof width !== 'number' ||
    typeof height !== 'number' ||
    width === 0 ||
    height === 0
  )
    return {};
  return {
    thumbnail_url: toMediaUrl(siteUrl, textIn(media, 'file')),
    thumbnail_width: width,
    thumbnail_height: height,
  };
}

/**
 * Describes a published post of this site. A protected post is described by title and link only.
 * @throws RestError `oembed_invalid_url` for any other address
 */
export async function describeOwn(
  ports: Ports,
  call: Call,
  { url, maxwidth }: { readonly url: string; readonly maxwidth: unknown },
): Promise<Oembed> {
  const {
    request: { siteUrl },
    site: { pagesUrl },
  } = call;
  const post = await findPost(ports, url, pagesUrl);
  if (post === null) throw oembedError('oembed_invalid_url');
  const isProtected = textIn(post, 'password') !== '';
  const language = textIn(post, 'language');
  const rendered = renderTitle(textIn(post, 'title'));
  const title = isProtected ? `Protected: ${rendered}` : rendered;
  const addressed = toAddressed(post);
  const addressOf = await loadAddresses(toAddressSources(ports), [addressed]);
  const link = addressOf(addressed, call.site);
  const [{ name }, author, media] = await Promise.all([
    servicesOf(ports).settings(),
    getById(ports, 'users', post['author']),
    getById(ports, 'media', isProtected ? 0 : post['featured_media']),
  ]);
  const provider = own(name, call.request.language) ?? '';
  const size = toFrameSize(maxwidth);
  return {
    version: '1.0',
    provider_name: provider,
    provider_url: call.site.home(),
    author_name: author === null ? provider : (toShownTexts('users', author)['name'] as string),
    author_url:
      author === null ? call.site.home() : pagesUrl + toAuthorPath(language, textIn(author, 'slug')),
    title,
    type: 'rich',
    ...size,
    html: toHtml(ports, { link, title: toPlainText(title) || link }, size),
    ...toThumbnail(media, siteUrl),
  };
}
