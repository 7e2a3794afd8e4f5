import { can } from '../../../lib/core/identity.ts';
import { checkIfMatch } from '../../../lib/http/etag.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { and, desc, eq } from '../../../lib/store/query.ts';
import {
  findFirst,
  retryRaces,
  type FindResult,
  type StoredRecord,
  type Values,
} from '../../../lib/store/store.ts';
import { toStoredBlocks } from '../content/html/blocks.ts';
import { toStoredTexts } from '../content/sanitise/text-fields.ts';
import { toStamp } from '../content/site-time.ts';
import { editLockOf, readLock } from '../limits/locks.ts';
import { subjectPost, refusalsOf } from '../post-views/permissions.ts';
import type { CmsDeps, KindDeps, PostDeps } from '../post-views/post-deps.ts';
import type { PostHandlers } from '../post-views/routes.ts';
import type { PostArgs } from '../post-writes/post-values.ts';
import { loadHistory, toHistoryChange } from '../records/history.ts';
import type { StoredMeta } from '../records/meta-values.ts';
import { postError } from '../records/post-errors.ts';
import { hasSameMeta, writeMeta } from '../records/post-meta.ts';
import { TEXTS, toRevision, type PostRecord, type RevisionRecord } from '../records/post-record.ts';
import { checkBounds } from '../records/text-bounds.ts';
import { listRevisionViews, showRevision } from '../revisions/revision-view.ts';
import { updateSubject } from './posts.ts';
import { findPreviewLink } from './preview-handlers.ts';

/** All autosaves of a post, newest first, without their long texts. */
function findAutosaves({ store }: PostDeps, post: number): Promise<FindResult> {
  return store.find({
    collection: 'revisions',
    where: and(eq('parent', post), eq('autosave', true)),
    order: [desc('date')],
    longTexts: 'omit',
  });
}

/** The texts that were sent. A text that was not sent is empty in the autosave; it is not copied from the post. */
function toTexts(args: PostArgs, call: Call): Record<'title' | 'content' | 'excerpt', string> {
  const toStored = (sent: string = ''): string => toStoredBlocks(sent, call.site.names.curie);
  const sent = {
    title: args.title?.raw ?? '',
    content: toStored(args.content?.raw),
    excerpt: toStored(args.excerpt?.raw),
  };
  return toStoredTexts('posts', sent, can(call.identity, 'unfiltered_html'));
}

async function storeAutosave(
  { store }: PostDeps,
  known: RevisionRecord | undefined,
  values: Values & { readonly parent: number },
): Promise<StoredRecord | null> {
  const history = await loadHistory(store, values.parent);
  const [write, change] =
    known === undefined
      ? [
          { op: 'create', collection: 'revisions', values, as: 'autosave' } as const,
          { added: 1, newest: { $ref: 'autosave' } } as const,
        ]
      : [
          { op: 'update', collection: 'revisions', id: known.id, values } as const,
          { added: 0, newest: history.newest },
        ];
  const [saved] = await store.commit([write, toHistoryChange(history, change)]);
  return saved ?? null;
}

/** Keeps one autosave per author and post. A second call changes the first autosave, even if two tabs save at the same time. */
async function saveText(
  context: KindDeps,
  call: Call,
  { post, args }: { post: PostRecord; args: PostArgs },
): Promise<RevisionRecord> {
  checkIfMatch(call, post.version);
  const author = call.identity.id;
  const texts = toTexts(args, call);
  checkBounds('revisions', texts, post);
  const { kind } = context;
  const toMeta = (stored: StoredMeta): StoredMeta =>
    writeMeta(kind, args.meta, { stored, identity: call.identity, part: 'kept' });
  const isSameAsPost =
    TEXTS.every((field) => texts[field] === post[field]) && hasSameMeta(kind, toMeta(post.meta), post.meta);
  const stamp = toStamp(context.now(), (await context.settings()).zone);
  return retryRaces(async () => {
    if ((await context.store.get('posts', post.id)) === null) throw postError('rest_post_invalid_id');
    const key = `${post.id}:${author}`;
    const found = await findFirst(context.store, { collection: 'revisions', where: eq('autosave_key', key) });
    const known = found === undefined ? undefined : toRevision(found);
    if (known !== undefined && isSameAsPost) return known;
    const saved = await storeAutosave(context, known, {
      parent: post.id,
      autosave: true,
      author,
      autosave_key: key,
      slug: `${post.id}-autosave-v1`,
      ...stamp,
      modified: stamp.date,
      modified_gmt: stamp.date_gmt,
      ...texts,
      // Unlike texts, meta that is not sent keeps its value in the autosave.
      meta: toMeta(known?.meta ?? {}),
    });
    if (saved === null) throw new TypeError('the store must return the record of a write');
    return toRevision(saved);
  });
}

/** Handlers of autosaves. */
export function createAutosaveHandlers(
  context: CmsDeps & KindDeps,
): Pick<PostHandlers, `autosaves.${'list' | 'read' | 'create'}`> {
  return {
    'autosaves.list': async (args, call) =>
      listRevisionViews(context, call, {
        found: await findAutosaves(context, subjectPost(call).id),
        as: args.context,
        from: null,
      }),
    'autosaves.read': async (args, call) => {
      const found = await context.store.get('revisions', args.id);
      if (found === null || found['autosave'] !== true || found['parent'] !== subjectPost(call).id)
        throw postError('rest_post_no_autosave');
      const shown = { revision: toRevision(found), context: args.context };
      return new RestResponse(await showRevision(context, call, shown), { version: found.version });
    },
    /** A draft is saved directly if it belongs to the caller, unless another user edits it. Every other post stays as it is and gets an autosave. */
    'autosaves.create': async (args, call) => {
      const post = subjectPost(call);
      const isOwn = post.status === 'draft' && post.author === call.identity.id;
      const editor = isOwn ? await readLock(context, editLockOf(post.id)) : null;
      if (!isOwn || (editor !== null && editor !== String(call.identity.id))) {
        const revision = await saveText(context, call, { post, args });
        const previewLink = await findPreviewLink(context, call, { post, revision: revision.id });
        return showRevision(context, call, { revision, context: 'edit', previewLink });
      }
      const refusal = refusalsOf(context.kind).update(call, post, call.args);
      if (refusal !== null) throw refusal;
      const saved = await updateSubject(context, call, args);
      const link = await findPreviewLink(context, call, { post, revision: 0 });
      return saved.withContent({
        ...(saved.body as Record<string, unknown>),
        parent: 0,
        ...(link === null ? {} : { preview_link: link }),
      });
    },
  };
}
