import { ANONYMOUS, type Identity } from '../../../lib/core/identity.ts';
import { and, eq, not, oneOf, or, type Predicate } from '../../../lib/store/query.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { CmsDeps } from '../post-views/cms-deps.ts';
import { isPassword } from '../post-views/post-password.ts';
import type { PostRecord } from '../records/post-record.ts';
import { createTypeRights } from '../records/rights.ts';
import { STORED_STATUSES } from '../schemas/post-args.ts';

/** Everybody reads a published post without a password, unless its type is not public. All others are few, and an index finds them. */
const NOT_PUBLISHED = STORED_STATUSES.filter((status) => status !== 'publish');
const CANDIDATES: readonly Predicate[] = [
  oneOf('status', NOT_PUBLISHED),
  and(eq('status', 'publish'), { op: 'gt', field: 'password', value: '' }),
];

const POSTS = ['posts'] as const;

/** Who may read the comments of which posts. */
export interface PostAccess {
  /** Whether the caller may read the comments of the post. A protected post needs its password or the right to edit it. */
  mayReadComments(identity: Identity, post: PostRecord, password: unknown): boolean;
  mayEdit(identity: Identity, post: PostRecord): boolean;
  /** Names of the types whose comments are served. */
  readonly types: readonly string[];
  /** Ids of the posts whose comments the caller may not read. Posts of types that are not served are not among them. */
  listHidden(identity: Identity): Promise<readonly number[]>;
}

export function createPostAccess({ store, publishDue }: CmsDeps, content: ContentModel): PostAccess {
  const rightsOf = createTypeRights(content);
  const served = [...content.types.values()].filter((type) => type.served && type.storage === 'posts');
  const types = served.map(({ name }) => name);
  const inner = served.filter((type) => !type.readable).map(({ name }) => name);
  const candidates =
    inner.length === 0 ? CANDIDATES : [...CANDIDATES, and(eq('status', 'publish'), oneOf('type', inner))];
  let kept: { readonly revision: number; readonly hidden: readonly number[] } = { revision: -1, hidden: [] };

  /** The candidates whose comments the caller may read. */
  const toOpen = (identity: Identity): Predicate =>
    or(
      ...types.map((type) => {
        const { readable, editable } = rightsOf(type);
        return and(eq('type', type), readable(identity), or(eq('password', ''), editable(identity)));
      }),
    );
  const find = async (identity: Identity): Promise<readonly number[]> => {
    const open = toOpen(identity);
    const found = await Promise.all(
      candidates.map((where) =>
        store.find({ collection: 'posts', where: and(where, not(open)), fields: [] }),
      ),
    );
    return found.flatMap(({ records }) => records.map(({ id }) => id));
  };

  return {
    types,
    mayEdit: (identity, post) => rightsOf(post.type).mayEdit(identity, post),
    mayReadComments: (identity, post, password) => {
      const { mayRead, mayEdit } = rightsOf(post.type);
      if (!mayRead(identity, post)) return false;
      return (
        post.password === '' ||
        (typeof password === 'string' && isPassword(post, password)) ||
        mayEdit(identity, post)
      );
    },
    listHidden: async (identity) => {
      await publishDue();
      if (identity !== ANONYMOUS) return find(identity);
      // The revision is read before the posts, so that the next read notices a write in between.
      const revision = await store.revision(POSTS);
      if (kept.revision !== revision) kept = { revision, hidden: await find(identity) };
      return kept.hidden;
    },
  };
}
