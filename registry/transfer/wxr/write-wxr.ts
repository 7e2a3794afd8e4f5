import { escapeXml, toCdata } from '../../../lib/core/escape.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import { trimEnd } from '../../../lib/core/text.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { toShownBlocks } from '../../core/content/html/blocks.ts';
import { WORDPRESS_NAMES } from '../../core/host/names.ts';
import type { ContentModel } from '../../core/model/content-model.ts';
import type { ExportedItems } from '../items/export-items.ts';
import { type ExportedSite, type Item, termIdsIn } from '../items/item.ts';
import { writePhpValue } from './php-value.ts';

/** An element with a text. */
const toElement = (name: string, text: string): string => `<${name}>${toCdata(text)}</${name}>\n`;
/** An element with a number. */
const toNumber = (name: string, value: unknown): string => `<${name}>${Number(value ?? 0) || 0}</${name}>\n`;

/** A value of meta as the database of WordPress has it. */
function toMetaText(value: Json): string {
  if (typeof value === 'boolean') return value ? '1' : '';
  return typeof value === 'object' && value !== null ? writePhpValue(value) : String(value ?? '');
}

/** The elements of meta entries. `kind`: `postmeta`, `termmeta`, `commentmeta`. */
function toMetaElements(kind: string, entries: readonly (readonly [key: string, value: Json])[]): string {
  return entries
    .map(
      ([key, value]) =>
        `<wp:${kind}>\n${toElement('wp:meta_key', key)}${toElement('wp:meta_value', toMetaText(value))}</wp:${kind}>\n`,
    )
    .join('');
}

type Values = Item['values'];
type Entry = readonly [key: string, value: Json];

/** A term as items name it. */
interface WrittenTerm {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** What the items of a file refer to. */
interface WrittenSite {
  readonly content: ContentModel;
  /** Address of the site, without a slash at its end. */
  readonly url: string;
  /** Logins by id. */
  readonly users: Map<number, string>;
  readonly terms: Map<number, WrittenTerm>;
}

const textOf = (values: Values, field: string): string => String(own(values, field) ?? '');

/** A date as WordPress writes it. */
const toDate = (text: string): string => (text === '' ? '0000-00-00 00:00:00' : text.replace('T', ' '));

/** The entries of registered meta. A key with several values has an entry for each. */
function listMeta({ content }: WrittenSite, type: string, values: Values): readonly Entry[] {
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
  const named = [...new Set(termIdsIn(values))]
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
function beginWxrItem({ collection, id, values }: Item, site: WrittenSite): string {
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

const START = `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"
  xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:wfw="http://wellformedweb.org/CommentAPI/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/"
>
<channel>
`;
const END = '</channel>\n</rss>\n';
const APPROVED: Readonly<Record<string, string>> = { approved: '1', hold: '0' };

function toAuthor({ id, values }: Item): string {
  const names = [
    ['login', 'login'],
    ['email', 'email'],
    ['display_name', 'name'],
    ['first_name', 'first_name'],
    ['last_name', 'last_name'],
  ] as const;
  return `<wp:author>\n${toNumber('wp:author_id', id)}${names.map(([element, field]) => toElement(`wp:author_${element}`, textOf(values, field))).join('')}</wp:author>\n`;
}

function toTerm({ id, values }: Item, site: WrittenSite, parent: string): string {
  const taxonomy = textOf(values, 'taxonomy');
  return [
    '<wp:term>\n',
    toNumber('wp:term_id', id),
    toElement('wp:term_taxonomy', taxonomy),
    toElement('wp:term_slug', textOf(values, 'slug')),
    toElement('wp:term_parent', parent),
    toElement('wp:term_name', textOf(values, 'name')),
    toElement('wp:term_description', textOf(values, 'description')),
    toMetaElements('termmeta', [
      ['wpml_language', textOf(values, 'language')],
      ...listMeta(site, taxonomy, values),
    ]),
    '</wp:term>\n',
  ].join('');
}

/** A group of translations of terms, as the plugin Polylang stores it. */
function toTermGroup(group: number, ids: Readonly<Record<string, Json>>): string {
  return (
    `<wp:term>\n${toElement('wp:term_taxonomy', 'term_translations')}${toElement('wp:term_slug', `group-${group}`)}${toElement('wp:term_name', `group-${group}`)}` +
    `${toElement('wp:term_description', writePhpValue(ids))}</wp:term>\n`
  );
}

function toComment({ id, values }: Item, site: WrittenSite): string {
  const status = textOf(values, 'status');
  const trashed = textOf(values, 'trashed_from');
  return [
    '<wp:comment>\n',
    toNumber('wp:comment_id', id),
    ...(['', '_email', '_url', '_ip'] as const).map((part) =>
      toElement(
        `wp:comment_author${part === '_ip' ? '_IP' : part}`,
        textOf(values, part === '' ? 'author_name' : `author${part}`),
      ),
    ),
    toElement('wp:comment_date', toDate(textOf(values, 'date'))),
    toElement('wp:comment_date_gmt', toDate(textOf(values, 'date_gmt'))),
    toElement('wp:comment_content', textOf(values, 'content')),
    toElement('wp:comment_approved', own(APPROVED, status) ?? status),
    toElement('wp:comment_type', textOf(values, 'type')),
    toNumber('wp:comment_parent', own(values, 'parent')),
    toNumber('wp:comment_user_id', own(values, 'author')),
    toMetaElements('commentmeta', [
      ...(trashed === '' ? [] : [['_wp_trash_meta_status', own(APPROVED, trashed) ?? trashed] as const]),
      ...listMeta(site, 'comment', values),
    ]),
    '</wp:comment>\n',
  ].join('');
}

type Groups = Map<number, Record<string, Json>>;

/** The terms, parents or not: what a post says of them is remembered, and what only they need is read again. */
async function* writeTerms(items: ExportedItems, site: WrittenSite): AsyncGenerator<string> {
  const groups: Groups = new Map();
  for await (const { id, values } of items.of('terms')) {
    site.terms.set(id, {
      taxonomy: textOf(values, 'taxonomy'),
      slug: textOf(values, 'slug'),
      name: textOf(values, 'name'),
    });
    const group = Number(own(values, 'group') ?? 0);
    if (group !== 0)
      groups.set(group, Object.assign(groups.get(group) ?? {}, { [textOf(values, 'language')]: id }));
  }
  for await (const item of items.of('terms'))
    yield toTerm(item, site, site.terms.get(Number(own(item.values, 'parent') ?? 0))?.slug ?? '');
  for (const [group, ids] of groups) yield toTermGroup(group, ids);
}

async function* writeAuthors(items: ExportedItems, { users }: WrittenSite): AsyncGenerator<string> {
  for await (const item of items.of('users')) {
    users.set(item.id, textOf(item.values, 'login'));
    yield toAuthor(item);
  }
}

/** The ids of the comments of each record. */
async function readThreads(items: ExportedItems) {
  const threads = { media: new Map<number, number[]>(), posts: new Map<number, number[]>() };
  for await (const { id, values } of items.of('comments')) {
    const records = textOf(values, 'post_type') === 'attachment' ? threads.media : threads.posts;
    const post = Number(own(values, 'post') ?? 0);
    const thread = records.get(post);
    if (thread === undefined) records.set(post, [id]);
    else thread.push(id);
  }
  return threads;
}

async function* writeItems(items: ExportedItems, site: WrittenSite): AsyncGenerator<string> {
  const threads = await readThreads(items);
  for (const collection of ['media', 'posts'] as const) {
    for await (const item of items.of(collection)) {
      yield beginWxrItem(item, site);
      for await (const comment of items.pick('comments', threads[collection].get(item.id) ?? []))
        yield toComment(comment, site);
      yield '</item>\n';
    }
  }
}

/**
 * Writes items as WXR 1.2. Not part of the format: settings except title and description, roles, passwords, revisions, and records of the
 * namespaces. Logins, names of terms and ids of comments are held in memory, but no texts.
 */
export async function* writeWxr(
  items: ExportedItems,
  { content, url, title, description }: ExportedSite,
): AsyncGenerator<string> {
  const address = trimEnd(url, '/');
  const site: WrittenSite = { content, url: address, users: new Map(), terms: new Map() };
  yield START;
  yield toElement('title', title) + toElement('link', address) + toElement('description', description);
  yield `<wp:wxr_version>1.2</wp:wxr_version>\n${toElement('wp:base_site_url', address)}${toElement('wp:base_blog_url', address)}`;
  yield* writeAuthors(items, site);
  yield* writeTerms(items, site);
  yield* writeItems(items, site);
  yield END;
}
