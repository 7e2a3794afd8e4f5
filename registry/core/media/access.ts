import { can, type Identity } from '../../../lib/core/identity.ts';
import { and, not, oneOf, or, eq, type Predicate } from '../../../lib/store/query.ts';
import type { Store } from '../../../lib/store/store.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { CmsDeps } from '../post-views/cms-deps.ts';
import { MEDIA_TYPE, type MediaRecord } from '../records/media-record.ts';
import type { PostRecord } from '../records/post-record.ts';
import { createTypeRights, type Rights } from '../records/rights.ts';
import type { PublishDue } from '../records/schedule.ts';
import { STORED_STATUSES } from '../schemas/post-args.ts';

const HIDDEN_STATUSES = STORED_STATUSES.filter((status) => status !== 'publish');
/** Statuses of files that are as visible as their post. */
export const INHERITED: readonly string[] = ['', 'inherit'];

/** Who may see which files. */
export interface MediaAccess {
  mayRead(identity: Identity, media: MediaRecord, parent: PostRecord | null): boolean;
  mayEdit(identity: Identity, media: MediaRecord): boolean;
  /** Whether the caller may know the post that a file is attached to. */
  mayReadParent(identity: Identity, parent: PostRecord): boolean;
  readonly visible: VisibleMedia;
}

/** The files that the caller may see. Part of every query, so that pages and totals are right. */
export type VisibleMedia = (identity: Identity) => Promise<Predicate>;

/** Whether the caller may edit the files of an author. */
const mayEditOf = (rights: Rights, identity: Identity, author: number): boolean =>
  rights.mayEdit(identity, { author, status: 'publish', trashed_from: '' });

/** Says in queries which files callers may see. `publishDue`: publishes the posts whose date has come. */
export function createVisibleMedia(
  { store, publishDue }: { readonly store: Store; readonly publishDue: PublishDue },
  content: ContentModel,
): VisibleMedia {
  const rightsOf = createTypeRights(content);
  const served = [...content.types.values()].filter((type) => type.served && type.storage === 'posts');
  const types = served.map(({ name }) => name);
  const inner = served.filter((type) => !type.readable).map(({ name }) => name);
  /** Posts that somebody may not read. */
  const isCandidate = or(
    oneOf('status', HIDDEN_STATUSES),
    ...(inner.length === 0 ? [] : [oneOf('type', inner)]),
  );
  const listHidden = async (identity: Identity): Promise<readonly number[]> => {
    await publishDue();
    const readable = or(...types.map((type) => and(eq('type', type), rightsOf(type).readable(identity))));
    const { records } = await store.find({
      collection: 'posts',
      where: and(isCandidate, not(readable)),
      fields: [],
    });
    return records.map(({ id }) => id);
  };
  return async (identity) => {
    const hidden = await listHidden(identity);
    const inherited = and(oneOf('status', INHERITED), not(oneOf('parent', hidden)));
    if (identity.id === 0 || !can(identity, 'upload_files')) return inherited;
    const own = mayEditOf(rightsOf(MEDIA_TYPE), identity, -1) ? and() : eq('author', identity.id);
    return or(inherited, and(not(oneOf('status', INHERITED)), own));
  };
}

/** A file is as visible as the post that it is attached to. One that is private or in the trash is for those who may edit it. */
export function createMediaAccess(
  deps: Pick<CmsDeps, 'store' | 'publishDue'>,
  content: ContentModel,
): MediaAccess {
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
  };
}
