import type { Store, StoredRecord } from '../../../lib/index.ts';
import { readHtml, toMediaUrl } from '../../plugin.ts';

/** Maximum number of pictures per post, because child ids have three digits for it. */
const MAX_IMAGES = 999;

function listContentImages(html: string, base: string): readonly string[] {
  const urls: string[] = [];
  readHtml(html, {
    start: ({ name, attributes }) => {
      const src =
        name === 'img' ? (attributes.find((attribute) => attribute.name === 'src')?.value.trim() ?? '') : '';
      if (src !== '' && URL.canParse(src, base)) urls.push(new URL(src, base).href);
    },
  });
  return urls.filter((url) => /^https?:\/\//.test(url));
}

/** Addresses of the featured images of posts, by media id. */
export async function readFeatured(
  store: Store,
  posts: readonly StoredRecord[],
  siteUrl: string,
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(posts.map((post) => Number(post['featured_media'])).filter((id) => id > 0))];
  if (ids.length === 0) return new Map();
  const { records } = await store.find({
    collection: 'media',
    where: { op: 'in', field: 'id', values: ids },
    fields: ['file', 'mime_type'],
  });
  return new Map(
    records
      .filter((media) => String(media['mime_type']).startsWith('image/'))
      .map((media) => [media.id, toMediaUrl(siteUrl, String(media['file']))]),
  );
}

/** Absolute addresses of the pictures of a post without duplicates: first the featured image, then those of the text. `base`: address of the post. */
export function listImages(
  post: StoredRecord,
  featured: ReadonlyMap<number, string>,
  base: string,
): readonly string[] {
  const first = featured.get(Number(post['featured_media']));
  return [
    ...new Set([
      ...(first === undefined ? [] : [first]),
      ...listContentImages(String(post['content']), base),
    ]),
  ].slice(0, MAX_IMAGES);
}
