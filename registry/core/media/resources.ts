import type { ResourceDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { PICTURE_SIZES } from '../files/picture-sizes.ts';
import {
  fallbackField,
  flagArg,
  idArg,
  stringArg,
  TEXT_LIST,
  textArg,
  urlArg,
} from '../schemas/common-args.ts';
import {
  EDIT,
  EVERYWHERE,
  READONLY,
  READONLY_VIEW_EDIT,
  READONLY_EDIT,
  toFields,
  VIEW_EDIT,
} from '../schemas/fields.ts';
import { POST_STATUSES, postWriteArgs } from '../schemas/post-args.ts';
import { GUID, postResource, withEmptyDates } from '../schemas/post-resources.ts';

const { modified, modified_gmt, status, type, link } = postResource.properties;

/** Parameters for texts that files have and posts have not. */
export const mediaTextArgs = {
  alt_text: stringArg('Text that stands for a picture that is not shown.'),
  caption: textArg('Caption of the file.', 'Caption'),
} as const satisfies ArgSchemas;

const QUALITY = { description: 'Quality.', type: 'integer', minimum: 1, maximum: 100 } as const;
const QUALITY_OF_SIZES = {
  description: 'Quality of single copies, where it differs.',
  type: 'object',
  properties: Object.fromEntries(PICTURE_SIZES.map(({ name }) => [name, QUALITY])),
} as const;
const IMAGE_QUALITY = {
  description: 'Quality of the smaller copies of a picture.',
  type: 'object',
  ...READONLY_EDIT,
  properties: { default: QUALITY, sizes: QUALITY_OF_SIZES },
} as const;

/** Fields of files that have a language. The recorded OPTIONS does not mention them. */
export const mediaLanguageFields = {
  ml_language: {
    ...stringArg('Language of the texts of the file.'),
    ...READONLY,
  },
  ml_translations: {
    description: 'Translations of the file: language code to ID.',
    type: 'object',
    additionalProperties: { type: 'integer' },
    ...READONLY_VIEW_EDIT,
  },
  ...fallbackField,
} as const satisfies ArgSchemas;

/** Fields and links of a file of the media library. */
export const mediaResource = withEmptyDates({
  title: 'attachment',
  properties: toFields(
    { ...postWriteArgs, ...mediaTextArgs },
    {
      id: { ...idArg('ID of the file.'), ...READONLY },
      date: EVERYWHERE,
      date_gmt: VIEW_EDIT,
      guid: GUID,
      modified,
      modified_gmt,
      slug: EVERYWHERE,
      status,
      type,
      link,
      title: EVERYWHERE,
      author: EVERYWHERE,
      featured_media: EVERYWHERE,
      comment_status: VIEW_EDIT,
      ping_status: VIEW_EDIT,
      template: VIEW_EDIT,
      meta: { description: 'Registered meta fields.', type: 'object', properties: {}, context: VIEW_EDIT },
      class_list: {
        description: 'CSS class names for the element that contains the file.',
        ...TEXT_LIST,
        ...READONLY_VIEW_EDIT,
      },
      description: {
        description: 'Description of the file.',
        type: 'object',
        context: VIEW_EDIT,
        properties: {
          raw: { ...stringArg('Description as it was written.'), context: EDIT },
          rendered: {
            ...stringArg('Description as HTML, ready for display, with a link to the file.'),
            ...READONLY_VIEW_EDIT,
          },
        },
      },
      caption: EVERYWHERE,
      alt_text: EVERYWHERE,
      media_type: {
        description: 'Kind of the file.',
        type: 'string',
        enum: ['image', 'file'],
        ...READONLY,
      },
      mime_type: {
        ...stringArg('Media type of the file.'),
        ...READONLY,
      },
      media_details: {
        description: 'Width, height and size of the file, and its smaller copies.',
        type: 'object',
        ...READONLY,
      },
      post: {
        ...idArg('ID of the post that the file is attached to.'),
        context: VIEW_EDIT,
      },
      source_url: {
        ...urlArg('URL of the file itself.'),
        ...READONLY,
      },
      missing_image_sizes: {
        description: 'Names of the smaller copies that are still to be made.',
        ...TEXT_LIST,
        ...READONLY_EDIT,
      },
      filename: {
        ...stringArg('Name of the file without its folders.'),
        ...READONLY_VIEW_EDIT,
      },
      filesize: {
        description: 'Size of the file in bytes; null if it is not known.',
        type: ['integer', 'null'],
        ...READONLY_VIEW_EDIT,
      },
      exif_orientation: {
        description:
          'EXIF orientation of a picture, 1 to 8. Width and height are those of the upright picture.',
        type: 'integer',
        ...READONLY_EDIT,
      },
      image_output_format: {
        description: 'Media type to which a picture is converted; null for none.',
        type: ['string', 'null'],
        ...READONLY_EDIT,
      },
      image_save_progressive: {
        ...flagArg('Whether smaller copies of a picture are progressive.'),
        ...READONLY_EDIT,
      },
      image_quality: IMAGE_QUALITY,
    },
  ),
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
