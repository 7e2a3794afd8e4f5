import { own } from '../../../lib/core/objects.ts';
import { toStoredBlocks } from '../../core/content/html/blocks.ts';
import { toSlug } from '../../core/content/slug.ts';
import { childElements, textOf, type XmlElement } from '../../core/content/xml.ts';
import { WORDPRESS_NAMES } from '../../core/host/names.ts';
import { DATELESS } from '../../core/records/post-record.ts';
import { found, leftOut, type Item, notRegistered, type ReadResult, type Undeclared } from '../items/item.ts';
import {
  findLanguageFault,
  findStatusFault,
  FORMATS,
  NO_DATE,
  toMadeDates,
  toRecordDates,
  WRONG_DATE,
} from '../items/read-context.ts';
import { isNoise, readComments, readMetaText, toMediaValues } from './wxr-meta.ts';
import { readMetaAndSeo } from './wxr-seo.ts';
import {
  childId,
  childText,
  hasDay,
  readMetaEntries,
  toNamedTerm,
  toUser,
  type Translation,
  type WxrItem,
  type WxrState,
} from './wxr-state.ts';

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
  oldSlugs: '_wp_old_slug',
  above: '_menu_item_menu_item_parent',
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
  { labels, language }: { readonly labels: readonly Label[]; readonly language: string },
): Generator<ReadResult, Readonly<Record<string, readonly number[]>>> {
  const ids: Record<string, number[]> = {};
  for (const { domain, slug: written, name } of labels) {
    const slug = toSlug(written);
    if (FIELD_DOMAINS.has(domain) || slug === '') continue;
    const taxonomy = type.taxonomies.includes(domain)
      ? state.context.content.taxonomies.get(domain)
      : undefined;
    if (taxonomy === undefined) {
      yield {
        leftOut: {
          place,
          what: `term of ${domain}`,
          reason: `${type.name} has no registered taxonomy ${domain}`,
          undeclared: [{ kind: 'taxonomy', name: domain, of: type.name }],
        },
      };
      continue;
    }
    const known = state.findTermFor({ taxonomy: domain, slug, language });
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

const toKnownStatus = ({ context: { statuses } }: WxrState, status: string): string =>
  statuses.get(status) ?? status;

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

/** The dates of an item, and what is wrong with those of the file. */
function readDates(
  item: WxrItem,
  state: WxrState,
): { readonly dates: Item['values']; readonly fault?: string } {
  const dates = toDates(item, state, DATELESS.has(item.status));
  if (dates['date'] !== '') return { dates };
  const isTold = hasDay(item.element, 'wp:post_date', 'wp:post_date_gmt', 'pubDate');
  return { dates: toMadeDates(state.context), fault: isTold ? WRONG_DATE : NO_DATE };
}

function toDates({ element }: WxrItem, { context: { zone } }: WxrState, floats: boolean): Item['values'] {
  const published = Date.parse(childText(element, 'pubDate'));
  const fallback = Number.isNaN(published) ? '' : new Date(published).toISOString().slice(0, 19);
  return toRecordDates(
    {
      date: childText(element, 'wp:post_date'),
      date_gmt: childText(element, 'wp:post_date_gmt') || (floats ? '' : fallback),
      modified: childText(element, 'wp:post_modified'),
      modified_gmt: childText(element, 'wp:post_modified_gmt'),
    },
    { zone, floats },
  );
}

function toPostValues(item: WxrItem, labels: readonly Label[]): Item['values'] {
  const { element, entries, type, status } = item;
  const first = (key: string): string => entries.get(key)?.[0] ?? '';
  const text = (name: string): string => toStoredBlocks(childText(element, name), WORDPRESS_NAMES.curie);
  const format = labels.find(({ domain }) => domain === 'post_format')?.slug.replace(FORMAT_PREFIX, '') ?? '';
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
    // In the file, the parent of a menu item is that of its target.
    ...(entries.has(FIELD_KEYS.above) ? { parent: Number.parseInt(first(FIELD_KEYS.above), 10) || 0 } : {}),
    meta: {},
  };
}

function* readRecord(state: WxrState, item: WxrItem): Generator<ReadResult> {
  const { place, type, id, entries, element } = item;
  const labels = readLabels(element);
  const translation = readTranslation(labels, entries);
  const language = translation.language || state.context.language;
  const { dates, fault: wrongDate } = readDates(item, state);
  const fault =
    (type.storage === 'posts' ? findStatusFault(item.status) : undefined) ??
    findLanguageFault(language, state.context);
  if (fault !== undefined) {
    yield leftOut(place, type.name, fault);
    return;
  }
  if (wrongDate !== undefined) yield leftOut(place, `date of the ${type.name}`, wrongDate);
  const author = yield* readAuthorOf(state, item);
  const common = { ...toCommonValues(item, dates), author };
  if (type.storage === 'media') {
    yield toMediaValues(item, {
      ...common,
      language: translation.language,
      group: translation.language === '' ? 0 : state.toGroup('media', translation, id),
    });
  } else {
    const terms = yield* readTerms(state, item, { labels, language });
    const meta = readMetaAndSeo(state.context, item, { of: type.name, known: KNOWN_KEYS });
    yield* meta.leftOut;
    yield found({
      place,
      collection: 'posts',
      id,
      values: {
        ...common,
        ...toPostValues(item, labels),
        ...meta.values,
        ...terms,
        language,
        group: state.toGroup('posts', translation, id),
      },
    });
    yield found({ place, collection: 'post_history', id, values: { post: id, count: 0, newest: 0 } });
    for (const slug of new Set((entries.get(FIELD_KEYS.oldSlugs) ?? []).map(toSlug)))
      if (slug !== '' && slug !== toSlug(childText(element, 'wp:post_name')))
        yield found({
          place,
          collection: 'old_slugs',
          id: state.makeId('old slug', String(id), slug),
          values: { post: id, language, slug },
        });
  }
  yield* readComments(state, item, { language, dates });
}

/** What a site would have to declare for the items of an unknown type. */
function listUndeclared(element: XmlElement, type: string): readonly Undeclared[] {
  const domains = new Set(readLabels(element).map(({ domain }) => domain));
  return [
    { kind: 'type', name: type, of: '' },
    ...[...domains]
      .filter((domain) => !FIELD_DOMAINS.has(domain))
      .map((name) => ({ kind: 'taxonomy', name, of: type }) as const),
    ...[...readMetaEntries(element, 'postmeta')]
      .filter(([key]) => !KNOWN_KEYS.has(key) && !isNoise(key))
      .map(([name, texts]) => ({ kind: 'meta', name, of: type, values: texts.map(readMetaText) }) as const),
  ];
}

/** An `<item>`: a record of a type with its terms, meta and comments. */
export function* readItem(state: WxrState, element: XmlElement, place: string): Generator<ReadResult> {
  const name = childText(element, 'wp:post_type').trim();
  const type = state.context.content.types.get(name);
  const id = childId(element, 'wp:post_id');
  const title = `${place}${id === 0 ? '' : `, post ${id}`}`;
  if (type === undefined) {
    yield {
      leftOut: {
        place: title,
        what: name === '' ? 'item without a type' : name,
        reason: notRegistered('type', name),
        undeclared: name === '' ? [] : listUndeclared(element, name),
      },
    };
    return;
  }
  yield* readRecord(state, {
    element,
    place: title,
    type,
    status: toKnownStatus(state, childText(element, 'wp:status')),
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
