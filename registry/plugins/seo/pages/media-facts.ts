import type { Store } from '../../../../lib/store/store.ts';
import type { ContentLink } from '../values/content-facts.ts';
import type { ImageFacts } from '../values/facts.ts';
import { toNumber, toText } from '../values/json.ts';
import { isWebAddress } from '../values/web-address.ts';

/** Maximum number of images from the text that a card can use. */
const MAX_IMAGES = 4;

/** The featured image; null when there is none. */
export async function readMedia(
  store: Store,
  id: number,
  toUrl: (file: string) => string,
): Promise<ImageFacts | null> {
  const record = id === 0 ? null : await store.get('media', id);
  const type = toText(record?.['mime_type']);
  if (record === null || !type.startsWith('image/')) return null;
  return {
    url: toUrl(toText(record['file'])),
    width: toNumber(record['width']),
    height: toNumber(record['height']),
    type,
    caption: toText(record['alt']) || toText(record['title']),
  };
}

/** Images in the text, with absolute URLs. */
export function toContentImages(links: readonly ContentLink[], base: string): readonly ImageFacts[] {
  const pictures = links
    .filter(({ image, url }) => image && URL.canParse(url, base))
    .map(({ url, alt }) => ({ url: new URL(url, base).href, caption: alt, width: 0, height: 0, type: '' }));
  return pictures.filter(({ url }) => isWebAddress(url)).slice(0, MAX_IMAGES);
}
