import type {
  EndpointDescriptor,
  NamespaceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import type { UploadRules } from '../files/cms-settings.ts';
import { translationArgs, translationsAnswer } from '../schemas/translation-args.ts';
import {
  mediaCreateArgs,
  mediaEditArgs,
  mediaForceArg,
  mediaIdArg,
  mediaListArgs,
  mediaReadArgs,
  mediaWriteArgs,
  postProcessArgs,
} from './args.ts';
import { FILE_PART } from './receive-file.ts';
import { mediaResource } from './resources.ts';

/** The collections that a response about media depends on. */
const SHOWN = ['media', 'posts', 'terms', 'users', 'options'] as const;

/** Bytes of a form besides its file. */
const FORM_BYTES = 1024 * 1024;
const NO_FALLBACK = {
  ml_fallback: { description: 'Refused: files have no fallback languages.' },
} as const;
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
  handler: 'cms.media.list',
  permission: 'cms.media.list',
  summary: 'List media',
  description:
    'Returns a page of the files that the caller may see, filtered by kind, words, dates, authors and the post that they are attached to.',
  shows: ['page'],
  cache: SHOWN,
  checks: { search: 'cms.search', status: 'cms.media-status', ml_fallback: 'cms.no-fallback' },
  args: mediaListArgs,
  body: NO_FALLBACK,
} as const satisfies EndpointDescriptor;

const toCreate = (rules: Pick<UploadRules, 'maxBytes'>) =>
  ({
    methods: ['POST'],
    handler: 'cms.media.create',
    permission: 'cms.media.create',
    summary: 'Upload a file',
    description:
      'Adds a file to the media library: the body itself, named by Content-Disposition, or the part "file" of a form. Smaller copies of a picture are made if the site can. A translation without a file has that of the original.',
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
        handler: 'cms.media.read',
        permission: 'cms.media.read',
        summary: 'Get a file',
        description:
          'Returns one file of the media library with its address, size and smaller copies; it is as visible as its post.',
        shows: ['record'],
        cache: SHOWN,
        checks: { ml_fallback: 'cms.no-fallback' },
        args: { id: mediaIdArg, ...mediaReadArgs },
        body: NO_FALLBACK,
      },
      {
        methods: ['POST', 'PUT', 'PATCH'],
        handler: 'cms.media.update',
        permission: 'cms.media.update',
        needs: ['edit_posts'],
        summary: 'Change a file',
        description:
          'Changes the texts of a file, its author, or the post that it is attached to. The file itself stays.',
        shows: ['record'],
        ifMatch: true,
        args: { id: mediaIdArg, ...mediaWriteArgs },
        body: translationArgs,
      },
      {
        methods: ['DELETE'],
        handler: 'cms.media.remove',
        permission: 'cms.media.remove',
        needs: ['delete_posts'],
        summary: 'Delete a file',
        description:
          'Deletes a file with its smaller copies; posts that featured it have no featured image afterwards.',
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
        handler: 'cms.media.edit',
        permission: 'cms.media.edit',
        needs: ['upload_files'],
        summary: 'Edit a picture',
        description:
          'Crops, rotates or flips a picture, and adds the result to the media library as a new file.',
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
