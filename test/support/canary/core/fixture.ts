import type { ContentDefinition } from '../../../../registry/core/model/content-type.ts';
import type { Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { CALLERS, type Caller } from '../fixture.ts';
import {
  isAdmin,
  isModerator,
  mayEdit,
  mayEditMedia,
  mayOpen,
  maySee,
  maySeeComment,
  maySeeMedia,
  maySeeUser,
  type Held,
  type HeldComment,
  type HeldMedia,
  type HeldUser,
} from './rules.ts';
import type { Secrets } from './secrets.ts';

/** Content with a type of one's own. `internal` is kept from everybody, although it is indexed. */
export const CORE_CONTENT: ContentDefinition = {
  core: true,
  types: [
    {
      name: 'book',
      base: 'books',
      supports: [
        'title',
        'editor',
        'excerpt',
        'author',
        'thumbnail',
        'comments',
        'revisions',
        'custom-fields',
        'page-attributes',
      ],
      taxonomies: ['genre'],
      meta: {
        isbn: { type: 'string', indexed: true, revisions: true },
        pages: { type: 'integer', indexed: true },
        internal: { type: 'string', show: false, indexed: true },
      },
    },
  ],
  taxonomies: [
    { name: 'genre', base: 'genres', hierarchical: true, meta: { shelf: { type: 'string', show: false } } },
  ],
};

type Known<Facts> = Facts & { readonly id: number };

/** A page or a book of the generated site. */
export interface CoreRecord extends Known<Held> {
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly parent: number;
  readonly genres: readonly number[];
  readonly isbn: string;
}

export type CoreMedia = Known<HeldMedia>;
export type CoreComment = Known<HeldComment> & { readonly email: string };

export interface CoreSite {
  readonly fixture: Fixture;
  readonly records: readonly CoreRecord[];
  readonly media: readonly CoreMedia[];
  readonly comments: readonly CoreComment[];
  readonly users: readonly HeldUser[];
}

const STATUSES = [
  ['publish', ''],
  ['future', ''],
  ['draft', ''],
  ['pending', ''],
  ['private', ''],
  ['trash', 'publish'],
  ['trash', 'draft'],
  ['auto-draft', ''],
  ['inherit', ''],
] as const;
const AUTHORS = [1, 3, 4, 5];
const HELD: readonly Omit<Held, 'kind'>[] = STATUSES.flatMap(([status, from]) =>
  AUTHORS.flatMap((author) =>
    [false, true].map((isProtected) => ({
      author,
      status,
      trashed_from: from,
      password: isProtected ? 'yes' : '',
    })),
  ),
);

const FIRST_ID = { page: 2001, book: 3001 } as const;
const FIRST_USER = 21;
export const FIRST_GENRE = 91;
const NOBODY = (): boolean => false;
const STAMP = { date: '2024-11-01T10:00:00' };

const toDate = (status: string, at: number): string =>
  `${status === 'future' ? 2031 : 2024}-0${1 + (at % 9)}-${10 + (at % 3)}T10:00:00`;

/** A page below another one has the slug of that one in its address. */
const seesSomeBelow =
  (at: number, facts: readonly Held[]) =>
  (caller: Caller): boolean =>
    facts.some(
      (held, below) => below >= at && Math.floor(below / 4) === Math.floor(at / 4) && maySee(caller, held),
    );

function buildRecords(secrets: Secrets, kind: Held['kind']): readonly CoreRecord[] {
  const facts = HELD.map((held): Held => Object.assign({}, held, { kind }));
  return facts.map((held, at): CoreRecord => {
    const id = FIRST_ID[kind] + at;
    const label = (field: string): string => `${field} of ${kind} ${id} (${held.status}, by ${held.author})`;
    const password =
      held.password === '' ? '' : secrets.word(label('password'), (caller) => mayEdit(caller, held));
    const sees = (caller: Caller): boolean => maySee(caller, held);
    const guarded = (field: string): string =>
      secrets.word(
        label(field),
        (caller) => mayOpen(caller, held),
        password === '' ? undefined : { by: password, mayKnow: sees },
      );
    return Object.assign({}, held, {
      id,
      password,
      // Four pages follow below each other.
      parent: kind === 'page' && at % 4 !== 0 ? id - 1 : 0,
      slug: secrets.word(label('slug'), kind === 'page' ? seesSomeBelow(at, facts) : sees),
      title: secrets.word(label('title'), sees),
      content: guarded('content'),
      excerpt: guarded('excerpt'),
      isbn: kind === 'book' ? secrets.word(label('isbn'), sees) : '',
      // The last genre is that of private books alone.
      genres: kind === 'page' ? [] : held.status === 'private' ? [FIRST_GENRE + 2] : [FIRST_GENRE + (at % 2)],
    });
  });
}

function toRow(secrets: Secrets, record: CoreRecord, at: number): Record<string, unknown> {
  const { kind, isbn, genres, content, excerpt, ...row } = record;
  const hidden = (field: string): string => secrets.word(`${field} of ${kind} ${record.id}`, NOBODY);
  return {
    ...row,
    content: `<!-- cms:paragraph -->\n<p>${content}</p>\n<!-- /cms:paragraph -->`,
    excerpt,
    date: toDate(record.status, at),
    comment_status: 'open',
    featured_media: toMediaId(at),
    menu_order: at % 5,
    trashed_slug: record.status === 'trash' ? hidden('slug before the trash') : '',
    ...(kind === 'book' ? { genres, meta: { isbn, pages: at % 7, internal: hidden('internal') } } : {}),
  };
}

function toRevisionRows(
  secrets: Secrets,
  records: readonly CoreRecord[],
): readonly Record<string, unknown>[] {
  return records.flatMap((record) =>
    ['revision', 'autosave'].map((name, at) => {
      const kept = (field: string): string =>
        secrets.word(`${field} of the ${name} of ${record.kind} ${record.id}`, (caller) =>
          mayEdit(caller, record),
        );
      return Object.assign({}, STAMP, {
        id: revisionOf(record.id) + at,
        parent: record.id,
        author: record.author,
        slug: `${record.id}-${name}-v1`,
        autosave: name === 'autosave',
        title: kept('title'),
        content: kept('content'),
        excerpt: kept('excerpt'),
        meta: record.kind === 'book' ? { isbn: kept('isbn') } : {},
      });
    }),
  );
}

/** The id of the revision of a record. That of its autosave follows. */
export const revisionOf = (record: number): number => 10 * record;

const EVERY = 3;
const FIRST_MEDIA = 501;
const toMediaId = (at: number): number => FIRST_MEDIA + at;

/** Files that are attached to pages and books, and files with a status of their own. */
function toMedia(records: readonly CoreRecord[]): readonly CoreMedia[] {
  const attached = records.filter((_record, at) => at % EVERY === 0);
  const own = [
    null,
    attached.find(({ kind, status, author }) => kind === 'book' && status === 'private' && author === 1) ??
      null,
  ];
  const held: readonly HeldMedia[] = [
    ...attached.map((parent, at): HeldMedia => ({
      author: at % 2 === 0 ? parent.author : 3,
      status: 'inherit',
      parent,
    })),
    ...['private', 'trash', 'inherit'].flatMap((status) =>
      own.flatMap((parent) => [1, 3, 4].map((author) => ({ author, status, parent }))),
    ),
  ];
  return held.map((media, at) => Object.assign({}, media, { id: toMediaId(at) }));
}

/** Those who may edit a file see it in the response to a change, whatever it is attached to. */
function toMediaRow(secrets: Secrets, media: CoreMedia): Record<string, unknown> {
  const word = (field: string): string =>
    secrets.word(
      `${field} of file ${media.id} (${media.status}, by ${media.author})`,
      (caller) => maySeeMedia(caller, media) || mayEditMedia(caller, media),
    );
  return {
    id: media.id,
    author: media.author,
    status: media.status,
    parent: (media.parent as CoreRecord | null)?.id ?? 0,
    date: '2024-03-01T10:00:00',
    mime_type: 'image/png',
    title: word('title'),
    slug: word('slug'),
    caption: word('caption'),
    description: word('description'),
    alt: word('alt'),
    file: `2024/03/${word('file')}.png`,
    width: 40,
    height: 30,
    filesize: 100,
  };
}

const COMMENTS = [
  ['approved', 0],
  ['hold', 0],
  ['spam', 0],
  ['trash', 0],
  ['approved', 4],
  ['hold', 5],
  ['hold', 4],
] as const;
const FIRST_COMMENT = 60_001;

/** A comment row with its facts. The network address and what else a visitor leaves are for moderators, and for those who may edit the post. */
function toComments(
  secrets: Secrets,
  records: readonly CoreRecord[],
): readonly (readonly [facts: CoreComment, row: Record<string, unknown>])[] {
  return records
    .filter((_record, at) => at % 2 === 1)
    .flatMap((on, nth) =>
      COMMENTS.map(([status, author], at): [CoreComment, Record<string, unknown>] => {
        const id = FIRST_COMMENT + nth * COMMENTS.length + at;
        const held: HeldComment = { status, author, on };
        const label = (field: string): string =>
          `${field} of comment ${id} (${status}, by ${author}) on ${on.kind} ${on.id} (${on.status}, by ${on.author})`;
        const opened =
          on.password === ''
            ? undefined
            : {
                by: on.password,
                mayKnow: (caller: Caller) =>
                  maySee(caller, on) && (status === 'approved' || (caller.id !== 0 && caller.id === author)),
              };
        const word = (field: string): string =>
          secrets.word(label(field), (caller) => maySeeComment(caller, held), opened);
        const mayChange = (caller: Caller): boolean => isModerator(caller) || mayEdit(caller, on);
        const kept = (field: string): string => secrets.word(label(field), mayChange);
        const email = `${kept('e-mail')}@example.test`;
        return [
          { ...held, id, email },
          {
            id,
            post: on.id,
            author,
            status,
            parent: at === 1 ? id - 1 : 0,
            ...STAMP,
            author_name: word('name'),
            author_url: `https://example.test/${word('url')}`,
            content: word('content'),
            author_email: email,
            author_ip: secrets.address(label('network address'), mayChange),
            author_user_agent: kept('user agent'),
            trashed_from: status === 'trash' ? 'approved' : '',
            type: 'comment',
          },
        ];
      }),
    );
}

/** Users whom nobody logs in as: each role once with something published, once without. */
function toUsers(): readonly HeldUser[] {
  const targets = ['administrator', 'editor', 'author', 'contributor', 'subscriber'].flatMap((role) =>
    [true, false].map((hasPublished) => ({ role, hasPublished })),
  );
  return [
    ...CALLERS.filter(({ id }) => id !== 0).map(({ id, role }) => ({
      id,
      role,
      hasPublished: AUTHORS.includes(id),
    })),
    ...targets.map((target, at) => Object.assign({}, target, { id: FIRST_USER + at })),
  ];
}

function toUserRow(secrets: Secrets, user: HeldUser): Record<string, unknown> {
  const shown = (field: string): string =>
    secrets.word(`${field} of user ${user.id} (${user.role})`, (caller) => maySeeUser(caller, user));
  const kept = (field: string): string =>
    secrets.word(
      `${field} of user ${user.id} (${user.role})`,
      (caller) => isAdmin(caller) || caller.id === user.id,
    );
  const login = CALLERS.find(({ id }) => id === user.id)?.login ?? kept('login');
  return {
    id: user.id,
    role: user.role,
    login,
    name: shown('name'),
    slug: shown('slug'),
    description: shown('description'),
    url: `https://example.test/${shown('url')}`,
    email: `${kept('e-mail')}@example.test`,
    first_name: kept('first name'),
    last_name: kept('last name'),
    nickname: kept('nickname'),
    registered: `2020-01-${10 + (user.id % 19)}T00:00:00`,
  };
}

const toGenres = (secrets: Secrets): readonly Record<string, unknown>[] =>
  [0, 1, 2].map((at) => ({
    id: FIRST_GENRE + at,
    name: `Genre ${at}`,
    slug: `genre-${at}`,
    parent: at === 1 ? FIRST_GENRE : 0,
    meta: { shelf: secrets.word(`shelf of genre ${at}`, NOBODY) },
  }));

/** A published post of each user who has published something, so that what the pages and books say of their authors is no exception. */
const toPosts = (users: readonly HeldUser[]): readonly Record<string, unknown>[] =>
  users
    .filter(({ hasPublished }) => hasPublished)
    .map(({ id }) => ({
      id: 1000 + id,
      author: id,
      status: 'publish',
      slug: `by-${id}`,
      title: `By ${id}`,
      content: 'Open.',
      date: '2024-02-01T10:00:00',
      comment_status: 'open',
    }));

/** The site with the values that these secrets give it. */
export function buildCoreSite(secrets: Secrets): CoreSite {
  const [pages, books] = [buildRecords(secrets, 'page'), buildRecords(secrets, 'book')];
  const records = [...pages, ...books];
  const media = toMedia(records);
  const comments = toComments(secrets, records);
  const users = toUsers();
  const fixture = {
    site: {
      name: 'Canaries',
      description: '',
      timezone_string: 'UTC',
      show_on_front: 'posts',
      page_for_posts: 0,
      page_on_front: 0,
      default_category: 2,
      excerpt_length_default: 55,
    },
    settings: { email: `${secrets.word('e-mail of the site', isAdmin)}@example.test` },
    users: users.map((user) => toUserRow(secrets, user)),
    categories: [{ id: 2, name: 'News', slug: 'news', parent: 0 }],
    genres: toGenres(secrets),
    posts: toPosts(users),
    pages: pages.map((page, at) => toRow(secrets, page, at)),
    books: books.map((book, at) => toRow(secrets, book, at)),
    page_revisions: toRevisionRows(secrets, pages),
    book_revisions: toRevisionRows(secrets, books),
    media: media.map((each) => toMediaRow(secrets, each)),
    comments: comments.map(([, row]) => row),
  };
  return {
    fixture: fixture as unknown as Fixture,
    records,
    media,
    comments: comments.map(([facts]) => facts),
    users,
  };
}
