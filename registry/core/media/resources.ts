import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { PICTURE_SIZES } from '../files/picture-sizes.ts';
import { fallbackField } from '../schemas/common-args.ts';
import { POST_STATUSES, postWriteArgs } from '../schemas/post-args.ts';
import { GUID, postResource, withEmptyDates } from '../schemas/post-resources.ts';

const EVERYWHERE = ['view', 'edit', 'embed'] as const;
const VIEW_EDIT = ['view', 'edit'] as const;
const EDIT = ['edit'] as const;

const { date, date_gmt, slug, title, author, featured_media, comment_status, ping_status, template } =
  postWriteArgs;

const { modified, modified_gmt, status, type, link } = postResource.properties;

const QUALITY = { description: 'Quality.', type: 'integer', minimum: 1, maximum: 100 } as const;
const QUALITY_OF_SIZES = {
  description: 'Quality of single copies, where it differs.',
  type: 'object',
  properties: Object.fromEntries(PICTURE_SIZES.map(({ name }) => [name, QUALITY])),
} as const;
const IMAGE_QUALITY = {
  description: 'Quality of the smaller copies of a picture.',
  type: 'object',
  context: EDIT,
  readonly: true,
  properties: { default: QUALITY, sizes: QUALITY_OF_SIZES },
} as const;

/** Fields of files that have a language. The recorded OPTIONS does not mention them. */
export const mediaLanguageFields = {
  ml_language: {
    description: 'Language of the texts of the file.',
    type: 'string',
    context: EVERYWHERE,
    readonly: true,
  },
  ml_translations: {
    description: 'Translations of the file: language code to ID.',
    type: 'object',
    additionalProperties: { type: 'integer' },
    context: VIEW_EDIT,
    readonly: true,
  },
  ...fallbackField,
} as const satisfies ArgSchemas;

/** Fields and links of a file of the media library. */
export const mediaResource = withEmptyDates({
  title: 'attachment',
  properties: {
    id: { description: 'ID of the file.', type: 'integer', context: EVERYWHERE, readonly: true },
    date: { ...date, context: EVERYWHERE },
    date_gmt: { ...date_gmt, context: VIEW_EDIT },
    guid: GUID,
    modified,
    modified_gmt,
    slug: { ...slug, context: EVERYWHERE },
    status,
    type,
    link,
    title: { ...title, context: EVERYWHERE },
    author: { ...author, context: EVERYWHERE },
    featured_media: { ...featured_media, context: EVERYWHERE },
    comment_status: { ...comment_status, context: VIEW_EDIT },
    ping_status: { ...ping_status, context: VIEW_EDIT },
    template: { ...template, context: VIEW_EDIT },
    meta: { description: 'Registered meta fields.', type: 'object', properties: {}, context: VIEW_EDIT },
    class_list: {
      description: 'CSS class names for the element that contains the file.',
      type: 'array',
      items: { type: 'string' },
      context: VIEW_EDIT,
      readonly: true,
    },
    description: {
      description: 'Description of the file.',
      type: 'object',
      context: VIEW_EDIT,
      properties: {
        raw: { description: 'Description as it was written.', type: 'string', context: EDIT },
        rendered: {
          description: 'Description as HTML, ready for display, with a link to the file.',
          type: 'string',
          context: VIEW_EDIT,
          readonly: true,
        },
      },
    },
    caption: {
      description: 'Caption of the file.',
      type: 'object',
      context: EVERYWHERE,
      properties: {
        raw: { description: 'Caption as it was written.', type: 'string', context: EDIT },
        rendered: {
          description: 'Caption as HTML, ready for display.',
          type: 'string',
          context: EVERYWHERE,
          readonly: true,
        },
      },
    },
    alt_text: {
      description: 'Text that stands for a picture that is not shown.',
      type: 'string',
      context: EVERYWHERE,
    },
    media_type: {
      description: 'Kind of the file.',
      type: 'string',
      enum: ['image', 'file'],
      context: EVERYWHERE,
      readonly: true,
    },
    mime_type: {
      description: 'Media type of the file.',
      type: 'string',
      context: EVERYWHERE,
      readonly: true,
    },
    media_details: {
      description: 'Width, height and size of the file, and its smaller copies.',
      type: 'object',
      context: EVERYWHERE,
      readonly: true,
    },
    post: {
      description: 'ID of the post that the file is attached to.',
      type: 'integer',
      context: VIEW_EDIT,
    },
    source_url: {
      description: 'URL of the file itself.',
      type: 'string',
      format: 'uri',
      context: EVERYWHERE,
      readonly: true,
    },
    missing_image_sizes: {
      description: 'Names of the smaller copies that are still to be made.',
      type: 'array',
      items: { type: 'string' },
      context: EDIT,
      readonly: true,
    },
    filename: {
      description: 'Name of the file without its folders.',
      type: 'string',
      context: VIEW_EDIT,
      readonly: true,
    },
    filesize: {
      description: 'Size of the file in bytes; null if it is not known.',
      type: ['integer', 'null'],
      context: VIEW_EDIT,
      readonly: true,
    },
    exif_orientation: {
      description:
        'EXIF orientation of a picture, 1 to 8. Width and height are those of the upright picture.',
      type: 'integer',
      context: EDIT,
      readonly: true,
    },
    image_output_format: {
      description: 'Media type to which a picture is converted; null for none.',
      type: ['string', 'null'],
      context: EDIT,
      readonly: true,
    },
    image_save_progressive: {
      description: 'Whether smaller copies of a picture are progressive.',
      type: 'boolean',
      context: EDIT,
      readonly: true,
    },
    image_quality: IMAGE_QUALITY,
  },
  // The recorded OPTIONS does not mention the status of files, that they need no post, nor that no copies are an empty list.
  answers: {
    ...mediaLanguageFields,
    image_quality: {
      ...IMAGE_QUALITY,
      properties: {
        default: QUALITY,
        sizes: { ...QUALITY_OF_SIZES, type: ['object', 'array'], maxItems: 0 },
      },
    },
    post: {
      description: 'ID of the post that the file is attached to; null for none.',
      type: ['integer', 'null'],
    },
    status: {
      description: 'Status of the post.',
      type: 'string',
      enum: [...POST_STATUSES, 'inherit', 'trash'],
    },
  },
  links: {
    self: { href: '/cms/v2/media/{id}' },
    collection: { href: '/cms/v2/media' },
    about: { href: '/cms/v2/types/{type}' },
    author: { href: '/cms/v2/users/{author}', embeddable: true },
    replies: { href: '/cms/v2/comments?post={id}', embeddable: true },
  },
} as const satisfies ResourceDescriptor);

/** Links of a file in the context `edit`, as in WordPress. */
export const mediaActions = {
  'cms:action-unfiltered-html': { href: '/cms/v2/media/{id}', when: 'unfiltered_html' },
  'cms:action-assign-author': { href: '/cms/v2/media/{id}', when: 'edit_others_posts' },
} as const satisfies ResourceDescriptor['links'];
