import { createErrors, type ErrorTable, type RestError } from '../../../lib/core/errors.ts';
import { can } from '../../../lib/core/identity.ts';
import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import { own } from '../../../lib/core/objects.ts';
import type { PlainCollection, Refuse } from '../../../lib/crud/plain-collection.ts';
import { type Args, type Call, type Permission, subject, type Verdict } from '../../../lib/route/call.ts';
import type { UploadRules } from '../files/cms-settings.ts';
import type { MediaStorage, Pictures } from '../host/ports.ts';
import { refuseWrite } from '../post-views/permissions.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import { MEDIA_TYPE, type MediaRecord } from '../records/media-record.ts';
import { postError } from '../records/post-errors.ts';
import type { PostRecord } from '../records/post-record.ts';
import type { MediaAccess, Rights } from '../records/rights.ts';

/** Errors of writes of media. Where WordPress answers 500 for a mistake of the caller, the status is 400. */
export const MEDIA_ERRORS = {
  rest_upload_no_data: [400, 'No data supplied.'],
  rest_upload_no_content_type: [400, 'No Content-Type supplied.'],
  rest_upload_no_content_disposition: [400, 'No Content-Disposition supplied.'],
  rest_upload_invalid_disposition: [
    400,
    'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
  ],
  rest_upload_hash_mismatch: [412, 'Content hash did not match expected.'],
  rest_upload_sideload_error: [400, 'Sorry, you are not allowed to upload this file type.'],
  rest_upload_unknown_error: [400, 'Sorry, you are not allowed to upload this file type.'],
  rest_upload_unavailable: [501, 'This site does not store uploads.'],
  rest_cannot_edit_image: ['denied', 'Sorry, you are not allowed to upload media on this site.'],
  rest_unknown_attachment: [404, 'Unable to get meta information for file.'],
  rest_cannot_edit_file_type: [400, 'This type of file cannot be edited.'],
  rest_image_not_edited: [400, 'The image was not edited. Edit the image before applying the changes.'],
  rest_image_crop_failed: [400, 'Unable to crop this image.'],
  rest_unknown_image_file_type: [500, 'Unable to edit this image.'],
  rest_invalid_param: [400, 'Invalid parent type.'],
  rest_trash_not_supported: [501, "The post does not support trashing. Set 'force=true' to delete."],
} as const satisfies ErrorTable;

export const mediaError = createErrors(MEDIA_ERRORS);

/** What the handlers of media get. */
export interface MediaDeps extends CmsDeps {
  readonly collection: PlainCollection<MediaRecord>;
  readonly access: MediaAccess;
  /** The rights of a type. */
  readonly rightsOf: (type: string) => Rights;
  readonly findPost: (call: Call, id: number) => MaybePromise<PostRecord | null>;
  readonly rules: UploadRules;
  /** undefined: the host stores no uploads. */
  readonly storage: MediaStorage | undefined;
  /** undefined: the host has no editor. */
  readonly pictures: Pictures | undefined;
}

/** The refusals of writes, by what the caller wants to do. */
type MediaRefusals = Readonly<Record<'update' | 'remove' | 'edit', Refuse<MediaRecord>>>;

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

/**
 * The post that a file is attached to, which the caller must be allowed to edit.
 * @throws RestError `rest_cannot_edit`, `rest_invalid_param` for a file
 */
export async function checkParent(
  { findPost, rightsOf, store, access }: MediaDeps,
  call: Call,
  id: number,
): Promise<void> {
  const refusal = postError('rest_cannot_edit', {
    message: 'Sorry, you are not allowed to upload media to this post.',
  });
  const post = await findPost(call, id);
  if (post !== null) {
    if (!rightsOf(post.type).mayEdit(call.identity, post)) throw refusal;
    return;
  }
  const file = id > 0 ? ((await store.get('media', id)) as MediaRecord | null) : null;
  throw file !== null && access.mayEdit(call.identity, file) ? mediaError('rest_invalid_param') : refusal;
}
