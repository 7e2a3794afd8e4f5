import { escapeAttribute, escapeQuotesOnce } from '../../../lib/core/escape.ts';
import { perNames } from '../../../lib/core/names.ts';
import type { PlainSource } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import { createRecordLinks, prepareLink } from '../../../lib/route/links.ts';
import {
  createRecordRenderer,
  type Renderers,
  showMembers,
  toFaultEvent,
} from '../../../lib/route/render-record.ts';
import { and, oneOf } from '../../../lib/store/query.ts';
import { type LinkParts, loadLinkParts, permalink, toPathPart } from '../addresses/permalink.ts';
import { renderExcerpt } from '../content/render/excerpt.ts';
import { renderContent, renderTitle } from '../content/render/render.ts';
import { toShownTexts } from '../content/sanitise/text-fields.ts';
import { toGmt } from '../content/site-time.ts';
import { toMediaUrl } from '../host/media-url.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import {
  isImage,
  MEDIA_TYPE,
  type MediaRecord,
  nameOfFile,
  sizesOf,
  toMedia,
} from '../records/media-record.ts';
import { type PostRecord, toPost } from '../records/post-record.ts';
import { allowedMethods, type MediaAccess } from '../records/rights.ts';
import type { SiteSettings } from '../settings/site-settings.ts';
import { fallbackOf } from '../translations/fallback.ts';
import { missingSizes } from './make-sizes.ts';
import { mediaActions, mediaLanguageFields, mediaResource } from './resources.ts';
import { folderOf } from './store-file.ts';

/** How smaller copies are written. */
const QUALITY = { default: 82, sizes: [] } as const;

interface MediaView {
  readonly media: MediaRecord;
  readonly call: Call;
  readonly context: string;
  readonly settings: SiteSettings;
  /** The post that the file is attached to; null if there is none that the caller may know. */
  readonly parent: PostRecord | null;
  readonly linkParts: LinkParts;
  /** The records of its translation group that the caller may see. */
  readonly group: readonly MediaRecord[];
}

const attachedOf = perNames((names) =>
  prepareLink('cms:attached-to', { href: '/cms/v2/{base}/{id}', embeddable: true }, names),
);

const urlOf = (file: string, { call }: MediaView): string => toMediaUrl(call.site.home(), file);

/** The smaller copies of a picture with their addresses, and the picture itself after them. */
function toSizes(view: MediaView): Record<string, unknown> {
  const { media } = view;
  const folder = folderOf(media.file);
  const stored = Object.entries(sizesOf(media));
  if (stored.length === 0) return {};
  const full = {
    file: nameOfFile(media),
    width: media.width,
    height: media.height,
    mime_type: media.mime_type,
    source_url: urlOf(media.file, view),
  };
  return {
    ...Object.fromEntries(
      stored.map(([name, size]) => [name, { ...size, source_url: urlOf(`${folder}${size.file}`, view) }]),
    ),
    full,
  };
}

function toDetails(view: MediaView): object {
  const { width, height, file, filesize } = view.media;
  const size = filesize === 0 ? {} : { filesize };
  return isImage(view.media)
    ? { width, height, file, ...size, sizes: toSizes(view) }
    : { ...size, sizes: {} };
}

/** The description in paragraphs, after a link to the file. */
const toUrl = (view: MediaView): string => urlOf(view.media.file, view);

function toDescription(view: MediaView): string {
  const { media } = view;
  const url = escapeAttribute(toUrl(view));
  const shown = isImage(media)
    ? `<img src="${url}" alt="${escapeQuotesOnce(media.alt)}" />`
    : renderTitle(media.title);
  return `<p class="attachment"><a href="${url}">${shown}</a></p>\n${renderContent(media.description)}`;
}

function createToLink({ types }: ContentModel) {
  return ({ media, call: { site }, parent, linkParts, settings }: MediaView): string => {
    const type = types.get(parent?.type ?? '');
    if (parent === null || type === undefined) return `${site.home()}/${toPathPart(media.slug)}/`;
    const page = permalink(parent, site, { type, linkParts, settings });
    return page.includes('?')
      ? `${site.home()}/?attachment_id=${media.id}`
      : `${page}${toPathPart(media.slug)}/`;
  };
}

function createRenderers(content: ContentModel): Renderers<MediaView> {
  const gmtOf = ({ date, date_gmt: gmt }: MediaRecord, { zone }: SiteSettings): string =>
    gmt || toGmt(date, zone);
  return {
    ...showMembers(({ media }: MediaView) => media, ['id', 'date', 'slug', 'author', 'mime_type']),
    date_gmt: ({ media, settings }) => gmtOf(media, settings),
    guid: { raw: toUrl, rendered: toUrl },
    modified: ({ media }) => media.modified || media.date,
    modified_gmt: ({ media, settings }) => media.modified_gmt || gmtOf(media, settings),
    status: ({ media }) => media.status || 'inherit',
    type: () => MEDIA_TYPE,
    link: createToLink(content),
    title: { raw: ({ media }) => media.title, rendered: ({ media }) => renderTitle(media.title) },
    featured_media: () => 0,
    comment_status: ({ media }) => media.comment_status || 'open',
    ping_status: ({ media }) => media.ping_status || 'closed',
    template: () => '',
    meta: () => ({}),
    class_list: ({ media }) => [
      `post-${media.id}`,
      MEDIA_TYPE,
      `type-${MEDIA_TYPE}`,
      `status-${media.status || 'inherit'}`,
      'hentry',
    ],
    description: { raw: ({ media }) => media.description, rendered: toDescription },
    caption: {
      raw: ({ media }) => media.caption,
      rendered: (view) => renderExcerpt({ excerpt: view.media.caption, content: toDescription(view) }),
    },
    alt_text: ({ media }) => media.alt,
    media_type: ({ media }) => (isImage(media) ? 'image' : 'file'),
    media_details: toDetails,
    post: ({ media }) => media.parent || null,
    source_url: toUrl,
    missing_image_sizes: ({ media }) => (isImage(media) ? missingSizes(media).map(({ name }) => name) : []),
    filename: ({ media }) => nameOfFile(media),
    filesize: ({ media }) => media.filesize || null,
    exif_orientation: ({ media }) => (isImage(media) ? media.orientation || 1 : undefined),
    image_output_format: ({ media }) => (isImage(media) ? null : undefined),
    image_save_progressive: ({ media }) => (isImage(media) ? false : undefined),
    image_quality: ({ media }) => (isImage(media) ? QUALITY : undefined),
    ml_language: ({ media }) => media.language || undefined,
    ml_fallback_of: ({ media, call }) => fallbackOf(call, media),
    ml_translations: ({ group }) =>
      group.length < 2 ? undefined : Object.fromEntries(group.map(({ id, language }) => [language, id])),
  };
}

/** Creates the function that shows files of the media library. */
export function createShowMedia(
  { store, settings: readSettings, log, content }: CmsDeps,
  access: Pick<MediaAccess, 'mayEdit' | 'mayReadParent' | 'visible'>,
): PlainSource<MediaRecord>['show'] {
  const toLinks = createRecordLinks(mediaResource.links);
  const toEditLinks = createRecordLinks({ ...mediaResource.links, ...mediaActions });
  const render = createRecordRenderer<MediaView>(
    { ...mediaResource.properties, ...mediaLanguageFields },
    createRenderers(content),
    {
      links: ({ media, call, context, parent }) => {
        const mayEdit = access.mayEdit(call.identity, media);
        const links = (context === 'edit' ? toEditLinks : toLinks)(
          { ...media, type: MEDIA_TYPE },
          call,
          allowedMethods(mayEdit, mayEdit),
        );
        const type = content.types.get(parent?.type ?? '');
        const attached = attachedOf(call.site.names);
        return parent === null || type === undefined
          ? links
          : {
              ...links,
              [attached.relation]: [
                {
                  ...attached.toLink(call.site, { base: type.base, id: parent.id }),
                  post_type: type.name,
                  id: parent.id,
                },
              ],
            };
      },
      onFault: ({ media }, fault) => log(toFaultEvent(`file ${media.id}`, fault)),
    },
  );
  return async (list, { call, context }) => {
    const parents = [...new Set(list.map(({ parent }) => parent))].filter((id) => id !== 0);
    const found =
      parents.length === 0
        ? []
        : (
            await store.find({ collection: 'posts', where: oneOf('id', parents), longTexts: 'omit' })
          ).records.map(toPost);
    const groups = [...new Set(list.map(({ group }) => group))].filter((group) => group !== 0);
    const siblings =
      groups.length === 0
        ? []
        : (
            await store.find({
              collection: 'media',
              where: and(oneOf('group', groups), await access.visible(call.identity)),
            })
          ).records.map(toMedia);
    const settings = await readSettings();
    const linkParts = await loadLinkParts({ store, types: content.types, settings }, found);
    // Those who may edit a file see it even if it is attached to a post that is hidden from them, whose slug is in its address.
    const byId = new Map(
      found.filter((post) => access.mayReadParent(call.identity, post)).map((post) => [post.id, post]),
    );
    return (media, fields) =>
      render(
        {
          media: toShownTexts('media', media),
          call,
          context,
          settings,
          linkParts,
          parent: byId.get(media.parent) ?? null,
          group: siblings.filter(({ group }) => group !== 0 && group === media.group),
        },
        { context, names: call.site.names, fields },
      );
  };
}
