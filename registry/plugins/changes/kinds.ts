import { type Identity, type LoggedValues, type StoredRecord, can, oneOf } from '../../../lib/index.ts';
import {
  type ContentType,
  type Ports,
  createTypeRights,
  listTag,
  mayReadTerms,
  own,
  recordTag,
  servicesOf,
  slicesOf,
} from '../../plugin.ts';

/** What the feed needs of a record or of what the log kept of it. */
export type Facts = LoggedValues;

/** The facts of a record that is there. */
export type RecordFacts = Facts & { readonly id: number; readonly version: number };

/** What decides whether callers see records of a collection: the posts that they belong to. */
export interface Surroundings {
  /** Whether the caller sees the post; posts that do not exist are not seen. */
  readonly seesPost: (id: number) => boolean;
}

/** A collection of the feed. */
export interface FeedKind {
  /** As in the feed. */
  readonly name: string;
  /** One record in names of events. */
  readonly noun: string;
  /** As in the store. */
  readonly collection: string;
  /** The fields that the functions read, with the hidden ones as whether they are not empty. */
  readonly fields: readonly string[];
  /** The field with the post that a record belongs to, as visible as which it is. null: it belongs to none. */
  readonly postField: string | null;
  readonly typeOf: (facts: Facts) => string;
  /** '': the records have no language, and are in every list. */
  readonly languageOf: (facts: Facts) => string;
  /** Whether the caller sees a record. */
  readonly sees: (
    identity: Identity,
    facts: Facts & { readonly id: number },
    around: Surroundings,
  ) => boolean;
  /** Whether the caller may edit it, and so may know who changed it. */
  readonly mayEdit: (identity: Identity, facts: Facts & { readonly id: number }) => boolean;
  /** The path of its representation, if the site has a route for it. */
  readonly pathOf: (facts: Facts, id: number) => string | null;
}

const text = (facts: Facts, name: string): string => String(own(facts, name) ?? '');
const number = (facts: Facts, name: string): number => Number(own(facts, name) ?? 0);

/** The facts of a stored record, as the log keeps them. */
export const toFacts = (record: StoredRecord): RecordFacts =>
  'password' in record ? { ...record, password: record['password'] !== '' } : record;

/** The post that a record belongs to; 0: none. */
export const postOf = ({ postField }: FeedKind, facts: Facts): number =>
  postField === null ? 0 : number(facts, postField);

type Content = Ports['content'];
type Rights = ReturnType<typeof createTypeRights>;

const held = (facts: Facts) => ({
  author: number(facts, 'author'),
  status: text(facts, 'status'),
  trashed_from: '',
});
/** Records that belong to no post, and that are in every list. */
const OWN = { postField: null, languageOf: () => '' } as const;
const language = (facts: Facts): string => text(facts, 'language');

/** The path of records whose type or taxonomy is one of these. */
const servedPath =
  (
    known: ReadonlyMap<string, Pick<ContentType, 'served' | 'base'>>,
    field: 'type' | 'taxonomy',
  ): FeedKind['pathOf'] =>
  (facts, id) => {
    const kind = known.get(text(facts, field));
    return kind?.served === true ? `/cms/v2/${kind.base}/${id}` : null;
  };
/** The path of records that the core controllers serve. */
const corePath =
  ({ core }: Content, base: string): FeedKind['pathOf'] =>
  (_facts, id) =>
    core ? `/cms/v2/${base}/${id}` : null;

const createPosts = (content: Content, rightsOf: Rights): FeedKind => ({
  ...OWN,
  name: 'posts',
  noun: 'post',
  collection: 'posts',
  fields: ['type', 'language', 'status', 'author', 'slug', 'parent', 'password'],
  typeOf: (facts) => text(facts, 'type'),
  languageOf: language,
  // What is in the trash is gone. A protected text is for those who can edit it, as it is in searches.
  sees: (identity, facts) => {
    const rights = rightsOf(text(facts, 'type'));
    const post = held(facts);
    if (post.status === 'trash' || post.status === 'auto-draft') return false;
    return (
      rights.mayEdit(identity, post) || (own(facts, 'password') !== true && rights.mayRead(identity, post))
    );
  },
  mayEdit: (identity, facts) => rightsOf(text(facts, 'type')).mayEdit(identity, held(facts)),
  pathOf: servedPath(content.types, 'type'),
});

const createTerms = (content: Content, exposed: ReadonlySet<string>): FeedKind => ({
  ...OWN,
  name: 'terms',
  noun: 'term',
  collection: 'terms',
  fields: ['taxonomy', 'language', 'slug'],
  typeOf: (facts) => text(facts, 'taxonomy'),
  languageOf: language,
  sees: (identity, facts) => {
    const taxonomy = content.taxonomies.get(text(facts, 'taxonomy'));
    return taxonomy !== undefined && mayReadTerms(taxonomy, identity, { exposed, content });
  },
  mayEdit: (identity) => can(identity, 'manage_categories'),
  pathOf: servedPath(content.taxonomies, 'taxonomy'),
});

const createUsers = (content: Content): FeedKind => ({
  ...OWN,
  name: 'users',
  noun: 'user',
  collection: 'users',
  fields: ['slug'],
  typeOf: () => 'user',
  sees: (identity, { id }) => id === identity.id || can(identity, 'list_users'),
  mayEdit: (identity) => can(identity, 'edit_users'),
  pathOf: corePath(content, 'users'),
});

const createComments = (content: Content): FeedKind => ({
  name: 'comments',
  noun: 'comment',
  collection: 'comments',
  fields: ['status', 'type', 'post', 'language', 'author'],
  postField: 'post',
  typeOf: (facts) => text(facts, 'type') || 'comment',
  languageOf: language,
  // Notes are for those who may edit the post. The facts do not tell whether that is its author.
  sees: (identity, facts, { seesPost }) =>
    text(facts, 'type') === 'note'
      ? can(identity, 'edit_others_posts') &&
        text(facts, 'status') !== 'trash' &&
        seesPost(number(facts, 'post'))
      : can(identity, 'moderate_comments')
        ? text(facts, 'status') !== 'trash'
        : text(facts, 'status') === 'approved' && seesPost(number(facts, 'post')),
  mayEdit: (identity) => can(identity, 'moderate_comments'),
  pathOf: corePath(content, 'comments'),
});

function createMedia(content: Content, rightsOf: Rights): FeedKind {
  const rights = rightsOf('attachment');
  const mayEditFile = (identity: Identity, facts: Facts): boolean =>
    rights.mayEdit(identity, { ...held(facts), status: 'publish' });
  return {
    name: 'media',
    noun: 'media',
    collection: 'media',
    fields: ['status', 'parent', 'author', 'slug'],
    postField: 'parent',
    typeOf: () => 'attachment',
    languageOf: OWN.languageOf,
    sees: (identity, facts, { seesPost }) => {
      const parent = number(facts, 'parent');
      if (!['', 'inherit'].includes(text(facts, 'status')))
        return text(facts, 'status') !== 'trash' && mayEditFile(identity, facts);
      return parent === 0 || seesPost(parent);
    },
    mayEdit: mayEditFile,
    pathOf: corePath(content, 'media'),
  };
}

const createSettings = (content: Content): FeedKind => ({
  ...OWN,
  name: 'settings',
  noun: 'setting',
  collection: 'options',
  fields: ['group', 'key'],
  typeOf: () => 'setting',
  sees: (identity, facts) => text(facts, 'group') === 'site' && can(identity, 'manage_options'),
  mayEdit: (identity) => can(identity, 'manage_options'),
  pathOf: () => (content.core ? '/cms/v2/settings' : null),
});

/** The collections of the feed, in their order. */
export function createKinds(ports: Ports): readonly [posts: FeedKind, ...others: FeedKind[]] {
  const { content } = ports;
  const rightsOf = createTypeRights(content);
  return [
    createPosts(content, rightsOf),
    createTerms(content, servicesOf(ports).exposed),
    createUsers(content),
    createComments(content),
    createMedia(content, rightsOf),
    createSettings(content),
  ];
}

/** The tags of cached responses that show a record, or a list that it stands in. */
export function tagsOf(
  { name, languageOf }: FeedKind,
  id: number,
  states: readonly (Facts | null)[],
): readonly string[] {
  const lists = states.flatMap((facts) => (facts === null ? [] : listTag(name, languageOf(facts))));
  return [recordTag(name, id), ...new Set(lists)];
}

/** Ids of one query. */
const MOST_IDS = 1000;

/** What of the records with these ids a feed reads, by id. */
export async function loadFacts(
  { store }: Pick<Ports, 'store'>,
  { collection, fields }: FeedKind,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, RecordFacts>> {
  const found = new Map<number, RecordFacts>();
  for (const part of slicesOf([...new Set(ids)], MOST_IDS)) {
    const { records } = await store.find({ collection, where: oneOf('id', part), fields });
    for (const record of records) found.set(record.id, toFacts(record));
  }
  return found;
}
