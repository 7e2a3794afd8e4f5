import type { Args, Call, Permission, Verdict } from '../../../lib/route/call.ts';
import { can } from '../../../lib/core/identity.ts';
import { RestError } from '../../../lib/core/errors.ts';
import { own } from '../../../lib/core/objects.ts';
import { PlainCollection, subjectOf } from '../../../lib/crud/plain-collection.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { ValueCheck } from '../../../lib/route/namespace.ts';
import { pagesOf, toOffset } from '../../../lib/route/paging.ts';
import { and } from '../../../lib/store/query.ts';
import { toSentence } from '../../../lib/schema/invalid.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { CmsContext } from '../cms-context.ts';
import { postError } from '../errors.ts';
import { createFindPost } from '../find-readable.ts';
import { definePart, type CmsPart } from '../part.ts';
import { toMediaFilter, toMediaOrder, type MediaListArgs } from './list-media.ts';
import { createMediaAccess, type MediaAccess } from './media-access.ts';
import { MEDIA_STATUSES } from './media-args.ts';
import { toMedia, type MediaRecord } from './media-record.ts';
import { mediaDescriptor } from './media-routes.ts';
import { createShowMedia } from './media-view.ts';

const STATUSES: readonly string[] = MEDIA_STATUSES;

/** What `status` of a list accepts: only callers who can edit posts may ask for another one than `inherit`. */
const checkMediaStatus: ValueCheck = (value, identity) => {
  if (!Array.isArray(value) || value.every((status) => status === 'inherit')) return null;
  if (!can(identity, 'edit_posts')) return { code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: identity.id === 0 ? 401 : 403 } };
  return value.every((status) => STATUSES.includes(String(status))) ? 'valid' : { code: 'rest_not_in_enum', message: `status[0] is not one of ${toSentence(STATUSES)}.`, data: null };
};

interface MediaParts {
  readonly collection: PlainCollection<MediaRecord>;
  readonly access: MediaAccess;
}

async function listMedia(cms: CmsContext, { collection, access }: MediaParts, { args, call }: { args: MediaListArgs; call: Call }): Promise<RestResponse> {
  const { zone } = await cms.settings();
  const where = and(toMediaFilter(args, zone), await access.visible(call.identity));
  const { page, per_page: perPage, offset } = args;
  const { records, total } = await cms.store.find({ collection: 'media', where, order: toMediaOrder(args), limit: perPage, offset: toOffset({ page, perPage, offset }), total: true }, call);
  if (records.length === 0 && total > 0 && page > pagesOf({ page, perPage, total })) throw postError('rest_post_invalid_page_number');
  return collection.page(call, records.map(toMedia), { context: args.context, page, perPage, total });
}

function createPermissions(cms: CmsContext, content: ContentModel, { collection, access }: MediaParts): Readonly<Record<string, Permission>> {
  const findPost = createFindPost(cms, content);
  const read = async (args: Args, call: Call): Promise<Verdict> => {
    const media = await collection.load(call, own(args, 'id'));
    if (media === null) return postError('rest_post_invalid_id');
    if (args['context'] === 'edit' && !access.mayEdit(call.identity, media)) return postError('rest_forbidden_context');
    const parent = media.parent === 0 ? null : await findPost(call, media.parent);
    return access.mayRead(call.identity, media, parent) ? media : postError('rest_forbidden');
  };
  return {
    'cms.media.list': (args, { identity }): true | RestError => {
      if (args['context'] !== 'edit' || can(identity, 'edit_posts')) return true;
      return postError('rest_forbidden_context', { message: 'Sorry, you are not allowed to edit posts in this post type.' });
    },
    'cms.media.read': read,
  };
}

/** The files of the media library. */
export function createMediaPart(cms: CmsContext, content: ContentModel): CmsPart {
  const access = createMediaAccess(cms, content);
  const collection = new PlainCollection<MediaRecord>({
    store: cms.store, collection: 'media', missing: () => postError('rest_post_invalid_id'), pathOf: ({ id }) => `/cms/v2/media/${id}`,
    show: createShowMedia(cms, content), until: cms.nextDue,
  });
  const parts = { collection, access };
  return definePart(mediaDescriptor, {
    'cms.media.list': (args, call) => listMedia(cms, parts, { args, call }),
    'cms.media.read': ({ context }, call) => collection.one(call, subjectOf<MediaRecord>(call), { context }),
  }, { permissions: createPermissions(cms, content, parts), checks: { 'cms.media-status': checkMediaStatus } });
}
