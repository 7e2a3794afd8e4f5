import type { Call } from '../../lib/route/call.ts';
import { and, eq, or, type Order, type Predicate } from '../../lib/store/query.ts';
import type { StoredRecord } from '../../lib/store/store.ts';
import { isOut } from '../cms/schedule.ts';
import { toPlainText } from '../content/plain-text.ts';
import { mapReadable } from '../map-readable.ts';
import type { Ports } from '../ports.ts';
import { toPostPath } from '../seo/address.ts';
import { builderError } from './errors.ts';
import type { FeedEntry, PhotoProvider } from './photo-provider.ts';
import { listImages, readFeatured } from './post-images.ts';

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d) (\d{1,15})$/;
const ID = /^[1-9]\d{0,11}$/;
const PER_POST = 1000;
const NEWEST_FIRST: readonly Order[] = [{ field: 'date', direction: 'desc' }];
const FIELDS = ['title', 'slug', 'language', 'content', 'featured_media', 'date'] as const;

/** Public posts without a password. */
const isOpen = (now: number): Predicate => and(eq('type', 'post'), isOut(now), eq('password', ''));
const PICTURED: Predicate = or({ op: 'gt', field: 'featured_media', value: 0 }, { op: 'contains', field: 'content', text: '<img' });

function toAfter(position: string): Predicate {
  const [, date = '', id = ''] = POSITION.exec(position) ?? [];
  if (date === '') throw builderError('photofeed_invalid_cursor');
  return or({ op: 'lt', field: 'date', value: date }, and(eq('date', date), { op: 'lt', field: 'id', value: Number(id) }));
}

function permalinkOf(post: StoredRecord, call: Call): string {
  return call.request.siteUrl + toPostPath({ language: String(post['language']), slug: String(post['slug']), id: post.id });
}

function toEntry(post: StoredRecord, images: readonly string[], permalink: string): FeedEntry | null {
  const [first] = images;
  if (first === undefined) return null;
  return {
    id: String(post.id), caption: toPlainText(String(post['title'])), media_type: images.length > 1 ? 'CAROUSEL_ALBUM' : 'IMAGE',
    media_url: first, permalink, thumbnail_url: first,
  };
}

/** The pictures of the site: one entry for each published post with pictures, newest first. */
export function createSitePhotos({ store, now, log }: Pick<Ports, 'store' | 'now' | 'log'>): PhotoProvider {
  const readOpen = async (id: number): Promise<StoredRecord | undefined> => (
    (await store.find({ collection: 'posts', where: and(isOpen(now()), eq('id', id)), limit: 1, fields: FIELDS })).records[0]
  );
  return {
    async list({ limit, page, position }, call) {
      const where = and(isOpen(now()), eq('language', call.language), PICTURED, ...(position === null ? [] : [toAfter(position)]));
      const offset = position === null ? (page - 1) * limit : 0;
      const { records, incomplete = [] } = await store.find({ collection: 'posts', where, order: NEWEST_FIRST, limit: limit + 1, offset, fields: FIELDS, longTexts: 'omit' }, call);
      const posts = records.slice(0, limit);
      const featured = await readFeatured(store, posts, call.request.siteUrl);
      const entries = await mapReadable(posts, async (listed) => {
        const post = incomplete.includes(listed.id) ? await readOpen(listed.id) : listed;
        if (post === undefined) return null;
        const permalink = permalinkOf(post, call);
        return toEntry(post, listImages(post, featured, permalink), permalink);
      }, { log, what: (id) => `showing the pictures of post ${id}` });
      const last = records.length > limit ? posts.at(-1) : undefined;
      return { entries: entries.filter((entry) => entry !== null), next: last === undefined ? null : `${String(last['date'])} ${last.id}` };
    },
    async children(id, call) {
      if (!ID.test(id)) return null;
      const post = await readOpen(Number(id));
      if (post === undefined) return null;
      const permalink = permalinkOf(post, call);
      const images = listImages(post, await readFeatured(store, [post], call.request.siteUrl), permalink);
      return images.map((url, index) => ({ id: String(post.id * PER_POST + index + 1), media_type: 'IMAGE', media_url: url, permalink, thumbnail_url: url }));
    },
  };
}
