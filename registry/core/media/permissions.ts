import type { RestError } from '../../../lib/core/errors.ts';
import { can } from '../../../lib/core/identity.ts';
import { own } from '../../../lib/core/objects.ts';
import type { Refuse } from '../../../lib/crud/plain-collection.ts';
import type { Args, Call, Permission, Verdict } from '../../../lib/route/call.ts';
import { subject } from '../../../lib/route/subject.ts';
import { MEDIA_TYPE, type MediaRecord } from '../records/media-record.ts';
import { postError } from '../records/post-errors.ts';
import { refuseWrite } from '../records/refusals.ts';
import type { MediaDeps } from './deps.ts';
import { mediaError } from './errors.ts';
import { checkParent } from './values.ts';

/** The refusals of writes, by what the caller wants to do. */
interface MediaRefusals {
  readonly update: Refuse<MediaRecord>;
  readonly remove: Refuse<MediaRecord>;
  readonly edit: Refuse<MediaRecord>;
}

export function createMediaRefusals({ access, rightsOf }: MediaDeps): MediaRefusals {
  const kind = { rights: rightsOf(MEDIA_TYPE), taxonomies: [] };
  const update: Refuse<MediaRecord> = ({ identity }, media, args) =>
    access.mayEdit(identity, media)
      ? refuseWrite(kind, { args, identity }, 'update')
      : postError('rest_cannot_edit');
  return {
    update,
    remove: ({ identity }, { author }) =>
      kind.rights.mayDelete(identity, { author, status: 'publish', trashed_from: '' })
        ? null
        : postError('rest_cannot_delete'),
    edit: (call, media, args) =>
      kind.rights.has(call.identity, 'create_posts')
        ? update(call, media, args)
        : mediaError('rest_cannot_edit_image'),
  };
}

/** Permission functions by id. The subject of those on one file is its record. */
export function createMediaPermissions(
  context: MediaDeps,
  refusals: MediaRefusals,
): Readonly<Record<string, Permission>> {
  const { access, collection, findPost, rightsOf } = context;
  const kind = { rights: rightsOf(MEDIA_TYPE), taxonomies: [] };
  const read = async (args: Args, call: Call): Promise<Verdict> => {
    const media = await collection.load(call, own(args, 'id'));
    if (media === null) return postError('rest_post_invalid_id');
    if (args['context'] === 'edit' && !access.mayEdit(call.identity, media))
      return postError('rest_forbidden_context');
    const parent = media.parent === 0 ? null : await findPost(call, media.parent);
    return access.mayRead(call.identity, media, parent) ? subject(media) : postError('rest_forbidden');
  };
  return {
    'cms.media.list': (args, { identity }): true | RestError => {
      if (args['context'] !== 'edit' || can(identity, 'edit_posts')) return true;
      return postError('rest_forbidden_context', {
        message: 'Sorry, you are not allowed to edit posts in this post type.',
      });
    },
    'cms.media.read': read,
    'cms.media.create': async (args, call): Promise<Verdict> => {
      if (args['id'] !== undefined) return postError('rest_post_exists');
      const refusal = refuseWrite(kind, { args, identity: call.identity }, 'create');
      if (refusal !== null) return refusal;
      if (!kind.rights.has(call.identity, 'create_posts')) return postError('rest_cannot_create');
      const parent = Number(args['post'] ?? 0);
      if (parent !== 0) await checkParent(context, call, parent);
      return true;
    },
    'cms.media.update': collection.permission('id', refusals.update),
    'cms.media.remove': collection.permission('id', refusals.remove),
    'cms.media.edit': collection.permission('id', refusals.edit),
  };
}
