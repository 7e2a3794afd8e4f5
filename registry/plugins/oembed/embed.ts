import { escapeAttribute, escapeText } from '../../../lib/core/escape.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';
import { toAddressed } from '../../core/addresses/link-parts.ts';
import { toAuthorPath } from '../../core/addresses/page-paths.ts';
import { loadAddresses } from '../../core/addresses/post-addresses.ts';
import { toPlainText } from '../../core/content/html/plain-text.ts';
import { renderTitle } from '../../core/content/render/render.ts';
import { toShownTexts } from '../../core/content/sanitise/text-fields.ts';
import { toMediaUrl } from '../../core/host/media-url.ts';
import type { Ports } from '../../core/host/ports.ts';
import { servicesOf } from '../../core/services.ts';
import { oembedError } from './errors.ts';
import { findPost } from './find-post.ts';
import { toFrameSize, type Size } from './size.ts';

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
  const settings = servicesOf(ports).settings;
  const post = await findPost({ ...ports, settings }, url, pagesUrl);
  if (post === null) throw oembedError('oembed_invalid_url');
  const isProtected = textIn(post, 'password') !== '';
  const language = textIn(post, 'language');
  const rendered = renderTitle(textIn(post, 'title'));
  const title = isProtected ? `Protected: ${rendered}` : rendered;
  const addressed = toAddressed(post);
  const link = (
    await loadAddresses({ store: ports.store, types: ports.content.types, settings }, [addressed])
  )(addressed, call.site);
  const [{ name }, author, media] = await Promise.all([
    settings(),
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
