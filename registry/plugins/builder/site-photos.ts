import {
  findFirst,
  and,
  type Call,
  contains,
  createErrors,
  desc,
  eq,
  type ErrorTable,
  gt,
  lt,
  or,
  type Order,
  type Predicate,
  type Store,
} from '../../../lib/index.ts';
import {
  ADDRESSED,
  findByIds,
  isOut,
  loadAddresses,
  mapReadable,
  type Ports,
  type PostRecord,
  readHtml,
  type ReadSettings,
  servicesOf,
  TEXT_KINDS,
  toMediaUrl,
  toPost,
} from '../../plugin.ts';
import type { FeedEntry, PhotoProvider } from './photo-provider.ts';

/** The errors of `builder/photofeed` in addition to those of the engine and of the upstream port. */
export const PHOTOFEED_ERRORS = {
  photofeed_not_found: [404, 'There is no album with this id.'],
  photofeed_invalid_cursor: [
    400,
    'The parameter next is not a cursor of this feed. Take it from paging.next, or leave it out to start from the beginning.',
  ],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const photofeedError = createErrors(PHOTOFEED_ERRORS);

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
async function readFeatured(
  store: Store,
  posts: readonly PostRecord[],
  siteUrl: string,
): Promise<ReadonlyMap<number, string>> {
  const images = await findByIds(store, {
    collection: 'media',
    ids: posts.map((post) => post.featured_media),
    fields: ['file', 'mime_type'],
  });
  return new Map(
    [...images]
      .filter(([, media]) => String(media['mime_type']).startsWith('image/'))
      .map(([id, media]) => [id, toMediaUrl(siteUrl, String(media['file']))]),
  );
}

/** Absolute addresses of the pictures of a post without duplicates: first the featured image, then those of the text. `base`: address of the post. */
function listImages(
  post: PostRecord,
  featured: ReadonlyMap<number, string>,
  base: string,
): readonly string[] {
  const first = featured.get(post.featured_media);
  return [
    ...new Set([...(first === undefined ? [] : [first]), ...listContentImages(post.content, base)]),
  ].slice(0, MAX_IMAGES);
}

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d) (\d{1,15})$/;
const ID = /^[1-9]\d{0,11}$/;
const PER_POST = 1000;
/** Posts that are read at once, and posts that one page reads at most. */
const BATCH = 100;
const MAX_SCANNED = 2000;
const NEWEST_FIRST: readonly Order[] = [desc('date')];
const FIELDS = ['title', 'content', 'featured_media', ...ADDRESSED] as const;

/** Public posts without a password. */
const isOpen = (now: number): Predicate => and(eq('type', 'post'), isOut(now), eq('password', ''));
const PICTURED: Predicate = or(gt('featured_media', 0), contains('content', '<img'));

function toAfter(position: string): Predicate {
  const [, date = '', id = ''] = POSITION.exec(position) ?? [];
  if (date === '') throw photofeedError('photofeed_invalid_cursor');
  return or(lt('date', date), and(eq('date', date), lt('id', Number(id))));
}

interface Parts extends Pick<Ports, 'store' | 'now' | 'log'>, Pick<Ports['content'], 'types'> {
  readonly settings: ReadSettings;
}

/** Loads what the addresses of posts depend on. */
async function loadPermalinks(
  { store, types, settings }: Parts,
  posts: readonly PostRecord[],
  { site }: Call,
): Promise<(post: PostRecord) => string> {
  const addressOf = await loadAddresses({ store, types, settings }, posts);
  return (post) => addressOf(post, site);
}

function toEntry(post: PostRecord, images: readonly string[], permalink: string): FeedEntry | null {
  const [first] = images;
  if (first === undefined) return null;
  return {
    id: String(post.id),
    caption: TEXT_KINDS.typed.toStored(post.title),
    media_type: images.length > 1 ? 'CAROUSEL_ALBUM' : 'IMAGE',
    media_url: first,
    permalink,
    thumbnail_url: first,
  };
}

/** An entry and the position of its post. */
interface Found {
  readonly entry: FeedEntry;
  readonly position: string;
}

const positionOf = ({ date, id }: PostRecord): string => `${date} ${id}`;

async function readOpen({ store, now }: Parts, id: number): Promise<PostRecord | undefined> {
  const where = and(isOpen(now()), eq('id', id));
  const found = await findFirst(store, { collection: 'posts', where, fields: FIELDS });
  return found && toPost(found);
}

/** The entries of the next posts. `next`: the position of the last one; null at the end. A post may lack pictures although its text seems to have some. */
async function readBatch(
  parts: Parts,
  position: string | null,
  call: Call,
): Promise<{ readonly found: readonly Found[]; readonly next: string | null }> {
  const { store, now, log } = parts;
  const where = and(
    isOpen(now()),
    eq('language', call.language),
    PICTURED,
    ...(position === null ? [] : [toAfter(position)]),
  );
  const { records, incomplete = [] } = await store.find(
    { collection: 'posts', where, order: NEWEST_FIRST, limit: BATCH, fields: FIELDS, longTexts: 'omit' },
    call,
  );
  const posts = records.map(toPost);
  const [featured, permalinkOf] = await Promise.all([
    readFeatured(store, posts, call.request.siteUrl),
    loadPermalinks(parts, posts, call),
  ]);
  const found = await mapReadable(
    posts,
    async (listed) => {
      const post = incomplete.includes(listed.id) ? await readOpen(parts, listed.id) : listed;
      if (post === undefined) return null;
      const permalink = permalinkOf(post);
      const entry = toEntry(post, listImages(post, featured, permalink), permalink);
      return entry === null ? null : { entry, position: positionOf(listed) };
    },
    { log, what: (id) => `showing the pictures of post ${id}` },
  );
  const last = posts.at(-1);
  return {
    found: found.filter((each) => each !== null),
    next: last === undefined || posts.length < BATCH ? null : positionOf(last),
  };
}

/** The pictures of the site: one entry for each published post with pictures, newest first. */
export function createSitePhotos(ports: Ports): PhotoProvider {
  const { store, now, log, content } = ports;
  const parts: Parts = { store, now, log, types: content.types, settings: servicesOf(ports).settings };
  return {
    async list({ limit, page, position }, call) {
      const found: Found[] = [];
      const skipped = position === null ? (page - 1) * limit : 0;
      let at = position;
      for (let scanned = 0; scanned < MAX_SCANNED && found.length <= skipped + limit; scanned += BATCH) {
        const batch = await readBatch(parts, at, call);
        found.push(...batch.found);
        at = batch.next;
        if (at === null) break;
      }
      const shown = found.slice(skipped, skipped + limit);
      // After the last entry of a full page; otherwise where reading stopped.
      const next = found.length > skipped + limit ? (shown.at(-1)?.position ?? null) : at;
      return { entries: shown.map(({ entry }) => entry), next };
    },
    async children(id, call) {
      if (!ID.test(id)) return null;
      const post = await readOpen(parts, Number(id));
      if (post === undefined) return null;
      const permalink = (await loadPermalinks(parts, [post], call))(post);
      const images = listImages(
        post,
        await readFeatured(parts.store, [post], call.request.siteUrl),
        permalink,
      );
      return images.map((url, index) => ({
        id: String(post.id * PER_POST + index + 1),
        media_type: 'IMAGE',
        media_url: url,
        permalink,
        thumbnail_url: url,
      }));
    },
  };
}
