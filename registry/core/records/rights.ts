import { can, type Identity } from '../../../lib/core/identity.ts';
import { remember } from '../../../lib/core/memo.ts';
import { perObject } from '../../../lib/core/objects.ts';
import { and, eq, gt, hasAny, not, oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import { userOf } from '../accounts/roles.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { ContentType, Taxonomy, TypeRight } from '../model/content-type.ts';
import { STORED_STATUSES } from '../schemas/post-args.ts';
import { MEDIA_TYPE, type MediaRecord, toMedia } from './media-record.ts';
import type { PostRecord } from './post-record.ts';
import { cachedByRevision } from './record-cache.ts';
import type { PublishDue } from './schedule.ts';

/** Statuses of posts that are published or scheduled. */
const PUBLISHED = ['publish', 'future'];

/** The rights that an action on posts needs: for own posts or those of others, and in addition for published or private posts. */
const NEEDED = {
  edit: {
    own: 'edit_posts',
    others: 'edit_others_posts',
    published: 'edit_published_posts',
    private: 'edit_private_posts',
  },
  delete: {
    own: 'delete_posts',
    others: 'delete_others_posts',
    published: 'delete_published_posts',
    private: 'delete_private_posts',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TypeRight>>>>;
/** What of a post rights depend on. */
type Held = Pick<PostRecord, 'author' | 'status' | 'trashed_from'>;

/** What callers may do with the posts of one type. `mayEdit`, `mayDelete`: with one post. */
export interface Rights {
  mayEdit(identity: Identity, post: Held): boolean;
  mayDelete(identity: Identity, post: Held): boolean;
  /** Everybody can read a published post of a public type. A private post can be read by its author and by those who can read private posts, a pending one by its author, any other post by those who can edit it. */
  mayRead(identity: Identity, post: Held): boolean;
  /** Whether the caller has a right on posts of the type in general. */
  has(identity: Identity, right: TypeRight): boolean;
  /** The posts of these statuses that the caller may read. Part of every query, so that pages and totals are right. */
  readable(identity: Identity, statuses?: readonly string[]): Predicate;
  /** The posts of these statuses that the caller may edit. */
  editable(identity: Identity, statuses?: readonly string[]): Predicate;
  /** The posts with a translation into one of the languages that the caller may read, or edit. */
  translated(identity: Identity, asked: AskedSiblings): Predicate;
}

/** Translations that count: those with one of the `statuses` and `languages` on which the caller may take the `action`. */
interface AskedSiblings {
  readonly action: 'read' | 'edit';
  readonly statuses: readonly string[];
  readonly languages: readonly string[];
}

type Right = (identity: Identity, post: Held) => boolean;

/** The methods that a caller may use on a record: a hint in its link `self`. */
export const allowedMethods = (mayEdit: boolean, mayRemove: boolean): readonly string[] => [
  'GET',
  ...(mayEdit ? ['POST', 'PUT', 'PATCH'] : []),
  ...(mayRemove ? ['DELETE'] : []),
];

/** The status of a post as far as rights depend on it: one in the trash counts as its former one. */
const toStanding = ({ status, trashed_from: from }: Pick<Held, 'status' | 'trashed_from'>): string =>
  status === 'trash' ? `trash-${PUBLISHED.includes(from) ? 'published' : 'draft'}` : status;

/** What the other members of a translation group keep of a post or file (`siblings`), so that a query tells by the record alone whether a caller sees a translation of it. */
export function toSiblingMarks(post: Held & Pick<PostRecord, 'language'>): readonly string[] {
  const mark = `${post.language} ${toStanding(post)}`;
  return [mark, `${mark} ${post.author}`];
}

function toTranslated(
  identity: Identity,
  right: Right,
  { statuses, languages }: Omit<AskedSiblings, 'action'>,
): Predicate {
  const held = statuses.flatMap((status) =>
    (status === 'trash' ? ['publish', 'draft'] : ['']).map((from) => ({ status, trashed_from: from })),
  );
  const user = userOf(identity);
  const found: string[] = [];
  const exceptOwn: Predicate[] = [];
  for (const each of held) {
    const [others, own] = [-1, user].map((author) => right(identity, { ...each, author }));
    for (const language of languages) {
      const [mark = '', ownMark = ''] = toSiblingMarks({ ...each, language, author: user });
      if (others && own) found.push(mark);
      else if (others) exceptOwn.push(and(marked(mark), not(marked(ownMark))));
      else if (own && user !== 0) found.push(ownMark);
    }
  }
  return or(...(found.length === 0 ? [] : [marked(...found)]), ...exceptOwn);
}

const marked = (...values: readonly string[]): Predicate => hasAny('siblings', values);

/** The capability of those who write for the site. They see what they submitted, even of a type that they cannot edit. */
const WRITER = 'edit_posts';

const WAS_PUBLISHED = oneOf('trashed_from', PUBLISHED);

/** What an author must be for the right to cover a post. `[]`: anybody; null: the right covers none. Uses the same functions as the check of a single post. */
function coveredByAuthor(
  identity: Identity,
  right: Right,
  held: Pick<Held, 'status' | 'trashed_from'>,
): readonly Predicate[] | null {
  const user = userOf(identity);
  const others = right(identity, { ...held, author: -1 });
  const own = right(identity, { ...held, author: user });
  if (others && own) return [];
  if (others) return [not(eq('author', user))];
  return own && user !== 0 ? [eq('author', user)] : null;
}

/** The posts in the trash that the right covers: by their former statuses. */
function coveredTrash(identity: Identity, right: Right): readonly Predicate[] {
  const parts = [
    [WAS_PUBLISHED, 'publish'],
    [not(WAS_PUBLISHED), 'draft'],
  ] as const;
  return parts.flatMap(([where, from]) => {
    const inner = coveredByAuthor(identity, right, { status: 'trash', trashed_from: from });
    return inner === null ? [] : [and(eq('status', 'trash'), where, ...inner)];
  });
}

function toPredicate(identity: Identity, right: Right, statuses: readonly string[]): Predicate {
  const whole: string[] = [];
  const parts: Predicate[] = [];
  for (const status of statuses) {
    const trashed = status === 'trash' ? coveredTrash(identity, right) : [];
    const inner = status === 'trash' ? null : coveredByAuthor(identity, right, { status, trashed_from: '' });
    if (trashed.length > 0) parts.push(or(...trashed));
    if (inner?.length === 0) whole.push(status);
    else if (inner !== null) parts.push(and(eq('status', status), ...inner));
  }
  const [first, ...more] = whole;
  const all = [
    ...(first === undefined ? [] : [more.length === 0 ? eq('status', first) : oneOf('status', whole)]),
    ...parts,
  ];
  return all.length === 1 ? (all[0] as Predicate) : or(...all);
}

const toPublicRights = perObject((capabilities: Capabilities): Rights => createRights(capabilities, true));
const toInnerRights = perObject((capabilities: Capabilities): Rights => createRights(capabilities, false));

type Capabilities = ContentType['capabilities'];

/** The rights of a type. Types with the same capabilities share them. */
export const toRights = ({ capabilities, readable }: ContentType): Rights =>
  readable ? toPublicRights(capabilities) : toInnerRights(capabilities);

function createRights(capabilities: Capabilities, isPublic: boolean): Rights {
  const has = (identity: Identity, right: TypeRight): boolean => can(identity, capabilities[right]);
  /** A post in the trash counts as its former status. */
  const mayDo = (identity: Identity, action: keyof typeof NEEDED, post: Held): boolean => {
    if (identity.id === 0) return false;
    const needed = NEEDED[action];
    const status = post.status === 'trash' && post.trashed_from !== '' ? post.trashed_from : post.status;
    if (PUBLISHED.includes(status) && !has(identity, needed.published)) return false;
    if (post.author === identity.id) return has(identity, needed.own);
    return has(identity, needed.others) && (status !== 'private' || has(identity, needed.private));
  };
  const mayEdit: Right = (identity, post) => mayDo(identity, 'edit', post);
  const mayRead: Right = (identity, post) => {
    if (post.status === 'publish' && (isPublic || has(identity, 'edit_posts'))) return true;
    if (identity.id === 0) return false;
    const isOwn = post.author === identity.id;
    if (post.status === 'private' && (isOwn || has(identity, 'read_private_posts'))) return true;
    return (isOwn && post.status === 'pending' && can(identity, WRITER)) || mayEdit(identity, post);
  };
  return {
    has,
    mayEdit,
    mayRead,
    mayDelete: (identity, post) => mayDo(identity, 'delete', post),
    readable: (identity, statuses = STORED_STATUSES) => toPredicate(identity, mayRead, statuses),
    editable: (identity, statuses = STORED_STATUSES) => toPredicate(identity, mayEdit, statuses),
    translated: (identity, { action, ...asked }) =>
      toTranslated(identity, action === 'read' ? mayRead : mayEdit, asked),
  };
}

const NOBODY: Rights = {
  has: () => false,
  mayEdit: () => false,
  mayRead: () => false,
  mayDelete: () => false,
  readable: () => or(),
  editable: () => or(),
  translated: () => or(),
};

/** The rights of each type. Records of a type that the site does not declare are for nobody. */
export function createTypeRights({ types }: ContentModel): (type: string) => Rights {
  const byName = new Map([...types.values()].map((type) => [type.name, toRights(type)]));
  return (type) => byName.get(type) ?? NOBODY;
}

/** Everybody reads the terms of public and exposed taxonomies. Those of others are for those who write for the site. */
export const mayReadTerms = (
  { name, public: isPublic }: Pick<Taxonomy, 'name' | 'public'>,
  identity: Identity,
  { exposed, content }: { readonly exposed: ReadonlySet<string>; readonly content: ContentModel },
): boolean =>
  isPublic ||
  exposed.has(name) ||
  [...content.types.values()].some(({ capabilities }) => can(identity, capabilities.edit_posts));

/** Statuses of posts that somebody may not read. */
export const HIDDEN_STATUSES = STORED_STATUSES.filter((status) => status !== 'publish');
/** Names of the types whose posts are served, and of those of them whose published posts somebody may not read. */
export function servedPostTypes({ postTypes }: ContentModel) {
  const served = postTypes.filter((type) => type.served);
  return {
    types: served.map(({ name }) => name),
    inner: served.filter((type) => !type.readable).map(({ name }) => name),
  };
}

/** Statuses of files that are as visible as their post. */
export const INHERITED: readonly string[] = ['', 'inherit'];

/** Who may see which files. */
export interface MediaAccess {
  mayRead(identity: Identity, media: MediaRecord, parent: PostRecord | null): boolean;
  mayEdit(identity: Identity, media: MediaRecord): boolean;
  /** Whether the caller may know the post that a file is attached to. */
  mayReadParent(identity: Identity, parent: PostRecord): boolean;
  readonly visible: VisibleMedia;
  readonly select: SelectMedia;
  /** Which files callers may edit who may edit files at all. */
  editable(identity: Identity): Predicate;
}

/** The files that the caller may see. Part of every query, so that pages and totals are right. */
type VisibleMedia = (identity: Identity) => Promise<Predicate>;

/** The same files, and what a list of them needs. `chain`: its languages, if others stand in. */
type SelectMedia = (
  identity: Identity,
  chain?: readonly string[],
) => Promise<{
  readonly visible: Predicate;
  /** The posts of all types that the caller may read. */
  readonly readablePosts: Predicate;
  /** The files with a translation that the caller may see, into one of the languages and with one of the statuses. */
  readonly translated: (languages: readonly string[], statuses: readonly string[]) => Predicate;
}>;

/** Whether the caller may edit the files of an author. */
const mayEditOf = (rights: Rights, identity: Identity, author: number): boolean =>
  rights.mayEdit(identity, { author, status: 'publish', trashed_from: '' });

const editableBy = (rights: Rights, identity: Identity): Predicate =>
  mayEditOf(rights, identity, -1) ? and() : eq('author', identity.id);

/** `store`: has the posts that files belong to. `publishDue`: publishes those whose date has come. */
interface PostSource {
  readonly store: Store;
  readonly publishDue: PublishDue;
}

/** Says in queries which files callers may see. */
export function createVisibleMedia(source: PostSource, content: ContentModel): VisibleMedia {
  const select = createSelectMedia(source, content);
  return async (identity) => (await select(identity)).visible;
}

function createSelectMedia({ store, publishDue }: PostSource, content: ContentModel): SelectMedia {
  const rightsOf = createTypeRights(content);
  const { types, inner } = servedPostTypes(content);
  /** Posts that somebody may not read. */
  const isCandidate = or(
    oneOf('status', HIDDEN_STATUSES),
    ...(inner.length === 0 ? [] : [oneOf('type', inner)]),
  );
  const openFiles = cachedByRevision(store, {
    collections: ['posts', 'media'],
    make: () => new Map<string, Promise<readonly MediaRecord[]>>(),
    most: 20,
  });
  const findTranslations = async (
    parents: readonly number[],
    chain: readonly string[],
  ): Promise<readonly MediaRecord[]> => {
    const where = and(
      oneOf('parent', parents),
      oneOf('language', chain),
      gt('group', 0),
      oneOf('status', INHERITED),
    );
    const { records } = await store.find({ collection: 'media', where, fields: ['group', 'language'] });
    return records.map(toMedia);
  };
  /** There may be any number of files below hidden posts, so that they are read once for all pages of a list. */
  const listTranslations = async (parents: readonly number[], chain: readonly string[]) =>
    chain.length < 2 || parents.length === 0
      ? []
      : remember(await openFiles(), JSON.stringify([parents, chain]), () => findTranslations(parents, chain));
  return async (identity, chain = []) => {
    await publishDue();
    const readablePosts = or(
      ...types.map((type) => and(eq('type', type), rightsOf(type).readable(identity))),
    );
    const { records } = await store.find({
      collection: 'posts',
      where: and(isCandidate, not(readablePosts)),
      fields: [],
    });
    const hidden = records.map(({ id }) => id);
    const inherited = and(oneOf('status', INHERITED), not(oneOf('parent', hidden)));
    const mayUpload = identity.id !== 0 && can(identity, 'upload_files');
    const rights = rightsOf(MEDIA_TYPE);
    const hiddenFiles = await listTranslations(hidden, chain);
    const seen = (language: string, status: string): Predicate => {
      const author = userOf(identity);
      const [any = '', own = ''] = toSiblingMarks({ language, status, trashed_from: '', author });
      if (status === 'inherit') {
        const groups = hiddenFiles.filter((file) => file.language === language).map(({ group }) => group);
        return and(marked(any), not(oneOf('group', groups)));
      }
      return mayUpload ? marked(mayEditOf(rights, identity, -1) ? any : own) : or();
    };
    return {
      visible: mayUpload
        ? or(inherited, and(not(oneOf('status', INHERITED)), editableBy(rights, identity)))
        : inherited,
      readablePosts,
      translated: (languages, statuses) =>
        or(...languages.flatMap((language) => statuses.map((status) => seen(language, status)))),
    };
  };
}

/** A file is as visible as the post that it is attached to. One that is private or in the trash is for those who may edit it. */
export function createMediaAccess(deps: PostSource, content: ContentModel): MediaAccess {
  const rightsOf = createTypeRights(content);
  const mayEdit = (identity: Identity, { author }: MediaRecord): boolean =>
    mayEditOf(rightsOf(MEDIA_TYPE), identity, author);
  const mayReadParent = (identity: Identity, parent: PostRecord): boolean =>
    rightsOf(parent.type).mayRead(identity, parent);
  return {
    mayEdit,
    mayReadParent,
    mayRead: (identity, media, parent) => {
      if (!INHERITED.includes(media.status)) return mayEdit(identity, media);
      return parent === null || mayReadParent(identity, parent);
    },
    visible: createVisibleMedia(deps, content),
    select: createSelectMedia(deps, content),
    editable: (identity) => editableBy(rightsOf(MEDIA_TYPE), identity),
  };
}
