import type { Names } from '../../../lib/core/names.ts';
import { isObject, own } from '../../../lib/core/objects.ts';
import type { Json } from '../../../lib/schema/schema-dialect.ts';
import { fold } from '../../../lib/store/stored-text.ts';
import { toStoredBlocks } from '../../core/content/html/blocks.ts';
import { toPlainText } from '../../core/content/html/plain-text.ts';
import { toSlug } from '../../core/content/slug.ts';
import { isPlainPath } from '../../core/files/library-file.ts';
import type { ContentType } from '../../core/model/content-type.ts';
import type { MetaKey } from '../../core/model/meta-key.ts';
import { COMMENT_STATUSES } from '../../core/records/comment-record.ts';
import { POST_FORMATS, STORED_STATUSES } from '../../core/schemas/post-args.ts';
import { found, type Item, leftOut, type LeftOut, type ReadResult } from '../items/item.ts';
import { type ReadContext, toDatePair, toMadeDates, toMetaValue, WRONG_DATE } from '../items/read-context.ts';
import { groupOf, namedLanguageOf } from './rest-client.ts';

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

const FLOATING: ReadonlySet<unknown> = new Set(['draft', 'pending']);
const FORMATS: ReadonlySet<unknown> = new Set(POST_FORMATS);
const STATUSES: ReadonlySet<unknown> = new Set(STORED_STATUSES);
const COMMENTS: ReadonlySet<unknown> = new Set(COMMENT_STATUSES);

export const textOf = (shown: Shown, field: string): string => {
  const value = own(shown, field);
  return typeof value === 'string' ? value : '';
};
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

/** The stored text; callers who may not edit get the rendered one. */
function rawOf(shown: Shown, field: string): { readonly text: string; readonly isRaw: boolean } {
  const value = own(shown, field);
  if (!isObject(value)) return { text: typeof value === 'string' ? value : '', isRaw: true };
  return typeof value['raw'] === 'string'
    ? { text: value['raw'], isRaw: true }
    : { text: textOf(value, 'rendered'), isRaw: false };
}

export function titleOf(shown: Shown): string {
  const { text, isRaw } = rawOf(shown, 'title');
  return isRaw ? text : toPlainText(text);
}

export const languageOf = (shown: Shown, { context }: Pick<RestReading, 'context'>): string =>
  namedLanguageOf(shown, context.languages) || context.language;

function readMeta(
  shown: Shown,
  keys: readonly MetaKey[],
  place: string,
): { readonly meta: Readonly<Record<string, Json>>; readonly leftOut: readonly LeftOut[] } {
  const given = own(shown, 'meta');
  const entries = isObject(given) ? Object.entries(given) : [];
  const read = entries.map(([key, value]) => {
    const registered = keys.find((each) => (each.name ?? each.key) === key);
    const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0);
    const stored =
      registered === undefined
        ? undefined
        : toMetaValue(registered, registered.single ? [value as Json] : (value as readonly Json[]));
    return {
      key: registered?.key ?? key,
      stored,
      isSilent: isEmpty,
      reason:
        registered === undefined
          ? 'it is not registered; declare it in "content"'
          : `its value is not of the type ${registered.type}`,
    };
  });
  return {
    meta: Object.fromEntries(
      read.flatMap(({ key, stored }) => (stored === undefined ? [] : [[key, stored]])),
    ),
    leftOut: read.flatMap(({ key, stored, isSilent, reason }) =>
      stored === undefined && !isSilent ? [{ place, what: `meta key ${key}`, reason }] : [],
    ),
  };
}

function toDates(shown: Shown, { context: { zone } }: RestReading, floats: boolean): Item['values'] {
  const own = toDatePair(textOf(shown, 'date'), textOf(shown, 'date_gmt'), { zone, floats });
  const changed = toDatePair(textOf(shown, 'modified'), textOf(shown, 'modified_gmt'), {
    zone,
    floats: false,
  });
  return { ...own, modified: changed.date || own.date, modified_gmt: changed.date_gmt || own.date_gmt };
}

/** A user. Callers who may not list users see those who published something, without login and address. */
export const readUser: ToItems = ({ context, isTrusted }, shown, place) => {
  const login = textOf(shown, 'username') || textOf(shown, 'slug');
  if (login === '') return [leftOut(place, 'user', 'it has neither a login nor a slug')];
  const roles = textsOf(shown, 'roles');
  const [first = context.role, ...more] = isTrusted ? roles : [];
  // Anybody can write such a list.
  const untrusted = isTrusted ? [] : roles.filter((each) => each !== context.role);
  const email = textOf(shown, 'email');
  const { meta, leftOut: keys } = readMeta(shown, context.content.meta.get('user') ?? [], place);
  return [
    ...untrusted.map((role) =>
      leftOut(
        place,
        `role ${role}`,
        `roles are only read with --user; the user gets the role ${context.role}`,
      ),
    ),
    ...keys.map((each) => ({ leftOut: each })),
    found({
      place,
      collection: 'users',
      id: countOf(shown, 'id'),
      values: {
        login,
        name: textOf(shown, 'name') || login,
        slug: toSlug(textOf(shown, 'slug') || login) || 'user',
        nickname: textOf(shown, 'nickname') || login,
        role: first,
        more_roles: more,
        email,
        email_key: fold(email),
        url: textOf(shown, 'url'),
        description: textOf(shown, 'description'),
        first_name: textOf(shown, 'first_name'),
        last_name: textOf(shown, 'last_name'),
        registered_gmt: textOf(shown, 'registered_date').slice(0, 19),
        ...(Object.keys(meta).length === 0 ? {} : { meta }),
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
    if (!context.languages.includes(language))
      return [
        leftOut(
          place,
          `term of ${taxonomy}`,
          `its language ${language} is not one of the site's languages ${context.languages.join(', ')}`,
        ),
      ];
    const id = countOf(shown, 'id');
    const { meta, leftOut: keys } = readMeta(shown, context.content.meta.get(taxonomy) ?? [], place);
    const values = {
      taxonomy,
      language,
      slug: textOf(shown, 'slug'),
      name: textOf(shown, 'name'),
      parent: countOf(shown, 'parent'),
      description: textOf(shown, 'description'),
      group: groupOf(shown),
      ...(Object.keys(meta).length === 0 ? {} : { meta }),
    };
    return [
      ...keys.map((each) => ({ leftOut: each })),
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

/** The path below the uploads; the address if that cannot be told. */
function pathOf(shown: Shown, details: Shown): string {
  const file =
    textOf(details, 'file') ||
    (/\/uploads\/(?:sites\/\d+\/)?([^?#]+)/.exec(textOf(shown, 'source_url'))?.[1] ?? '');
  return isPlainPath(file) ? file : '';
}

function toCopies(sizes: unknown): Json {
  if (!isObject(sizes)) return {};
  return Object.fromEntries(
    Object.entries(sizes).flatMap(([name, size]) =>
      isObject(size) && typeof size['file'] === 'string' && isPlainPath(size['file']) && name !== 'full'
        ? [
            [
              name,
              {
                file: size['file'],
                width: countOf(size, 'width'),
                height: countOf(size, 'height'),
                mime_type: textOf(size, 'mime_type'),
                ...(countOf(size, 'filesize') === 0 ? {} : { filesize: countOf(size, 'filesize') }),
              },
            ],
          ]
        : [],
    ),
  );
}

/** A file of the media library. */
export const readMedium: ToItems = (reading, shown, place) => {
  const facts = [own(shown, 'media_details')].find(isObject) ?? {};
  const [path, url] = [pathOf(shown, facts), textOf(shown, 'source_url')];
  const common = toCommonValues(shown, reading, false);
  if (path === '' && url === '')
    return [leftOut(place, 'attachment', 'neither the path nor the address of its file is given')];
  if (common['date'] === '') return [leftOut(place, 'attachment', 'it has no valid date')];
  const status = textOf(shown, 'status');
  const named = namedLanguageOf(shown, reading.context.languages);
  const language = reading.context.languages.find((each) => each === named) ?? '';
  return [
    found({
      place,
      collection: 'media',
      id: countOf(shown, 'id'),
      file: { path: path || textOf(facts, 'file'), url },
      values: {
        ...common,
        parent: countOf(shown, 'post'),
        group: language === '' ? 0 : groupOf(shown),
        language,
        file: path || url,
        status: status === 'private' || status === 'trash' ? status : 'inherit',
        mime_type: textOf(shown, 'mime_type'),
        alt: textOf(shown, 'alt_text'),
        caption: rawOf(shown, 'caption').text,
        description: rawOf(shown, 'description').isRaw ? rawOf(shown, 'description').text : '',
        width: countOf(facts, 'width'),
        height: countOf(facts, 'height'),
        filesize: countOf(facts, 'filesize'),
        sizes: toCopies(own(facts, 'sizes')),
      },
    }),
  ];
};

function toTerms(shown: Shown, type: ContentType, { context, termFields }: RestReading): Item['values'] {
  const ids: Record<string, number[]> = {};
  for (const name of type.taxonomies) {
    const taxonomy = context.content.taxonomies.get(name);
    const list = own(shown, termFields.get(name) ?? '');
    if (taxonomy === undefined || !Array.isArray(list)) continue;
    (ids[taxonomy.field] ??= []).push(
      ...list.filter((id): id is number => Number.isSafeInteger(id) && id > 0),
    );
  }
  return ids;
}

/** A post, a page, or a record of another type. */
export const readPost =
  (type: ContentType): ToItems =>
  (reading, shown, place) => {
    const { context, curie } = reading;
    const given = textOf(shown, 'status');
    const [status, language] = [context.statuses.get(given) ?? given, languageOf(shown, reading)];
    const read = toCommonValues(shown, reading, FLOATING.has(status));
    const isWrong = read['date'] === '';
    const common = isWrong ? { ...read, ...toMadeDates(context) } : read;
    if (!STATUSES.has(status))
      return [
        leftOut(place, type.name, `its status "${status}" does not exist here (--status ${status}=publish)`),
      ];
    if (!context.languages.includes(language))
      return [
        leftOut(
          place,
          type.name,
          `its language ${language} is not one of the site's languages ${context.languages.join(', ')}`,
        ),
      ];
    const { meta, leftOut: keys } = readMeta(shown, context.content.meta.get(type.name) ?? [], place);
    const [content, excerpt] = [rawOf(shown, 'content'), rawOf(shown, 'excerpt')];
    const isHidden =
      !content.isRaw &&
      isObject(own(shown, 'content')) &&
      (own(shown, 'content') as Shown)['protected'] === true;
    if (isHidden)
      return [
        leftOut(place, type.name, 'it is protected by a password; give --user and --password of an editor'),
      ];
    const [id, format, template] = [countOf(shown, 'id'), own(shown, 'format'), textOf(shown, 'template')];
    reading.posts.set(id, { type: type.name, language });
    return [
      ...keys.map((each) => ({ leftOut: each })),
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
          format: FORMATS.has(format) ? String(format) : 'standard',
          template: template === 'default' ? '' : template,
          featured_media: countOf(shown, 'featured_media'),
          meta,
          ...toTerms(shown, type, reading),
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
  const { meta, leftOut: keys } = readMeta(shown, reading.context.content.meta.get('comment') ?? [], place);
  const status = textOf(shown, 'status');
  return [
    ...keys.map((each) => ({ leftOut: each })),
    found({
      place,
      collection: 'comments',
      id: countOf(shown, 'id'),
      values: {
        ...dates,
        post,
        post_type: about.type,
        language: about.language,
        parent: countOf(shown, 'parent'),
        author: countOf(shown, 'author'),
        author_name: textOf(shown, 'author_name'),
        author_email: textOf(shown, 'author_email'),
        author_url: textOf(shown, 'author_url'),
        author_ip: textOf(shown, 'author_ip'),
        author_user_agent: textOf(shown, 'author_user_agent'),
        content: rawOf(shown, 'content').text,
        status: COMMENTS.has(status) ? status : 'hold',
        type: textOf(shown, 'type') || 'comment',
        ...(Object.keys(meta).length === 0 ? {} : { meta }),
      },
    }),
  ];
};
