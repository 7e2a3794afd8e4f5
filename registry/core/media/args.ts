import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { contextArg, ID_LIST } from '../schemas/list-args.ts';
import { postListArgs, postWriteArgs } from '../schemas/post-args.ts';
import { textArg } from '../schemas/text-arg.ts';

/** Parameters of the routes of media, in the order of the index. */

/** Media that are attached to a post have the status of that post. */
export const MEDIA_STATUSES = ['inherit', 'private', 'trash'] as const;

const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'] as const;

export const mediaIdArg = { description: 'ID of the file.', type: 'integer' } as const satisfies ArgSchema;

export const mediaReadArgs = { context: contextArg } as const satisfies ArgSchemas;

const {
  context,
  page,
  per_page,
  search,
  after,
  modified_after,
  author,
  author_exclude,
  before,
  modified_before,
  exclude,
  include,
  search_semantics,
  offset,
  order,
  search_columns,
  slug,
} = postListArgs;

/** Query parameters of the list of media. */
export const mediaListArgs = {
  context,
  page,
  per_page,
  search,
  after,
  modified_after,
  author,
  author_exclude,
  before,
  modified_before,
  exclude,
  include,
  search_semantics,
  offset,
  order,
  orderby: {
    description: 'Attribute by which the posts are sorted.',
    type: 'string',
    default: 'date',
    enum: [
      'author',
      'date',
      'id',
      'include',
      'modified',
      'parent',
      'relevance',
      'slug',
      'include_slugs',
      'title',
    ],
  },
  parent: {
    description: 'Only files that are attached to these posts; 0 for files without a post.',
    ...ID_LIST,
    default: [],
  },
  parent_exclude: {
    description: 'Excludes files that are attached to these posts.',
    ...ID_LIST,
    default: [],
  },
  search_columns,
  slug,
  status: {
    description: 'Only files with one of these statuses.',
    type: 'array',
    default: 'inherit',
    items: { type: 'string', enum: MEDIA_STATUSES },
  },
  media_type: {
    description: 'Only files of these kinds.',
    type: 'array',
    default: null,
    items: { type: 'string', enum: MEDIA_TYPES },
  },
  mime_type: {
    description: 'Only files of these media types.',
    type: 'array',
    default: null,
    items: { type: 'string' },
  },
} as const satisfies ArgSchemas;

const {
  date,
  date_gmt,
  slug: slugField,
  status,
  title,
  author: authorField,
  featured_media,
  comment_status,
  ping_status,
  template,
} = postWriteArgs;

const captionArg = textArg('Caption of the file.', 'Caption');
const descriptionArg = textArg('Description of the file.', 'Description');
const altArg = {
  description: 'Text that stands for a picture that is not shown.',
  type: 'string',
} as const satisfies ArgSchema;
const postArg = {
  description: 'ID of the post that the file is attached to; 0 for none.',
  type: 'integer',
} as const satisfies ArgSchema;

/** The writable fields of a file, all optional. `featured_media`, `template` and `meta` are accepted and have no effect, as in WordPress. */
export const mediaWriteArgs = {
  date,
  date_gmt,
  slug: slugField,
  status,
  title,
  author: authorField,
  featured_media,
  comment_status,
  ping_status,
  meta: { description: 'Registered meta fields.', type: 'object', properties: {} },
  template,
  alt_text: altArg,
  caption: captionArg,
  description: descriptionArg,
  post: postArg,
} as const satisfies ArgSchemas;

export const mediaForceArg = {
  description: 'Must be true: files cannot be moved to the trash.',
  type: 'boolean',
  default: false,
} as const satisfies ArgSchema;

export const mediaCreateArgs = {
  ...mediaWriteArgs,
  generate_sub_sizes: {
    description: 'Whether to make smaller copies of a picture.',
    type: 'boolean',
    default: true,
  },
} as const satisfies ArgSchemas;

export const postProcessArgs = {
  action: {
    description: 'What is done: the missing smaller copies are made.',
    type: 'string',
    enum: ['create-image-subsizes'],
    required: true,
  },
} as const satisfies ArgSchemas;

const percentage = (description: string) =>
  ({ description, type: 'number', minimum: 0, maximum: 100 }) as const satisfies ArgSchema;
const numberOf = (description: string) =>
  ({ description, type: 'number', required: true }) as const satisfies ArgSchema;

/** Most changes of one edit. The editor of WordPress sends three at most: a flip, a rotation and a crop. */
const MODIFIERS = 10;

/** What an edit does to a picture, and the smaller changes that it makes to the fields of the new file. */
export const mediaEditArgs = {
  src: {
    description: 'URL of the picture. It must be one of this file.',
    type: 'string',
    format: 'uri',
    required: true,
  },
  modifiers: {
    description: 'Changes of the picture, in order.',
    type: 'array',
    minItems: 1,
    maxItems: MODIFIERS,
    items: {
      description: 'One change.',
      type: 'object',
      oneOf: [
        {
          title: 'Flip',
          type: 'object',
          properties: {
            type: { description: 'Kind of the change.', type: 'string', enum: ['flip'], required: true },
            args: {
              description: 'How it is flipped.',
              type: 'object',
              required: true,
              properties: {
                flip: {
                  description: 'Directions.',
                  type: 'object',
                  required: true,
                  properties: {
                    horizontal: {
                      description: 'Whether left and right change places.',
                      type: 'boolean',
                      required: true,
                    },
                    vertical: {
                      description: 'Whether top and bottom change places.',
                      type: 'boolean',
                      required: true,
                    },
                  },
                },
              },
            },
          },
        },
        {
          title: 'Rotation',
          type: 'object',
          properties: {
            type: { description: 'Kind of the change.', type: 'string', enum: ['rotate'], required: true },
            args: {
              description: 'How it is rotated.',
              type: 'object',
              required: true,
              properties: { angle: numberOf('Degrees, clockwise.') },
            },
          },
        },
        {
          title: 'Crop',
          type: 'object',
          properties: {
            type: { description: 'Kind of the change.', type: 'string', enum: ['crop'], required: true },
            args: {
              description: 'What remains, in percent of the picture.',
              type: 'object',
              required: true,
              properties: {
                left: numberOf('Distance from the left.'),
                top: numberOf('Distance from the top.'),
                width: numberOf('Width.'),
                height: numberOf('Height.'),
              },
            },
          },
        },
      ],
    },
  },
  rotation: {
    description: 'Degrees, clockwise. Deprecated: use modifiers.',
    type: 'integer',
    minimum: 1,
    maximum: 359,
  },
  x: percentage('Left side of the crop in percent. Deprecated: use modifiers.'),
  y: percentage('Top of the crop in percent. Deprecated: use modifiers.'),
  width: percentage('Width of the crop in percent. Deprecated: use modifiers.'),
  height: percentage('Height of the crop in percent. Deprecated: use modifiers.'),
  caption: captionArg,
  description: descriptionArg,
  title,
  post: postArg,
  alt_text: altArg,
} as const satisfies ArgSchemas;
