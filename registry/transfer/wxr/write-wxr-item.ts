import { escapeXml } from '../../../lib/core/escape.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { toShownBlocks } from '../../core/content/render/block-words.ts';
import { WORDPRESS_NAMES } from '../../core/host/names.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import type { Item } from '../items/item.ts';
import { toElement, toMetaElements, toNumber } from './wxr-text.ts';

type Values = Item['values'];
type Entry = readonly [key: string, value: Json];

/** A term as items name it. */
interface WrittenTerm {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** What the items of a file refer to. */
export interface WrittenSite {
  readonly content: ContentModel;
  /** Address of the site, without a slash at its end. */
  readonly url: string;
  /** Logins by id. */
  readonly users: Map<number, string>;
  readonly terms: Map<number, WrittenTerm>;
}

export const textOf = (values: Values, field: string): string => String(own(values, field) ?? '');

/** A date as WordPress writes it. */
export const toDate = (text: string): string =>
  text === '' ? '0000-00-00 00:00:00' : text.replace('T', ' ');

/** The entries of registered meta. A key with several values has an entry for each. */
export function listMeta({ content }: WrittenSite, type: string, values: Values): readonly Entry[] {
  const meta = own(values, 'meta');
  if (!isObject(meta)) return [];
  return Object.entries(meta).flatMap(([key, value]): readonly Entry[] => {
    const registered = content.meta.get(type)?.find((each) => each.key === key);
    return registered?.single === false && Array.isArray(value)
      ? value.map((each: Json) => [key, each] as const)
      : [[key, value as Json]];
  });
}

/** Entries whose value is not empty. */
const given = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(([, value]) => value !== '' && value !== 0 && value !== null);

const toLabel = (domain: string, slug: string, name: string): string =>
  `<category domain="${escapeXml(domain)}" nicename="${escapeXml(slug)}">${escapeXml(name)}</category>\n`;

/** Terms, the post format, and the translation as the plugin Polylang stores it. */
function toLabels(values: Values, { terms }: WrittenSite): string {
  const ids = ['categories', 'tags', 'terms'].flatMap(
    (field) => (own(values, field) ?? []) as readonly number[],
  );
  const named = [...new Set(ids)]
    .flatMap((id) => terms.get(id) ?? [])
    .map(({ taxonomy, slug, name }) => toLabel(taxonomy, slug, name));
  const format = textOf(values, 'format');
  const group = Number(own(values, 'group') ?? 0);
  const language = textOf(values, 'language');
  return [
    ...named,
    ...(format === '' || format === 'standard'
      ? []
      : [toLabel('post_format', `post-format-${format}`, format)]),
    ...(language === '' ? [] : [toLabel('language', language, language)]),
    ...(group === 0 ? [] : [toLabel('post_translations', `group-${group}`, `group-${group}`)]),
  ].join('');
}

function toPostMeta(values: Values, site: WrittenSite): string {
  return toMetaElements('postmeta', [
    ...given([
      ['_thumbnail_id', own(values, 'featured_media') ?? 0],
      ['_wp_page_template', textOf(values, 'template')],
      ['_wp_trash_meta_status', textOf(values, 'trashed_from')],
      ['_wp_desired_post_slug', textOf(values, 'trashed_slug')],
    ]),
    ...(textOf(values, 'type') === 'nav_menu_item'
      ? [['_menu_item_menu_item_parent', own(values, 'parent') ?? 0] as const]
      : []),
    ...listMeta(site, textOf(values, 'type'), values),
  ]);
}

const isAddress = (file: string): boolean => /^https?:\/\//.test(file);

/** The facts of a file as WordPress serialises them. */
function toMediaFacts(values: Values): Json {
  const { width = 0, height = 0, filesize = 0, file = '', sizes } = values;
  const copies = isObject(sizes)
    ? Object.entries(sizes).map(([name, size]) => {
        const { mime_type: type, ...others } = size as Readonly<Record<string, Json>>;
        return [name, { ...others, 'mime-type': type ?? '' }] as const;
      })
    : [];
  return { width, height, file, filesize, sizes: Object.fromEntries(copies) };
}

function toMediaParts(values: Values, { url }: WrittenSite): string {
  const file = textOf(values, 'file');
  const address = isAddress(file)
    ? file
    : `${url}/uploads/${file.split('/').map(encodeURIComponent).join('/')}`;
  return (
    toElement('wp:attachment_url', address) +
    toMetaElements('postmeta', [
      ...(isAddress(file) ? [] : [['_wp_attached_file', file] as const]),
      ['_wp_attachment_metadata', toMediaFacts(values)],
      ...given([['_wp_attachment_image_alt', textOf(values, 'alt')]]),
    ])
  );
}

/** The `<item>` of a post or a file, without its end: its comments follow. */
export function beginWxrItem({ collection, id, values }: Item, site: WrittenSite): string {
  const isMedia = collection === 'media';
  const shown = (field: string): string => toShownBlocks(textOf(values, field), WORDPRESS_NAMES.curie);
  const published = textOf(values, 'date_gmt');
  const sticky = own(values, 'sticky') === true;
  return [
    '<item>\n',
    toElement('title', textOf(values, 'title')),
    toElement('link', `${site.url}/?p=${id}`),
    ...(published === ''
      ? []
      : [`<pubDate>${new Date(`${published}Z`).toUTCString().replace('GMT', '+0000')}</pubDate>\n`]),
    toElement('dc:creator', site.users.get(Number(own(values, 'author') ?? 0)) ?? ''),
    `<guid isPermaLink="false">${escapeXml(`${site.url}/?p=${id}`)}</guid>\n<description></description>\n`,
    toElement('content:encoded', isMedia ? textOf(values, 'description') : shown('content')),
    toElement('excerpt:encoded', isMedia ? textOf(values, 'caption') : shown('excerpt')),
    toNumber('wp:post_id', id),
    ...['date', 'date_gmt', 'modified', 'modified_gmt'].map((field) =>
      toElement(`wp:post_${field}`, toDate(textOf(values, field))),
    ),
    ...['comment_status', 'ping_status'].map((field) => toElement(`wp:${field}`, textOf(values, field))),
    toElement('wp:post_name', textOf(values, 'slug')),
    toElement('wp:status', textOf(values, 'status')),
    toNumber('wp:post_parent', own(values, 'parent')),
    toNumber('wp:menu_order', own(values, 'menu_order')),
    toElement('wp:post_type', isMedia ? 'attachment' : textOf(values, 'type')),
    toElement('wp:post_password', textOf(values, 'password')),
    toNumber('wp:is_sticky', sticky),
    toLabels(values, site),
    isMedia ? toMediaParts(values, site) : toPostMeta(values, site),
  ].join('');
}
