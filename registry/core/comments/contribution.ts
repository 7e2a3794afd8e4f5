import { can } from '../../../lib/core/identity.ts';
import { PlainCollection, type Refuse } from '../../../lib/crud/plain-collection.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call, Handler } from '../../../lib/route/call.ts';
import type { ValueCheck } from '../../../lib/route/namespace.ts';
import { and, eq, not } from '../../../lib/store/query.ts';
import { type Operation, toUpdate, type Values } from '../../../lib/store/store.ts';
import { readCmsSettings } from '../files/cms-settings.ts';
import type { CmsContribution } from '../host/contribution.ts';
import { createFindPost } from '../post-views/load-views.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import type { CommentRecord } from '../records/comment-record.ts';
import { createRecordMeta } from '../records/meta-values.ts';
import type { PostRecord } from '../records/post-record.ts';
import { type CommentListArgs, listComments } from './list-comments.ts';
import {
  type CheckedComment,
  type CommentDeps,
  commentError,
  createCommentPermissions,
  createCommentRefusals,
  createPostAccess,
  MODERATE,
  NOTE,
} from './permissions.ts';
import { type commentReadArgs, describeComments } from './routes.ts';
import { createShowComments } from './view.ts';
import {
  type CommentArgs,
  refuseTaken,
  toChangedComment,
  toNewComment,
  toStatusValues,
} from './write-comment.ts';

const checkedOf = (call: Call): CheckedComment => call.subject as CheckedComment;

/** Changes of the replies to a comment. Parents are not checked, so a comment may be a reply to itself, or to a reply of its own. */
async function listReplyUpdates(
  { store }: CommentDeps,
  { id }: CommentRecord,
  toValues: (reply: CommentRecord) => Values,
): Promise<readonly Operation[]> {
  const { records } = await store.find({
    collection: 'comments',
    where: and(eq('parent', id), not(eq('id', id))),
    fields: ['status', 'trashed_from'],
  });
  return (records as readonly CommentRecord[]).map((reply) => toUpdate('comments', reply, toValues(reply)));
}

/** Replies to a removed comment move to its parent. */
const moveReplies = (context: CommentDeps, comment: CommentRecord): Promise<readonly Operation[]> =>
  listReplyUpdates(context, comment, ({ id }) => ({
    parent: [comment.id, id].includes(comment.parent) ? 0 : comment.parent,
  }));

/** As in WordPress, a note takes its replies along to the trash. */
const trashReplies = async (context: CommentDeps, note: CommentRecord): Promise<readonly Operation[]> =>
  note.type === NOTE && note.parent === 0 && note.status !== 'trash'
    ? listReplyUpdates(context, note, (reply) => toStatusValues('trash', reply))
    : [];

/** Without an address, a new comment has that of its author. */
const checkEmail: ValueCheck = (value) => (value === '' ? 'valid' : null);

/** Handlers of comments by id. */
function createHandlers(context: CommentDeps): Readonly<Record<string, Handler<never>>> {
  const { collection } = context;
  const refusals = createCommentRefusals(context);
  const checkAgain =
    (call: Call, refuse: typeof refusals.update): Refuse<CommentRecord> =>
    (_call, comment, args) =>
      refuse(call, { comment, post: checkedOf(call).post }, args);
  const trash = async (call: Call, comment: CommentRecord): Promise<CommentRecord> =>
    collection.update(call, comment, {
      refuse: checkAgain(call, refusals.remove),
      toDraft: async (current) => {
        if (current.status === 'trash') throw commentError('rest_already_trashed');
        return { values: toStatusValues('trash', current), also: await trashReplies(context, current) };
      },
    });
  return {
    'cms.comments.list': (args: CommentListArgs, call: Call) => listComments(context, args, call),
    'cms.comments.read': (args: ArgsOf<typeof commentReadArgs>, call: Call) =>
      collection.one(call, checkedOf(call).comment, args),
    'cms.comments.create': async (args: CommentArgs, call: Call) => {
      const comment = await collection.create(call, () =>
        toNewComment(context, call, { args, post: call.subject as PostRecord }),
      );
      return collection.one(call, comment, {
        context: can(call.identity, MODERATE) ? 'edit' : 'view',
        status: 201,
      });
    },
    'cms.comments.update': async (args: CommentArgs, call: Call) => {
      const comment = await collection.update(call, checkedOf(call).comment, {
        refuse: checkAgain(call, refusals.update),
        toDraft: async (current) => ({
          ...(await toChangedComment(context, call, { args, comment: current })),
          also: args.status === 'trash' ? await trashReplies(context, current) : [],
        }),
      });
      return collection.one(call, comment, { context: 'edit' });
    },
    'cms.comments.remove': async (args: { readonly force: boolean }, call: Call) => {
      const { comment } = checkedOf(call);
      if (!args.force) return collection.one(call, await trash(call, comment), { context: 'edit' });
      return collection.remove(call, comment, {
        refuse: checkAgain(call, refusals.remove),
        context: 'edit',
        also: (current) => moveReplies(context, current),
      });
    },
  };
}

/** Comments on the records of all types that are served. */
export function contributeComments(cms: CmsDeps): CmsContribution {
  const meta = createRecordMeta(cms.content.meta.get('comment') ?? [], 'Registered meta fields.');
  const access = createPostAccess(cms);
  const { routes, resource } = describeComments(meta.schema);
  const collection = new PlainCollection<CommentRecord>({
    store: cms.store,
    collection: 'comments',
    missing: () => commentError('rest_comment_invalid_id'),
    taken: refuseTaken,
    pathOf: ({ id }) => `/cms/v2/comments/${id}`,
    show: createShowComments(cms, resource, { meta, access }),
    // A response that a password opened is not cached, see `toDependencies` of posts.
    until: ({ args }) => (args['password'] === undefined ? cms.nextDue() : 0),
  });
  const context: CommentDeps = {
    ...cms,
    access,
    meta,
    collection,
    findPost: createFindPost(cms),
    visitorsMayWrite: readCmsSettings(cms.ports.config).visitorComments,
  };
  return {
    routes,
    resources: { comment: resource },
    handlers: createHandlers(context),
    permissions: createCommentPermissions(context),
    checks: { 'cms.comments.email': checkEmail },
    embeds: {},
  };
}
