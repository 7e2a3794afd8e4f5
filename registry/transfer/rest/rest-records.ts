import type { Names } from '../../../lib/core/names.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toStoredBlocks } from '../../core/content/html/blocks.ts';
import { toPlainText } from '../../core/content/html/plain-text.ts';
import { toSlug } from '../../core/content/slug.ts';
import type { ContentType } from '../../core/model/content-type.ts';
import { COMMENT_STATUSES } from '../../core/records/comment-record.ts';
import { DATELESS } from '../../core/records/post-record.ts';
import { found, type Item, leftOut, type ReadResult } from '../items/item.ts';
import { toFileFacts, toLibraryPath, toMediaStatus } from '../items/media-facts.ts';
import {
  describeMetaFault,
  findLanguageFault,
  findStatusFault,
  FORMATS,
  type MetaRead,
  type ReadContext,
  toDatePair,
  toMadeDates,
  toMetaRead,
  toMetaValue,
  toRecordDates,
  toTermFields,
  WRONG_DATE,
} from '../items/read-context.ts';
import { groupOf, namedLanguageOf, textOf } from './rest-client.ts';

/** A record as the interface shows it. */
export type Shown = Readonly<Record<string, unknown>>;

/** What is needed to read the records of one list. */
export interface RestReading {
  readonly context: ReadContext;
  readonly curie: Names['curie'];
  /** Name of the field that holds the records' terms, by taxonomy. */
  readonly termFields: ReadonlyMap<string, string>;
  /** Whether the site has checked a login. What an anonymous caller is told of roles is not believed. */
  readonly isTrusted: boolean;
  /** Type by id of the posts that were read, for their comments. */
  readonly posts: Map<number, { readonly type: string; readonly language: string }>;
}

export type ToItems = (reading: RestReading, shown: Shown, place: string) => readonly ReadResult[];

const COMMENTS: ReadonlySet<unknown> = new Set(COMMENT_STATUSES);

/** Texts of several fields. */
const pickTexts = <const F extends string>(shown: Shown, fields: readonly F[]): Readonly<Record<F, string>> =>
  Object.fromEntries(fields.map((field) => [field, textOf(shown, field)])) as Record<F, string>;

/** A whole number from 0. */
export const countOf = (shown: Shown, field: string): number =>
  Number.isSafeInteger(own(shown, field)) ? Math.max(Number(own(shown, field)), 0) : 0;
/** Places that one menu can have. */
const MOST_LOCATIONS = 100;
export const textsOf = (shown: Shown, field: string): readonly string[] => {
  const list = own(shown, field);
  return Array.isArray(list)
    ? list.filter((each): each is string => typeof each === 'string').slice(0, MOST_LOCATIONS)
    : [];
};
const flagOf = (shown: Shown, field: string): string => (own(shown, field) === 'open' ? 'open' : 'closed');

/** A text. `isHidden`: only a password shows it. */
interface ShownText {
  readonly text: string;
  readonly isRaw: boolean;
  readonly isHidden?: boolean;
}

/** The stored text; callers who may not edit get the rendered one. */
function rawOf(shown: Shown, field: string): ShownText {
  const value = own(shown, field);
  if (!isObject(value)) return { text: typeof value === 'string' ? value : '', isRaw: true };
  return typeof value['raw'] === 'string'
    ? { text: value['raw'], isRaw: true }
    : { text: textOf(value, 'rendered'), isRaw: false, isHidden: value['protected'] === true };
}

export function titleOf(shown: Shown): string {
  const { text, isRaw } = rawOf(shown, 'title');
  return isRaw ? text : toPlainText(text);
}

export const languageOf = (shown: Shown, { context }: Pick<RestReading, 'context'>): string =>
  namedLanguageOf(shown, context.languages) || context.language;

/** `of`: type or taxonomy of the record, `user` or `comment`. */
function readMeta(
  shown: Shown,
  { context }: RestReading,
  [of, place]: readonly [of: string, place: string],
): MetaRead {
  const given = own(shown, 'meta');
  const keys = context.content.meta.get(of) ?? [];
  const meta: Record<string, Json> = {};
  const notes: ReadResult[] = [];
  for (const [name, value] of Object.entries(isObject(given) ? given : {})) {
    const key = keys.find((each) => (each.name ?? each.key) === name);
    const stored = key && toMetaValue(key, key.single ? [value as Json] : (value as readonly Json[]));
    const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0);
    if (key !== undefined && stored !== undefined) meta[key.key] = stored;
    else if (!isEmpty) notes.push({ leftOut: { place, ...describeMetaFault(key?.key ?? name, key) } });
  }
  return toMetaRead(meta, notes);
}

const toDates = (shown: Shown, { context: { zone } }: RestReading, floats: boolean): Item['values'] =>
  toRecordDates(pickTexts(shown, ['date', 'date_gmt', 'modified', 'modified_gmt']), { zone, floats });

/** A user. Callers who may not list users see those who published something, without login and address. */
export const readUser: ToItems = (reading, shown, place) => {
  const { context, isTrusted } = reading;
  const login = textOf(shown, 'username') || textOf(shown, 'slug');
  if (login === '') return [leftOut(place, 'user', 'it has neither a login nor a slug')];
  const roles = textsOf(shown, 'roles');
  const [first = context.role, ...more] = isTrusted ? roles : [];
  // Anybody can write such a list.
  const untrusted = isTrusted ? [] : roles.filter((each) => each !== context.role);
  const email = textOf(shown, 'email');
  const meta = readMeta(shown, reading, ['user', place]);
  return [
    ...untrusted.map((role) =>
      leftOut(
        place,
        `role ${role}`,
        `roles are only read with --user; the user gets the role ${context.role}`,
      ),
    ),
    ...meta.leftOut,
    found({
      place,
      collection: 'users',
      id: countOf(shown, 'id'),
      values: {
        ...pickTexts(shown, ['url', 'description', 'first_name', 'last_name']),
        login,
        name: textOf(shown, 'name') || login,
        slug: toSlug(textOf(shown, 'slug') || login) || 'user',
        nickname: textOf(shown, 'nickname') || login,
        role: first,
        more_roles: more,
        email,
        email_key: fold(email),
        registered_gmt: textOf(shown, 'registered_date').slice(0, 19),
        ...meta.values,
      },
    }),
  ];
};

/** A term of a taxonomy, and of a menu its places and whether it gets new pages. */
export const readTerm =
  (taxonomy: string): ToItems =>
  (reading, shown, place) => {
    const { context } = reading;
    const language = languageOf(shown, reading);
    const fault = findLanguageFault(language, context);
    if (fault !== undefined) return [leftOut(place, `term of ${taxonomy}`, fault)];
    const id = countOf(shown, 'id');
    const meta = readMeta(shown, reading, [taxonomy, place]);
    const values = {
      ...pickTexts(shown, ['slug', 'name', 'description']),
      taxonomy,
      language,
      parent: countOf(shown, 'parent'),
      group: groupOf(shown),
      ...meta.values,
    };
    return [
      ...meta.leftOut,
      found({ place, collection: 'terms', id, values }),
      ...textsOf(shown, 'locations').map((location, at) =>
        found({
          place,
          collection: 'menu_locations',
          id: -(id * MOST_LOCATIONS + at),
          values: { location, language, menu: id },
        }),
      ),
      ...(own(shown, 'auto_add') === true
        ? [found({ place, collection: 'menu_auto_add', id: -id, values: { menu: id } })]
        : []),
    ];
  };

function toCommonValues(shown: Shown, reading: RestReading, floats: boolean): Item['values'] {
  return {
    ...toDates(shown, reading, floats),
    title: titleOf(shown),
    slug: toSlug(textOf(shown, 'slug')),
    author: countOf(shown, 'author'),
    comment_status: flagOf(shown, 'comment_status'),
    ping_status: flagOf(shown, 'ping_status'),
  };
}

/** A file of the media library. */
export const readMedium: ToItems = (reading, shown, place) => {
  const details = own(shown, 'media_details');
  const [named, url] = [isObject(details) ? textOf(details, 'file') : '', textOf(shown, 'source_url')];
  const path = toLibraryPath(named, url);
  const common = toCommonValues(shown, reading, false);
  if (path === '' && url === '')
    return [leftOut(place, 'attachment', 'neither the path nor the address of its file is given')];
  if (common['date'] === '') return [leftOut(place, 'attachment', 'it has no valid date')];
  const told = namedLanguageOf(shown, reading.context.languages);
  const language = reading.context.languages.includes(told) ? told : '';
  return [
    found({
      place,
      collection: 'media',
      id: countOf(shown, 'id'),
      file: { path: path || named, url },
      values: {
        ...common,
        ...toFileFacts(details),
        parent: countOf(shown, 'post'),
        group: language === '' ? 0 : groupOf(shown),
        language,
        file: path || url,
        status: toMediaStatus(textOf(shown, 'status')),
        mime_type: textOf(shown, 'mime_type'),
        alt: textOf(shown, 'alt_text'),
        caption: rawOf(shown, 'caption').text,
        description: rawOf(shown, 'description').isRaw ? rawOf(shown, 'description').text : '',
      },
    }),
  ];
};

/** A post, a page, or a record of another type. */
export const readPost =
  (type: ContentType): ToItems =>
  (reading, shown, place) => {
    const { context, curie, termFields } = reading;
    const given = textOf(shown, 'status');
    const [status, language] = [context.statuses.get(given) ?? given, languageOf(shown, reading)];
    const read = toCommonValues(shown, reading, DATELESS.has(status));
    const isWrong = read['date'] === '';
    const common = isWrong ? { ...read, ...toMadeDates(context) } : read;
    const [content, excerpt] = [rawOf(shown, 'content'), rawOf(shown, 'excerpt')];
    const fault =
      findStatusFault(status) ??
      findLanguageFault(language, context) ??
      (content.isHidden
        ? 'it is protected by a password; give --user and --password of an editor'
        : undefined);
    if (fault !== undefined) return [leftOut(place, type.name, fault)];
    const meta = readMeta(shown, reading, [type.name, place]);
    const [id, format, template] = [countOf(shown, 'id'), textOf(shown, 'format'), textOf(shown, 'template')];
    reading.posts.set(id, { type: type.name, language });
    return [
      ...meta.leftOut,
      ...(isWrong ? [leftOut(place, `date of the ${type.name}`, WRONG_DATE)] : []),
      found({
        place,
        collection: 'posts',
        id,
        values: {
          ...common,
          type: type.name,
          status,
          language,
          group: groupOf(shown),
          content: toStoredBlocks(content.text, curie),
          excerpt: excerpt.isRaw ? toStoredBlocks(excerpt.text, curie) : '',
          password: textOf(shown, 'password'),
          parent: countOf(shown, 'parent'),
          menu_order: Number.isSafeInteger(own(shown, 'menu_order')) ? Number(own(shown, 'menu_order')) : 0,
          sticky: own(shown, 'sticky') === true,
          format: FORMATS.has(format) ? format : 'standard',
          template: template === 'default' ? '' : template,
          featured_media: countOf(shown, 'featured_media'),
          meta: {},
          ...meta.values,
          ...toTermFields(type, context.content, ({ name }) => own(shown, termFields.get(name) ?? '')),
        },
      }),
      found({ place, collection: 'post_history', id, values: { post: id, count: 0, newest: 0 } }),
    ];
  };

/** A comment on a record that was read. */
export const readComment: ToItems = (reading, shown, place) => {
  const post = countOf(shown, 'post');
  const about = reading.posts.get(post);
  if (about === undefined) return [leftOut(place, 'comment', `its post ${post} was not read`)];
  const dates = toDatePair(textOf(shown, 'date'), textOf(shown, 'date_gmt'), {
    zone: reading.context.zone,
    floats: false,
  });
  if (dates.date === '') return [leftOut(place, 'comment', 'it has no valid date')];
  const meta = readMeta(shown, reading, ['comment', place]);
  const status = textOf(shown, 'status');
  return [
    ...meta.leftOut,
    found({
      place,
      collection: 'comments',
      id: countOf(shown, 'id'),
      values: {
        ...dates,
        ...pickTexts(shown, ['author_name', 'author_email', 'author_url', 'author_ip', 'author_user_agent']),
        post,
        post_type: about.type,
        language: about.language,
        parent: countOf(shown, 'parent'),
        author: countOf(shown, 'author'),
        content: rawOf(shown, 'content').text,
        status: COMMENTS.has(status) ? status : 'hold',
        type: textOf(shown, 'type') || 'comment',
        ...meta.values,
      },
    }),
  ];
};
