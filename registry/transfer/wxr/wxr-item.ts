import { own } from '../../../lib/core/objects.ts';
import { toStoredBlocks } from '../../core/content/render/block-words.ts';
import { toSlug } from '../../core/content/slug.ts';
import { childElements, textOf, type XmlElement } from '../../core/content/xml.ts';
import { WORDPRESS_NAMES } from '../../core/host/names.ts';
import { POST_FORMATS, STORED_STATUSES } from '../../core/schemas/args.ts';
import type { ReadResult, Item } from '../items/item.ts';
import { toDatePair } from '../items/read-context.ts';
import { readComments } from './wxr-comments.ts';
import { childId, childText, hasDay, readMetaEntries } from './wxr-element.ts';
import { toMediaValues } from './wxr-media.ts';
import { readMeta } from './wxr-meta.ts';
import { withSeoFields } from './wxr-seo.ts';
import {
  found,
  leftOut,
  toNamedTerm,
  toUser,
  type Translation,
  type WxrItem,
  type WxrState,
} from './wxr-state.ts';

const FLOATING: ReadonlySet<string> = new Set(['draft', 'pending']);
const STATUSES: ReadonlySet<string> = new Set(STORED_STATUSES);
const FORMATS: ReadonlySet<string> = new Set(POST_FORMATS);
const FORMAT_PREFIX = /^post-format-/;

/** Meta keys that are fields of records here. */
const FIELD_KEYS = {
  template: '_wp_page_template',
  featured: '_thumbnail_id',
  trashedFrom: '_wp_trash_meta_status',
  trashedAt: '_wp_trash_meta_time',
  trashedSlug: '_wp_desired_post_slug',
  language: '_wpml_import_language_code',
  group: '_wpml_import_translation_group',
  original: '_wpml_import_source_language_code',
} as const;
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...Object.values(FIELD_KEYS),
  '_wp_attached_file',
  '_wp_attachment_metadata',
  '_wp_attachment_image_alt',
]);

interface Label {
  readonly domain: string;
  readonly slug: string;
  readonly name: string;
}

/** Taxonomies as WXR 1.0 names them. */
const OLD_DOMAINS: Readonly<Record<string, string>> = { tag: 'post_tag' };

/** The `<category>` elements of an item: terms, and what plugins and themes store as terms. */
function readLabels(element: XmlElement): readonly Label[] {
  const toDomain = (domain: string): string => own(OLD_DOMAINS, domain) ?? domain;
  return childElements(element, 'category').map((each) => ({
    domain: toDomain(own(each.attributes, 'domain') ?? 'category'),
    slug: own(each.attributes, 'nicename') ?? toSlug(textOf(each)),
    name: textOf(each),
  }));
}

function readTranslation(labels: readonly Label[], entries: WxrItem['entries']): Translation {
  const labelled = (domain: string): string => labels.find((label) => label.domain === domain)?.slug ?? '';
  return {
    language: labelled('language') || (entries.get(FIELD_KEYS.language)?.[0] ?? ''),
    group: labelled('post_translations') || (entries.get(FIELD_KEYS.group)?.[0] ?? ''),
  };
}

/** Taxonomies of plugins and themes that are read as fields. */
const FIELD_DOMAINS: ReadonlySet<string> = new Set(['language', 'post_translations', 'post_format']);

/** The ids of the terms of an item by field. Yields terms that the file does not declare. */
function* readTerms(
  state: WxrState,
  { type, place }: WxrItem,
  labels: readonly Label[],
): Generator<ReadResult, Readonly<Record<string, readonly number[]>>> {
  const ids: Record<string, number[]> = {};
  for (const { domain, slug: written, name } of labels) {
    const slug = toSlug(written);
    if (FIELD_DOMAINS.has(domain) || slug === '') continue;
    const taxonomy = type.taxonomies.includes(domain)
      ? state.context.content.taxonomies.get(domain)
      : undefined;
    if (taxonomy === undefined) {
      yield leftOut(place, `term of ${domain}`, `${type.name} has no registered taxonomy ${domain}`);
      continue;
    }
    const known = state.findTerm(domain, slug);
    const named = known === undefined ? toNamedTerm(state, taxonomy, { slug, name, place }) : null;
    if (named !== null) yield found(named);
    const list = (ids[taxonomy.field] ??= []);
    const id = known ?? named?.id ?? 0;
    if (!list.includes(id)) list.push(id);
  }
  return ids;
}

function* readAuthorOf(state: WxrState, { element, place }: WxrItem): Generator<ReadResult, number> {
  const login = childText(element, 'dc:creator').trim();
  if (login === '') return 0;
  const known = state.findUser(login);
  if (known !== undefined) return known;
  const user = toUser(state, { place, id: 0, login });
  yield found(user);
  return user.id;
}

const openOrClosed = (text: string): string => (text === 'open' ? 'open' : 'closed');

/** The fields that posts and media have in common. */
function toCommonValues({ element }: WxrItem, dates: Item['values']): Item['values'] {
  return {
    ...dates,
    title: childText(element, 'title'),
    slug: toSlug(childText(element, 'wp:post_name')),
    parent: childId(element, 'wp:post_parent'),
    comment_status: openOrClosed(childText(element, 'wp:comment_status')),
    ping_status: openOrClosed(childText(element, 'wp:ping_status')),
  };
}

/** The dates of an item. One that names no day gets the time of the import, as in WordPress, and `isMade`. */
function readDates(
  item: WxrItem,
  state: WxrState,
): { readonly dates: Item['values']; readonly isMade: boolean } {
  const dates = toDates(item, state, FLOATING.has(childText(item.element, 'wp:status')));
  if (dates['date'] !== '' || hasDay(item.element, 'wp:post_date', 'wp:post_date_gmt', 'pubDate'))
    return { dates, isMade: false };
  const now = toDatePair('', state.started, { zone: state.context.zone, floats: false });
  return { dates: { ...now, modified: now.date, modified_gmt: now.date_gmt }, isMade: true };
}

function toDates({ element }: WxrItem, { context: { zone } }: WxrState, floats: boolean): Item['values'] {
  const published = Date.parse(childText(element, 'pubDate'));
  const fallback = Number.isNaN(published) ? '' : new Date(published).toISOString().slice(0, 19);
  const own = toDatePair(
    childText(element, 'wp:post_date'),
    childText(element, 'wp:post_date_gmt') || (floats ? '' : fallback),
    { zone, floats },
  );
  const changed = toDatePair(
    childText(element, 'wp:post_modified'),
    childText(element, 'wp:post_modified_gmt'),
    { zone, floats: false },
  );
  const modified =
    changed.date === '' ? toDatePair(own.date, own.date_gmt, { zone, floats: false }) : changed;
  return { ...own, modified: modified.date, modified_gmt: modified.date_gmt };
}

function toPostValues(item: WxrItem, labels: readonly Label[], meta: Item['values']): Item['values'] {
  const { element, entries, type } = item;
  const first = (key: string): string => entries.get(key)?.[0] ?? '';
  const text = (name: string): string => toStoredBlocks(childText(element, name), WORDPRESS_NAMES.curie);
  const format = labels.find(({ domain }) => domain === 'post_format')?.slug.replace(FORMAT_PREFIX, '') ?? '';
  const status = childText(element, 'wp:status');
  const template = first(FIELD_KEYS.template);
  return {
    type: type.name,
    status,
    content: text('content:encoded'),
    excerpt: text('excerpt:encoded'),
    password: childText(element, 'wp:post_password'),
    menu_order: Number.parseInt(childText(element, 'wp:menu_order'), 10) || 0,
    sticky: childText(element, 'wp:is_sticky').trim() === '1',
    format: FORMATS.has(format) ? format : 'standard',
    template: template === 'default' ? '' : template,
    featured_media: Number.parseInt(first(FIELD_KEYS.featured), 10) || 0,
    trashed_from: status === 'trash' ? first(FIELD_KEYS.trashedFrom) : '',
    trashed_slug: status === 'trash' ? toSlug(first(FIELD_KEYS.trashedSlug)) : '',
    meta,
  };
}

/** Why an item cannot be stored; undefined if it can. */
function findFault(
  { element, type }: WxrItem,
  { languages }: { languages: readonly string[] },
  { language, dates }: { language: string; dates: Item['values'] },
): string | undefined {
  const status = childText(element, 'wp:status');
  if (type.storage === 'posts' && !STATUSES.has(status)) return `its status "${status}" does not exist here`;
  if (!languages.includes(language))
    return `its language ${language} is not one of the site's languages ${languages.join(', ')}`;
  return dates['date'] === '' ? 'it has no valid date' : undefined;
}

function* readRecord(state: WxrState, item: WxrItem): Generator<ReadResult> {
  const { place, type, id, entries, element } = item;
  const labels = readLabels(element);
  const translation = readTranslation(labels, entries);
  const language = translation.language || state.context.language;
  const { dates, isMade } = readDates(item, state);
  const fault = findFault(item, state.context, { language, dates });
  if (fault !== undefined) {
    yield leftOut(place, type.name, fault);
    return;
  }
  if (isMade)
    yield leftOut(place, `date of the ${type.name}`, 'the file has none; it gets the time of the import');
  const author = yield* readAuthorOf(state, item);
  const common = { ...toCommonValues(item, dates), author };
  if (type.storage === 'media') {
    yield toMediaValues(item, common);
  } else {
    const terms = yield* readTerms(state, item, labels);
    const registered = state.context.content.meta.get(type.name) ?? [];
    const seo = withSeoFields(entries, (key) => registered.some((each) => each.key === key));
    const { meta, leftOut: keys } = readMeta(place, seo.entries, { keys: registered, known: KNOWN_KEYS });
    for (const { what, reason } of seo.shortened) yield leftOut(place, what, reason);
    for (const leftOut of keys) yield { leftOut };
    yield found({
      place,
      collection: 'posts',
      id,
      values: {
        ...common,
        ...toPostValues(item, labels, meta),
        ...terms,
        language,
        group: state.toGroup('posts', translation, id),
      },
    });
    yield found({ place, collection: 'post_history', id, values: { post: id, count: 0, newest: 0 } });
  }
  yield* readComments(state, item, { language, dates });
}

/** An `<item>`: a record of a type with its terms, meta and comments. */
export function* readItem(state: WxrState, element: XmlElement, place: string): Generator<ReadResult> {
  const name = childText(element, 'wp:post_type').trim();
  const type = state.context.content.types.get(name);
  const id = childId(element, 'wp:post_id');
  const title = `${place}${id === 0 ? '' : `, post ${id}`}`;
  if (type === undefined) {
    yield leftOut(
      title,
      name === '' ? 'item without a type' : name,
      'the type is not registered; declare it in "content"',
    );
    return;
  }
  yield* readRecord(state, {
    element,
    place: title,
    type,
    id:
      id === 0
        ? state.makeId(
            name,
            childText(element, 'wp:post_name'),
            childText(element, 'wp:post_date'),
            childText(element, 'title'),
          )
        : id,
    entries: readMetaEntries(element, 'postmeta'),
  });
}
