import type { RestError } from '../../../lib/core/errors.ts';
import { thenMaybe, type MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { ContentModel } from '../model/content-model.ts';
import { postError } from '../records/post-errors.ts';
import { toPost, type PostRecord } from '../records/post-record.ts';
import { createTypeRights } from '../records/rights.ts';
import type { CmsDeps } from './cms-deps.ts';

/** Finds a record of any served type: null if there is none, an error if the caller may not read it. */
export type FindReadable = (call: Call, id: number) => MaybePromise<PostRecord | RestError | null>;

/** The record with this id if its type is served, loaded once per call. Scheduled records that are due are published first. */
export function createFindPost(
  { store, publishDue }: Pick<CmsDeps, 'store' | 'publishDue'>,
  { types }: ContentModel,
): (call: Call, id: number) => MaybePromise<PostRecord | null> {
  const find = async (id: number): Promise<PostRecord | null> => {
    await publishDue();
    const found = await store.get('posts', id);
    return found !== null && types.get(String(found['type']))?.served === true ? toPost(found) : null;
  };
  return (call, id) => call.once(`record ${id}`, () => find(id));
}

/** Creates a `FindReadable`. Whether a password protects the record is not checked. */
export function createFindReadable(
  context: Pick<CmsDeps, 'store' | 'publishDue'>,
  content: ContentModel,
): FindReadable {
  const find = createFindPost(context, content);
  const rightsOf = createTypeRights(content);
  return (call, id) =>
    thenMaybe(find(call, id), (post) =>
      post === null || rightsOf(post.type).mayRead(call.identity, post) ? post : postError('rest_forbidden'),
    );
}
