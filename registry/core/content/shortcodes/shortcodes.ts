import { escapeAttribute, escapeQuotesOnce as quote } from '../../../../lib/core/escape.ts';
import type { MaybePromise } from '../../../../lib/core/maybe-promise.ts';
import type { Call } from '../../../../lib/route/call.ts';
import { and, eq, oneOf } from '../../../../lib/store/query.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { toMediaUrl } from '../../host/media-url.ts';
import type { ContentModel } from '../../model/content-model.ts';

/** A post whose content is rendered. */
export interface RenderedRecord {
  /** Id of the record. */
  readonly id: number;
  /** Its content type, such as `post`. */
  readonly type: string;
  /** Language of the record. */
  readonly language: string;
  /** Slug of the record. */
  readonly slug: string;
  /** As it is stored. */
  readonly title: string;
}

/** The input for rendering a shortcode. `inner`: its rendered content. */
export interface ShortcodeSource {
  /** Attributes by name, with character references as in the text. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly inner: string;
  /** The store of the site. */
  readonly store: Store;
  /** Address of the site. */
  readonly siteUrl: string;
  /** The post. null: the content is that of none. */
  readonly record?: RenderedRecord | null;
  /** The call that shows it. */
  readonly call?: Call;
}

/**
 * How a shortcode is rendered. `block`: true if it stands between paragraphs and contains paragraphs; false if it is part of a sentence.
 * What `render` adds to `inner` is sanitised for every author, whatever else the post holds. A host adds its own shortcodes in `config.builder.shortcodes`.
 */
export interface Shortcode {
  readonly block: boolean;
  /**
   * The collections of the store on which the result depends: `[]` if it depends on its source alone. Absent: it may change at any time, and
   * no response that shows a post with it is cached.
   */
  readonly reads?: readonly string[];
  /** Returns the HTML. */
  readonly render: (source: ShortcodeSource) => MaybePromise<string>;
}

const MAX_PICTURES = 100;

/** Those of the posts that are published and of these types: what is attached to other posts is not shown. */
async function listPublished(
  store: Store,
  types: readonly string[],
  posts: readonly number[],
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(posts)].filter((id) => id > 0);
  const where = and(oneOf('id', ids), eq('status', 'publish'), oneOf('type', types));
  const { records } =
    ids.length === 0 ? { records: [] } : await store.find({ collection: 'posts', where, fields: [] });
  return new Set([0, ...records.map(({ id }) => id)]);
}

/** `types`: the types whose published posts everybody reads. */
async function renderGallery(
  types: readonly string[],
  { attributes, store, siteUrl }: ShortcodeSource,
): Promise<string> {
  const ids = (attributes['ids'] ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .slice(0, MAX_PICTURES);
  if (ids.length === 0) return '';
  const { records } = await store.find({
    collection: 'media',
    where: and(oneOf('id', ids), oneOf('status', ['', 'inherit'])),
    fields: ['file', 'alt', 'mime_type', 'width', 'height', 'parent'],
  });
  const published = await listPublished(
    store,
    types,
    records.map(({ parent }) => Number(parent)),
  );
  const media = new Map(
    records.filter(({ parent }) => published.has(Number(parent))).map((record) => [record.id, record]),
  );
  const pictures = ids.flatMap((id) => {
    const record = media.get(id);
    if (record === undefined || !String(record['mime_type']).startsWith('image/')) return [];
    const size =
      Number(record['width']) > 0
        ? ` width="${Number(record['width'])}" height="${Number(record['height'])}"`
        : '';
    return [
      `<figure><img src="${escapeAttribute(toMediaUrl(siteUrl, String(record['file'])))}" alt="${quote(String(record['alt']))}"${size} /></figure>`,
    ];
  });
  return pictures.length === 0 ? '' : `<figure class="gallery">${pictures.join('')}</figure>\n`;
}

/** Those that every site has, as WordPress. Plugins add their own. */
export function createShortcodes(content: ContentModel): Map<string, Shortcode> {
  const types = [...content.types.values()].filter((type) => type.public).map(({ name }) => name);
  return new Map<string, Shortcode>([
    ['caption', { block: true, reads: [], render: ({ inner }) => `<figure>${inner.trim()}</figure>\n` }],
    ['gallery', { block: true, reads: ['media', 'posts'], render: (source) => renderGallery(types, source) }],
  ]);
}
