import {
  ANY_TEXT,
  listOf,
  objectOf,
  wordOf,
  type DocumentRule,
  type DocumentRules,
} from '../../lib/core/check-document.ts';
import { ANY, countUpTo, FLAG, LIST, OBJECT, TEXT } from '../../lib/core/check-options.ts';
import { own } from '../../lib/core/objects.ts';
import { describeType, toStoredValue } from '../../lib/store/field-types.ts';
import { POST_FORMATS, postWriteArgs, STORED_STATUSES } from '../cms/args.ts';
import { COMMENT_STATUSES } from '../cms/comments/comment-record.ts';
import { findNameFault } from '../cms/media/library-file.ts';
import { MEDIA_STATUSES } from '../cms/media/media-args.ts';
import { isMetaValue } from '../cms/meta-values.ts';
import { parseDate, type Zone } from '../content/site-time.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { ContentType } from '../model/content-type.ts';
import type { MetaKey } from '../model/meta-key.ts';
import { boundOf } from '../model/text-bounds.ts';
import { revisionListOf } from './fixture-rows.ts';
import {
  DATE,
  FIELDS,
  ID,
  isZone,
  OFFSET,
  optional,
  optionals,
  PAIRS,
  perLanguage,
  REFERENCE,
  SLUG,
  toLanguageRule,
  upTo,
  wordOrNone,
  ZONE,
} from './fixture-value-rules.ts';
import { ROLES } from './roles.ts';
import { SETTING_FIELDS, SETTING_LENGTH, type SettingField } from './setting-fields.ts';

/** The fields that each row of a list passes to its record. `toRowRules` has the other members. */
export const ROW_FIELDS = {
  users: [
    'id',
    'login',
    'name',
    'slug',
    'role',
    'more_roles',
    'email',
    'description',
    'url',
    'first_name',
    'last_name',
    'nickname',
    'locale',
    'language_pairs',
  ],
  terms: ['id', 'name', 'parent', 'description', 'group', 'meta'],
  media: [
    'id',
    'author',
    'date',
    'date_gmt',
    'modified',
    'modified_gmt',
    'title',
    'slug',
    'alt',
    'caption',
    'description',
    'status',
    'parent',
    'comment_status',
    'ping_status',
    'mime_type',
    'file',
    'width',
    'height',
    'filesize',
    'sizes',
  ],
  posts: [
    'id',
    'group',
    'author',
    'status',
    'slug',
    'title',
    'content',
    'excerpt',
    'password',
    'comment_status',
    'ping_status',
    'format',
    'sticky',
    'template',
    'featured_media',
    'parent',
    'menu_order',
    'meta',
    'date',
    'date_gmt',
    'modified',
    'modified_gmt',
    'trashed_from',
    'trashed_slug',
  ],
  comments: [
    'id',
    'post',
    'parent',
    'author',
    'author_name',
    'author_email',
    'author_url',
    'author_ip',
    'author_user_agent',
    'date',
    'date_gmt',
    'content',
    'status',
    'type',
    'trashed_from',
    'meta',
  ],
  revisions: [
    'id',
    'parent',
    'author',
    'date',
    'date_gmt',
    'modified',
    'modified_gmt',
    'slug',
    'autosave',
    'title',
    'content',
    'excerpt',
    'meta',
  ],
} as const;

const SETTING_TEXT = upTo(ANY_TEXT, SETTING_LENGTH);
const SETTING_TYPES: DocumentRules = {
  string: SETTING_TEXT,
  boolean: FLAG,
  integer: { wanted: describeType('integer'), fits: Number.isSafeInteger },
};

/** Rules for `site`. `languages`: those of the site; if absent, any code is accepted. */
export function toSiteRules(languages: readonly string[] | undefined): DocumentRules {
  const [texts, ids] = [
    perLanguage(SETTING_TEXT, SETTING_TEXT.wanted, languages),
    perLanguage(REFERENCE, 'an id', languages),
  ];
  return optionals({
    name: texts,
    description: texts,
    ml_language: toLanguageRule(languages),
    timezone_string: ZONE,
    gmt_offset: OFFSET,
    page_for_posts: ids,
    page_on_front: ids,
    show_on_front: wordOf(['posts', 'page']),
    posts_per_page: countUpTo(),
    default_category: ids,
    excerpt_length_default: countUpTo(),
    permalink: SETTING_TEXT,
  });
}

const toSettingRule = ({ schema: { type, enum: words } }: SettingField): DocumentRule =>
  words === undefined ? (own(SETTING_TYPES, String(type)) ?? ANY) : wordOf(words.map(String));

const ANY_ZONE: DocumentRule = {
  wanted: 'a time zone such as Europe/Paris or +02:00',
  fits: (value) => (typeof value === 'string' || typeof value === 'number') && isZone(value),
};

/** Rules for the stored settings of the site, by option. A site without a time zone has an empty one. */
export function toOptionRules(): DocumentRules {
  const fields = Object.values(SETTING_FIELDS).map((field): [string, DocumentRule] => [
    field.option,
    optional(toSettingRule(field)),
  ]);
  return {
    ...Object.fromEntries(fields),
    ...toSiteRules(undefined),
    timezone_string: { ...ANY_ZONE, fits: (value) => value === '' || ANY_ZONE.fits(value) },
    gmt_offset: ANY_ZONE,
  };
}

/** Rule for `settings`. `comments` is a remark about the recorded site. */
function toSettingsRule(): DocumentRule {
  const rules = Object.entries(SETTING_FIELDS).map(([name, field]): [string, DocumentRule] => [
    name,
    toSettingRule(field),
  ]);
  return objectOf(
    optionals({
      ...Object.fromEntries(rules),
      timezone: ZONE,
      show_on_front: wordOf(['posts', 'page']),
      comments: ANY_TEXT,
    }),
  );
}

const kindsOf = ({ types }: ContentModel): readonly ContentType[] =>
  [...types.values()].filter(({ storage }) => storage === 'posts');

/** Lists whose rows are records of a type, their revisions, or terms of a taxonomy. */
function listsOf(content: ContentModel): readonly string[] {
  return [
    ...kindsOf(content).flatMap((type) => [type.base, revisionListOf(type)]),
    ...[...content.taxonomies.values()].map(({ base }) => base),
  ];
}

/** Rule for the document without the contents of its rows. */
export function toFixtureRule(languages: readonly string[] | undefined, content: ContentModel): DocumentRule {
  return objectOf({
    site: { ...objectOf(toSiteRules(languages)), needed: true },
    users: LIST,
    categories: LIST,
    tags: LIST,
    formats: listOf(wordOf(POST_FORMATS)),
    media: LIST,
    posts: LIST,
    revisions: LIST,
    options: LIST,
    ...Object.fromEntries(listsOf(content).map((list) => [list, LIST])),
    comments: LIST,
    settings: toSettingsRule(),
    registered: OBJECT,
    about_core: OBJECT,
  });
}

function isDate(text: string, zone: Zone): boolean {
  // `Date` reads a day beyond the end of a month as a day of the next month.
  return (
    DATE.test(text) &&
    parseDate(text, zone) !== undefined &&
    new Date(`${text}Z`).toISOString().startsWith(text)
  );
}

/** Rules for the rows of a collection: the type of each field, unless `more` has a rule for it. */
function rowsOf(collection: keyof typeof ROW_FIELDS, more: DocumentRules): DocumentRule {
  const fields = Object.entries(FIELDS.get(collection) ?? {}).map(
    ([name, { type }]): [string, DocumentRule] => [
      name,
      { wanted: describeType(type), fits: (value) => toStoredValue(type, value) !== undefined },
    ],
  );
  const rules: DocumentRules = { ...Object.fromEntries(fields), ...more };
  const names = new Set<string>([...ROW_FIELDS[collection], ...Object.keys(more)]);
  const toRule = (name: string): DocumentRule => {
    const [rule, bound] = [own(rules, name) ?? ANY, boundOf(collection, name)];
    return bound === undefined ? rule : upTo(rule, bound.most);
  };
  return listOf(objectOf(optionals(Object.fromEntries([...names].map((name) => [name, toRule(name)])))));
}

const TERM_IDS: DocumentRule = {
  wanted: describeType('integers'),
  fits: (value) => toStoredValue('integers', value) !== undefined,
};

/** The members of a record for its terms: one list of ids for each taxonomy of its type. */
function termMembers({ taxonomies }: ContentType, content: ContentModel): DocumentRules {
  return Object.fromEntries(
    taxonomies.flatMap((name) => {
      const base = content.taxonomies.get(name)?.base;
      return base === undefined ? [] : [[base, TERM_IDS]];
    }),
  );
}

function toMetaRule(meta: MetaKey): DocumentRule {
  return {
    wanted: `a value that the meta key allows: ${JSON.stringify(meta.schema)}`,
    fits: (value) => isMetaValue(meta, value),
  };
}

/** Rules for the values of registered meta keys. */
function metaMembers(of: string, { meta }: ContentModel): DocumentRules {
  return Object.fromEntries((meta.get(of) ?? []).map((each) => [each.key, toMetaRule(each)]));
}

/** Rule for the member `meta` of a record. Other keys are kept, and shown to nobody. */
const metaOf = (of: string, content: ContentModel): DocumentRule => ({
  ...OBJECT,
  isOpen: true,
  members: optionals(metaMembers(of, content)),
});

const FILE: DocumentRule = {
  wanted: 'the path of a file that can be uploaded, or an address',
  fits: (value) =>
    typeof value === 'string' &&
    (value === '' || /^https?:\/\//.test(value) || findNameFault(value) === undefined),
};

const toDateRule = (zone: Zone): DocumentRule => ({
  wanted: 'a date YYYY-MM-DDTHH:MM:SS',
  fits: (value) => value === '' || (typeof value === 'string' && isDate(value, zone)),
});

/** Rules for the fields of stored records whose values are words or dates. */
export function toRecordRules(
  zone: Zone,
): Readonly<Record<'users' | 'media' | 'posts' | 'revisions' | 'comments', DocumentRules>> {
  const date = toDateRule(zone);
  const dates = { date, date_gmt: date, modified: date, modified_gmt: date };
  const { comment_status: comments, ping_status: pings } = postWriteArgs;
  const discussion = { comment_status: wordOrNone(comments.enum), ping_status: wordOrNone(pings.enum) };
  return {
    users: { language_pairs: PAIRS },
    media: { ...dates, status: wordOrNone(MEDIA_STATUSES), ...discussion },
    posts: {
      ...dates,
      status: wordOrNone(STORED_STATUSES),
      trashed_from: wordOrNone(STORED_STATUSES),
      format: wordOrNone(POST_FORMATS),
      ...discussion,
    },
    revisions: dates,
    comments: {
      date,
      date_gmt: date,
      status: wordOrNone(COMMENT_STATUSES),
      trashed_from: wordOrNone(COMMENT_STATUSES),
    },
  };
}

/** Rules for the rows of each list. */
export function toRowRules(
  zone: Zone,
  languages: readonly string[] | undefined,
  content: ContentModel,
): DocumentRules {
  const stored = toRecordRules(zone);
  const language = toLanguageRule(languages);
  const term = { id: ID, parent: REFERENCE, group: REFERENCE, slug: SLUG, ml_language: language };
  const records: DocumentRules = {
    id: ID,
    group: REFERENCE,
    author: REFERENCE,
    featured_media: REFERENCE,
    slug: SLUG,
    trashed_slug: SLUG,
    ml_language: language,
    parent: REFERENCE,
    ...stored.posts,
    password: { ...ANY_TEXT, secret: true },
  };
  const revision = { id: ID, parent: REFERENCE, author: REFERENCE, slug: SLUG, ...stored.revisions };
  return {
    users: rowsOf('users', {
      id: ID,
      slug: SLUG,
      role: wordOrNone(Object.keys(ROLES)),
      ...stored.users,
      password: { ...ANY_TEXT, secret: true },
      registered: toDateRule(zone),
      more_roles: listOf(wordOf(Object.keys(ROLES))),
      ...metaMembers('user', content),
    }),
    ...Object.fromEntries(
      [...content.taxonomies.values()].map(({ name, base }) => [
        base,
        rowsOf('terms', { ...term, meta: metaOf(name, content) }),
      ]),
    ),
    media: rowsOf('media', {
      id: ID,
      author: REFERENCE,
      slug: SLUG,
      parent: REFERENCE,
      alt_text: upTo(ANY_TEXT, boundOf('media', 'alt')?.most ?? 0),
      sizes: OBJECT,
      file: FILE,
      ...stored.media,
    }),
    ...Object.fromEntries(
      kindsOf(content).map((type) => [
        type.base,
        rowsOf('posts', { ...records, meta: metaOf(type.name, content), ...termMembers(type, content) }),
      ]),
    ),
    ...Object.fromEntries(
      kindsOf(content).map((type) => [
        revisionListOf(type),
        rowsOf('revisions', { ...revision, meta: metaOf(type.name, content) }),
      ]),
    ),
    comments: rowsOf('comments', {
      id: ID,
      post: ID,
      parent: REFERENCE,
      author: REFERENCE,
      ...stored.comments,
      meta: metaOf('comment', content),
    }),
    options: listOf(
      objectOf({
        group: { ...TEXT, needed: true },
        key: { ...TEXT, needed: true },
        value: { ...ANY, needed: true },
      }),
    ),
  };
}
