import { can } from '../../../lib/core/identity.ts';
import { PlainCollection, type Refuse, subjectOf } from '../../../lib/crud/plain-collection.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { ValueCheck } from '../../../lib/route/namespace.ts';
import { pagesOf, toOffset } from '../../../lib/route/paging.ts';
import { toSentence } from '../../../lib/schema/failure-messages.ts';
import { and, eq } from '../../../lib/store/query.ts';
import { renderTitle } from '../content/render/render.ts';
import { readCmsSettings } from '../files/cms-settings.ts';
import { type CmsContribution, defineContribution } from '../host/contribution.ts';
import { toMediaUrl } from '../host/media-url.ts';
import { createFindPost } from '../post-views/load-views.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import { isImage, type MediaRecord, toMedia } from '../records/media-record.ts';
import { postError } from '../records/post-errors.ts';
import { createMediaAccess, createTypeRights } from '../records/rights.ts';
import {
  findStandIn,
  firstOrShared,
  loadExpansion,
  readChain,
  toContentLanguage,
} from '../translations/fallback.ts';
import { listByLanguage } from '../translations/translation-links.ts';
import { editPicture } from './edit-picture.ts';
import { type MediaListArgs, type MediaScope, toMediaFilter, toMediaOrder } from './list-media.ts';
import { makeSizes, missingSizes } from './make-sizes.ts';
import { toChangedMedia } from './media-values.ts';
import { createMediaPermissions, createMediaRefusals, type MediaDeps, mediaError } from './permissions.ts';
import { describeMedia, MEDIA_STATUSES } from './routes.ts';
import { createShowMedia } from './view.ts';
import { createMedia, discardMedia, listPostUpdates } from './write-media.ts';

const STATUSES: readonly string[] = MEDIA_STATUSES;

/** What `status` of a list accepts: only callers who can edit posts may ask for another one than `inherit`. */
const checkMediaStatus: ValueCheck = (value, identity) => {
  if (!Array.isArray(value) || value.every((status) => status === 'inherit')) return null;
  if (!can(identity, 'edit_posts'))
    return {
      code: 'rest_forbidden_status',
      message: 'Status is forbidden.',
      data: { status: identity.id === 0 ? 401 : 403 },
    };
  return value.every((status) => STATUSES.includes(String(status)))
    ? 'valid'
    : { code: 'rest_not_in_enum', message: `status[0] is not one of ${toSentence(STATUSES)}.`, data: null };
};

interface FallbackArgs {
  readonly ml_fallback?: readonly string[];
}

async function listMedia(
  { settings, store, collection, access }: MediaDeps,
  { args, call }: { args: MediaListArgs & FallbackArgs; call: Call },
): Promise<RestResponse> {
  const site = await settings();
  const chain = readChain(call, args.ml_fallback, site);
  const { visible, translated, readablePosts } = await access.select(call.identity, chain);
  const scope: MediaScope = {
    zone: site.zone,
    expand: await loadExpansion(store, ['media', ''], {
      ids: [...args.include, ...args.exclude],
      chain,
      visible,
    }),
    expandPosts: await loadExpansion(store, ['posts', 'type'], {
      ids: [...args.parent, ...args.parent_exclude],
      chain,
      visible: readablePosts,
    }),
  };
  // The library shows all languages to those who name none.
  const isInLanguages = args.ml_fallback !== undefined || call.given.has('ml_language');
  const where = and(
    toMediaFilter(args, scope),
    visible,
    ...(isInLanguages
      ? firstOrShared(chain, (languages) =>
          translated(languages, args.status as unknown as readonly string[]),
        )
      : []),
  );
  const { page, per_page: perPage, offset } = args;
  const from = toOffset({ page, perPage, offset });
  const { records, total } = await store.find(
    {
      collection: 'media',
      where,
      order: toMediaOrder(args, scope),
      limit: perPage,
      offset: from,
      total: true,
    },
    call,
  );
  if (records.length === 0 && total > 0 && page > pagesOf({ page, perPage, total }))
    throw postError('rest_post_invalid_page_number');
  const media = records.map(toMedia);
  const shown = await collection.page(call, media, { context: args.context, page, perPage, total, from });
  return args.ml_fallback === undefined ? shown : shown.withHeaders(toContentLanguage(call, chain, media));
}

/** Makes the missing copies of a picture. Without an editor it stays as it is. */
async function postProcess(
  context: MediaDeps,
  call: Call,
  refuse: Refuse<MediaRecord>,
): Promise<MediaRecord> {
  const media = subjectOf<MediaRecord>(call);
  const storage = isImage(media) ? context.storage : undefined;
  const missing = missingSizes(media);
  if (storage === undefined || missing.length === 0) return media;
  const { sizes, refused } = await makeSizes(context, storage, {
    picture: media,
    work: { call, missing, written: [] },
  });
  if (refused !== undefined)
    context.log({ level: 'warn', message: `the file ${media.id} has no smaller copies: ${refused}` });
  return context.collection.update(call, media, { refuse, toDraft: () => ({ values: { sizes } }) });
}

/** Shows a file, or with stand-ins the first of its translations in the chain that the caller may see. */
async function readMedia(
  { store, access, settings, collection }: MediaDeps,
  call: Call,
  { context, ml_fallback: asked }: FallbackArgs & { readonly context: string },
): Promise<RestResponse> {
  const media = subjectOf<MediaRecord>(call);
  if (asked === undefined) return collection.one(call, media, { context });
  const chain = readChain(call, asked, await settings());
  const where = and(
    await access.visible(call.identity),
    ...(context === 'edit' ? [access.editable(call.identity)] : []),
  );
  const found = await findStandIn(store, media, { of: ['media', ''], chain, where });
  const first = found === null ? media : toMedia(found);
  const shown = await collection.one(call, first, { context });
  return shown.withHeaders(
    toContentLanguage(call, first.language === '' ? chain : [first.language], [first]),
  );
}

/** A file and its translations that the caller may see, in the order of the site's languages. */
async function listTranslations(
  { store, access, settings }: MediaDeps,
  call: Call,
): Promise<readonly object[]> {
  const media = subjectOf<MediaRecord>(call);
  const where = and(eq('group', media.group), await access.visible(call.identity));
  const found = media.group === 0 ? [media] : (await store.find({ collection: 'media', where })).records;
  return listByLanguage(found.map(toMedia), await settings(), ({ status, title, file }) => ({
    title: renderTitle(title),
    status: status || 'inherit',
    link: toMediaUrl(call.site.home(), file),
  }));
}

async function removeMedia(
  context: MediaDeps,
  call: Call,
  { force, refuse }: { readonly force: boolean; readonly refuse: Refuse<MediaRecord> },
): Promise<object> {
  if (!force) throw mediaError('rest_trash_not_supported');
  const media = subjectOf<MediaRecord>(call);
  const removed = await context.collection.remove(call, media, {
    refuse,
    context: 'edit',
    also: (current) => listPostUpdates(context, current),
  });
  await discardMedia(context, media);
  return removed;
}

function createContext(cms: CmsDeps): MediaDeps {
  const access = createMediaAccess(cms, cms.content);
  const { media, pictures, config } = cms.ports;
  return {
    ...cms,
    access,
    pictures,
    storage: media?.storage,
    rules: readCmsSettings(config).uploads,
    rightsOf: createTypeRights(cms.content),
    findPost: createFindPost(cms),
    collection: new PlainCollection<MediaRecord>({
      store: cms.store,
      collection: 'media',
      missing: () => postError('rest_post_invalid_id'),
      pathOf: ({ id }) => `/cms/v2/media/${id}`,
      show: createShowMedia(cms, access),
      until: cms.nextDue,
    }),
  };
}

/** The files of the media library. */
export function contributeMedia(cms: CmsDeps): CmsContribution {
  const context = createContext(cms);
  const { collection, rules } = context;
  const refusals = createMediaRefusals(context);
  return defineContribution(
    describeMedia(rules),
    {
      'cms.media.list': (args, call) => listMedia(context, { args, call }),
      'cms.media.read': (args, call) => readMedia(context, call, args),
      'cms.media.translations': (_args, call) => listTranslations(context, call),
      'cms.media.create': async (args, call) =>
        collection.one(call, await createMedia(context, call, args), { context: 'edit', status: 201 }),
      'cms.media.update': async (args, call) => {
        const media = await collection.update(call, subjectOf<MediaRecord>(call), {
          refuse: refusals.update,
          toDraft: (current) => toChangedMedia(context, call, { args, media: current }),
        });
        return collection.one(call, media, { context: 'edit' });
      },
      'cms.media.remove': ({ force }, call) => removeMedia(context, call, { force, refuse: refusals.remove }),
      'cms.media.postProcess': async (_args, call) =>
        collection.one(call, await postProcess(context, call, refusals.update), { context: 'edit' }),
      'cms.media.edit': async (args, call) =>
        collection.one(
          call,
          await editPicture(context, call, { media: subjectOf<MediaRecord>(call), args }),
          { context: 'view', status: 201 },
        ),
    },
    {
      permissions: createMediaPermissions(context, refusals),
      checks: { 'cms.media-status': checkMediaStatus },
    },
  );
}
