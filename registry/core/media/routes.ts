import type {
  EndpointDescriptor,
  NamespaceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import type { UploadRules } from '../files/cms-settings.ts';
import { handledBy } from '../host/contribution.ts';
import {
  contextArg,
  fallbackArg,
  forceArg,
  ID_LIST,
  idArg,
  orderbyArg,
  textArg,
  translationArgs,
  translationsAnswer,
} from '../schemas/common-args.ts';
import { POST_ORDERS, postListArgs, postWriteArgs } from '../schemas/post-args.ts';
import { mediaResource, mediaTextArgs } from './resources.ts';

/** Parameters of the routes of media, in the order of the index. */

/** Media that are attached to a post have the status of that post. */
export const MEDIA_STATUSES = ['inherit', 'private', 'trash'] as const;

const MEDIA_TYPES = ['image', 'video', 'text', 'application', 'audio'] as const;

const mediaIdArg = idArg('ID of the file.');

const mediaReadArgs = { context: contextArg } as const satisfies ArgSchemas;

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
  orderby: orderbyArg('posts', 'date', POST_ORDERS),
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

const descriptionArg = textArg('Description of the file.', 'Description');
const postArg = idArg('ID of the post that the file is attached to; 0 for none.');

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
  ...mediaTextArgs,
  description: descriptionArg,
  post: postArg,
} as const satisfies ArgSchemas;

const mediaForceArg = forceArg('Must be true: files cannot be moved to the trash.');

const mediaCreateArgs = {
  ...mediaWriteArgs,
  generate_sub_sizes: {
    description: 'Whether to make smaller copies of a picture.',
    type: 'boolean',
    default: true,
  },
} as const satisfies ArgSchemas;

const postProcessArgs = {
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

/** One kind of change of a picture, with its arguments. */
const toChange = (
  [title, kind]: readonly [title: string, kind: string],
  description: string,
  properties: ArgSchemas,
) =>
  ({
    title,
    type: 'object',
    properties: {
      type: { description: 'Kind of the change.', type: 'string', enum: [kind], required: true },
      args: { description, type: 'object', required: true, properties },
    },
  }) as const satisfies ArgSchema;

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
        toChange(['Flip', 'flip'], 'How it is flipped.', {
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
        }),
        toChange(['Rotation', 'rotate'], 'How it is rotated.', { angle: numberOf('Degrees, clockwise.') }),
        toChange(['Crop', 'crop'], 'What remains, in percent of the picture.', {
          left: numberOf('Distance from the left.'),
          top: numberOf('Distance from the top.'),
          width: numberOf('Width.'),
          height: numberOf('Height.'),
        }),
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
  caption: mediaTextArgs.caption,
  description: descriptionArg,
  title,
  post: postArg,
  alt_text: mediaTextArgs.alt_text,
} as const satisfies ArgSchemas;

/** The collections that a response about media depends on. */
const SHOWN = ['media', 'posts', 'terms', 'users', 'options'] as const;

/** Bytes of a form besides its file. */
const FORM_BYTES = 1024 * 1024;
const SINGLE = '/cms/v2/media/(?P<id>[\\d]+)';

/** How the body of an upload is read: fields and a file, or the file alone. Without the right to upload, no byte of a file is stored. */
const acceptsOf = ({ maxBytes }: Pick<UploadRules, 'maxBytes'>) =>
  ({
    'application/json': 'args',
    'application/x-www-form-urlencoded': 'args',
    '*/*': 'stream',
    'multipart/form-data': { capability: 'upload_files', files: { [FILE_PART]: { maxBytes } } },
  }) as const;

const LIST = {
  methods: ['GET'],
  ...handledBy(
    'cms.media.list',
    'List media',
    'Returns a page of the files that the caller may see, filtered by kind, words, dates, authors and the post that they are attached to.',
  ),
  shows: ['page'],
  cache: SHOWN,
  checks: { search: 'cms.search', status: 'cms.media-status' },
  args: mediaListArgs,
  body: fallbackArg,
} as const satisfies EndpointDescriptor;

const toCreate = (rules: Pick<UploadRules, 'maxBytes'>) =>
  ({
    methods: ['POST'],
    ...handledBy(
      'cms.media.create',
      'Upload a file',
      'Adds a file to the media library: the body itself, named by Content-Disposition, or the part "file" of a form. Smaller copies of a picture are made if the site can. A translation without a file has that of the original.',
    ),
    shows: ['record'],
    status: 201,
    accepts: acceptsOf(rules),
    maxBodyBytes: rules.maxBytes + FORM_BYTES,
    args: mediaCreateArgs,
    body: { id: {}, ...translationArgs },
  }) as const satisfies EndpointDescriptor;

const SINGLE_ROUTES = [
  {
    pattern: SINGLE,
    resource: 'attachment',
    endpoints: [
      {
        methods: ['GET'],
        ...handledBy(
          'cms.media.read',
          'Get a file',
          'Returns one file of the media library with its address, size and smaller copies; it is as visible as its post.',
        ),
        shows: ['record'],
        cache: SHOWN,
        args: { id: mediaIdArg, ...mediaReadArgs },
        body: fallbackArg,
      },
      {
        methods: ['POST', 'PUT', 'PATCH'],
        ...handledBy(
          'cms.media.update',
          'Change a file',
          'Changes the texts of a file, its author, or the post that it is attached to. The file itself stays.',
        ),
        needs: ['edit_posts'],
        shows: ['record'],
        ifMatch: true,
        args: { id: mediaIdArg, ...mediaWriteArgs },
        body: translationArgs,
      },
      {
        methods: ['DELETE'],
        ...handledBy(
          'cms.media.remove',
          'Delete a file',
          'Deletes a file with its smaller copies; posts that featured it have no featured image afterwards.',
        ),
        needs: ['delete_posts'],
        shows: ['removal'],
        ifMatch: true,
        args: { id: mediaIdArg, force: mediaForceArg },
      },
    ],
  },
  {
    pattern: `${SINGLE}/translations`,
    endpoints: [
      {
        methods: ['GET'],
        handler: 'cms.media.translations',
        permission: 'cms.media.read',
        summary: 'List the translations of a file',
        description:
          'Returns the file and its translations, one for each language, with titles and addresses.',
        cache: SHOWN,
        answers: { 200: translationsAnswer },
        args: { id: mediaIdArg },
      },
    ],
  },
  {
    pattern: `${SINGLE}/post-process`,
    endpoints: [
      {
        methods: ['POST'],
        handler: 'cms.media.postProcess',
        permission: 'cms.media.update',
        needs: ['edit_posts'],
        summary: 'Make smaller copies of a picture',
        description: 'Makes the smaller copies of a picture that are missing.',
        args: { id: mediaIdArg, ...postProcessArgs },
      },
    ],
  },
  {
    pattern: `${SINGLE}/edit`,
    endpoints: [
      {
        methods: ['POST'],
        ...handledBy(
          'cms.media.edit',
          'Edit a picture',
          'Crops, rotates or flips a picture, and adds the result to the media library as a new file.',
        ),
        needs: ['upload_files'],
        status: 201,
        args: { id: mediaIdArg, ...mediaEditArgs },
      },
    ],
  },
] as const satisfies readonly RouteDescriptor[];

/** Routes of the media library. */
export const describeMedia = (rules: Pick<UploadRules, 'maxBytes'>) =>
  ({
    namespace: 'cms/v2',
    routes: [
      { pattern: '/cms/v2/media', resource: 'attachment', endpoints: [LIST, toCreate(rules)] },
      ...SINGLE_ROUTES,
    ],
    resources: { attachment: mediaResource },
  }) as const satisfies NamespaceDescriptor;

/** The name of the part that holds the file in a multipart body. */
export const FILE_PART = 'file';
