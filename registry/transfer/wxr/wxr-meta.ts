import { own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { childElements, type XmlElement } from '../../core/content/xml.ts';
import { libraryTypeOf } from '../../core/files/library-file.ts';
import { found, leftOut, type Item, type ReadResult } from '../items/item.ts';
import { toFileFacts, toLibraryPath, toMediaStatus } from '../items/media-facts.ts';
import {
  describeMetaFault,
  type MetaRead,
  type ReadContext,
  toDatePair,
  toMadeDates,
  toMetaRead,
  toMetaValue,
  WRONG_DATE,
} from '../items/read-context.ts';
import { isSerialised, PhpError, readPhpValue } from './php-value.ts';
import {
  childId,
  childText,
  hasDay,
  readMetaEntries,
  toUser,
  type WxrItem,
  type WxrState,
} from './wxr-state.ts';

/** A file of the media library. `common`: the fields that posts have as well. */
export function toMediaValues(
  { element, entries, place, id }: WxrItem,
  { slug = '', ...common }: Item['values'],
): ReadResult {
  const url = childText(element, 'wp:attachment_url').trim();
  const attached = entries.get('_wp_attached_file')?.[0] ?? '';
  const path = toLibraryPath(attached, url);
  const isAddress = /^https?:\/\//.test(url);
  if (path === '' && !isAddress)
    return leftOut(place, 'attachment', 'neither the path nor the address of its file is valid');
  const file = path || url;
  return found({
    place,
    collection: 'media',
    id,
    file: { path: path || attached, url: isAddress ? url : '' },
    values: {
      ...common,
      ...toFileFacts(readMetaText(entries.get('_wp_attachment_metadata')?.[0] ?? '')),
      slug,
      file,
      status: toMediaStatus(childText(element, 'wp:status')),
      mime_type: libraryTypeOf(file) ?? '',
      alt: entries.get('_wp_attachment_image_alt')?.[0] ?? '',
      caption: childText(element, 'excerpt:encoded'),
      description: childText(element, 'content:encoded'),
    },
  });
}

/** Statuses by the words of the format and of the database. */
const STATUSES: Readonly<Record<string, string>> = {
  1: 'approved',
  0: 'hold',
  approve: 'approved',
  approved: 'approved',
  hold: 'hold',
  spam: 'spam',
  trash: 'trash',
  'post-trashed': 'trash',
};
const TRASHED_FROM = '_wp_trash_meta_status';
const KNOWN_KEYS: ReadonlySet<string> = new Set([TRASHED_FROM, '_wp_trash_meta_time']);

function toValues(
  { context: { zone } }: WxrState,
  element: XmlElement,
  { entries, author }: { entries: ReadonlyMap<string, readonly string[]>; author: number },
): Item['values'] {
  const status = own(STATUSES, childText(element, 'wp:comment_approved').trim()) ?? 'hold';
  return {
    ...toDatePair(childText(element, 'wp:comment_date'), childText(element, 'wp:comment_date_gmt'), {
      zone,
      floats: false,
    }),
    status,
    author,
    author_name: childText(element, 'wp:comment_author'),
    author_email: childText(element, 'wp:comment_author_email'),
    author_url: childText(element, 'wp:comment_author_url'),
    author_ip: childText(element, 'wp:comment_author_IP'),
    content: childText(element, 'wp:comment_content'),
    type: childText(element, 'wp:comment_type') || 'comment',
    parent: childId(element, 'wp:comment_parent'),
    trashed_from:
      status === 'trash' || status === 'spam'
        ? (own(STATUSES, entries.get(TRASHED_FROM)?.[0] ?? '') ?? '')
        : '',
  };
}

/**
 * The user who wrote a comment; 0 for a visitor. The authors of a file are those of posts. A user who only comments is known by what
 * the comment says of its author.
 */
function* readAuthorOf(state: WxrState, element: XmlElement, place: string): Generator<ReadResult, number> {
  const id = childId(element, 'wp:comment_user_id');
  const email = childText(element, 'wp:comment_author_email').trim();
  if (id === 0 || state.knowsUser(id)) return id;
  if (email === '') return 0;
  yield found(
    toUser(state, { place, id, login: email, email, name: childText(element, 'wp:comment_author') }),
  );
  return id;
}

/** The comments of an item. Those that name no day get the date of the item. */
export function* readComments(
  state: WxrState,
  { element, id: post, place, type }: WxrItem,
  { language, dates }: { language: string; dates: Item['values'] },
): Generator<ReadResult> {
  for (const each of childElements(element, 'wp:comment')) {
    const id =
      childId(each, 'wp:comment_id') ||
      state.makeId(
        'comment',
        String(post),
        childText(each, 'wp:comment_date_gmt'),
        childText(each, 'wp:comment_author'),
        childText(each, 'wp:comment_content'),
      );
    const at = `${place}, comment ${id}`;
    const entries = readMetaEntries(each, 'commentmeta');
    const author = yield* readAuthorOf(state, each, at);
    const isUndated = !hasDay(each, 'wp:comment_date', 'wp:comment_date_gmt');
    const values = {
      ...toValues(state, each, { entries, author }),
      ...(isUndated
        ? { date: dates['date'] ?? '', date_gmt: dates['date_gmt'] || dates['modified_gmt'] || '' }
        : {}),
    };
    const meta = readMeta(state.context, { place: at, entries }, { of: 'comment', known: KNOWN_KEYS });
    yield* meta.leftOut;
    const isWrong = values['date_gmt'] === '';
    if (isWrong) yield leftOut(at, 'date of the comment', WRONG_DATE);
    const { date, date_gmt } = toMadeDates(state.context);
    yield found({
      place: at,
      collection: 'comments',
      id,
      values: {
        ...values,
        ...(isWrong ? { date, date_gmt } : {}),
        post,
        post_type: type.name,
        language,
        ...meta.values,
      } as Item['values'],
    });
  }
}

/** The value that a text stands for. A text that only looks serialised stays a text. */
export function readMetaText(text: string): Json {
  if (!isSerialised(text)) return text;
  try {
    return readPhpValue(text);
  } catch (error) {
    if (!(error instanceof PhpError)) throw error;
    return text;
  }
}

/** What WordPress notes for itself: locks, caches, states of the editor and of the trash. */
const NOISE =
  /^_(?:edit_(?:lock|last)|encloseme|pingme|wp_old_date|oembed_\w+|transient_\w+|wp_trash_meta_\w+|wp_desired_post_slug|wp_attachment_(?:backup_sizes|context|is_custom_\w+)|wp_ignored_hooked_blocks|customize_\w+|starter_content_theme|menu_item_orphaned)$/;

/** Whether nothing is lost without this meta key, so that the report does not name it. */
export const isNoise = (key: string): boolean => NOISE.test(key);

/** Reads registered meta keys. `of`: type or taxonomy of the record; `known`: keys that the reader itself uses. */
export function readMeta(
  { content }: ReadContext,
  { place, entries }: Pick<WxrItem, 'place' | 'entries'>,
  { of, known }: { of: string; known: ReadonlySet<string> },
): MetaRead {
  const keys = content.meta.get(of) ?? [];
  const meta: Record<string, Json> = {};
  const notes: ReadResult[] = [];
  for (const [key, texts] of entries) {
    if (known.has(key)) continue;
    const registered = keys.find((each) => each.key === key);
    if (registered === undefined && isNoise(key)) continue;
    const values = registered?.type === 'string' ? texts : texts.map(readMetaText);
    const isUnread =
      values.some((each) => typeof each === 'string' && isSerialised(each)) && registered?.type !== 'string';
    const value = registered === undefined || isUnread ? undefined : toMetaValue(registered, values);
    if (value !== undefined) meta[key] = value;
    else
      notes.push({
        leftOut: {
          place,
          ...describeMetaFault(key, registered),
          undeclared: registered === undefined ? [{ kind: 'meta', name: key, of, values }] : undefined,
        },
      });
  }
  return toMetaRead(meta, notes);
}
