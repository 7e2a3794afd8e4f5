import type { Handlers } from '../../../lib/route/args.ts';
import type { RouteDescriptor } from '../../../lib/route/descriptor.ts';
import type { Support } from '../model/content-type.ts';
import { SHOWN } from '../records/collections.ts';
import { contextArg, fallbackArg, translationArgs, translationsAnswer } from '../schemas/common-args.ts';
import {
  autosaveIdArg,
  autosaveParentArg,
  postForceArg,
  postIdArg,
  postListArgs,
  postReadArgs,
  postWriteArgs,
  revisionForceArg,
  revisionIdArg,
  revisionListArgs,
  revisionParentArg,
} from '../schemas/post-args.ts';
import { previewAnswer, previewTokenArg, previewWriteArgs } from '../schemas/preview-args.ts';

/** The parent of the post is not part of an autosave, because its name stands for the post itself. */
const { parent: _parent, ...autosaveArgs } = postWriteArgs;

const BATCH = { v1: true } as const;
const LIST_FIRST = ['context', 'page', 'per_page', 'search'] as const;
const WRITE_FIRST = [
  'date',
  'date_gmt',
  'slug',
  'status',
  'password',
  'parent',
  'author',
  'featured_media',
  'comment_status',
  'ping_status',
  'menu_order',
  'format',
  'meta',
  'sticky',
  'template',
] as const;

const WRITE_CHECKS = { status: 'status-to-write', template: 'template', meta: 'meta' } as const;

/** A route of a type. Its texts name the records with the words of `wordsOf`. Its pattern follows the path of the type, its resource the name of the type, and its ids `toActionId`. */
export interface KindRoute extends RouteDescriptor {
  /** What a type must have for it. */
  readonly feature?: Support;
  /** The index of a seed does not have it. */
  readonly coreOnly?: true;
}

/** Routes of posts with everything that a type can have. `describe-kind.ts` makes the routes of each type of them. */
export const postRoutes = {
  namespace: 'cms/v2',
  routes: [
    {
      pattern: '',
      resource: '',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'list',
          permission: 'list',
          summary: 'List {many}',
          description:
            'Returns a page of the {many} that the caller may read, filtered by words, dates, authors, terms, status and language.',
          shows: ['page'],
          allow_batch: BATCH,
          checkFirst: LIST_FIRST,
          checks: { search: 'search', status: 'status-filter' },
          cache: SHOWN,
          args: postListArgs,
          body: { password: postReadArgs.password, ...fallbackArg },
        },
        {
          methods: ['POST'],
          handler: 'create',
          permission: 'create',
          summary: 'Create {one}',
          description:
            'Creates {one} in one of the languages, as a draft unless another status is given, and returns it.',
          shows: ['record'],
          status: 201,
          allow_batch: BATCH,
          checkFirst: WRITE_FIRST,
          checks: WRITE_CHECKS,
          args: postWriteArgs,
          body: { id: {}, ...translationArgs },
        },
      ],
    },
    {
      pattern: '/(?P<id>[\\d]+)',
      resource: '',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'read',
          permission: 'read',
          summary: 'Get {one}',
          description:
            'Returns {one} with the fields of the context; the content of a protected {word} needs its password.',
          shows: ['record'],
          allow_batch: BATCH,
          checkFirst: ['context'],
          cache: SHOWN,
          args: { id: postIdArg, ...postReadArgs },
          body: { ...previewTokenArg, ...fallbackArg },
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          handler: 'update',
          permission: 'update',
          needs: ['edit_posts'],
          summary: 'Change {one}',
          description:
            'Changes the fields that are sent, leaves all others as they are, and records a revision.',
          shows: ['record'],
          ifMatch: true,
          allow_batch: BATCH,
          checkFirst: WRITE_FIRST,
          checks: WRITE_CHECKS,
          args: { id: postIdArg, ...postWriteArgs },
          body: translationArgs,
        },
        {
          methods: ['DELETE'],
          handler: 'remove',
          permission: 'remove',
          needs: ['delete_posts'],
          summary: 'Delete {one}',
          description: 'Moves {one} to the trash, or deletes it permanently with all its revisions.',
          shows: ['record', 'removal'],
          ifMatch: true,
          allow_batch: BATCH,
          args: { id: postIdArg, force: postForceArg },
        },
      ],
    },
    {
      pattern: '/(?P<id>[\\d]+)/translations',
      coreOnly: true,
      endpoints: [
        {
          methods: ['GET'],
          handler: 'translations.list',
          permission: 'translations.list',
          summary: 'List the translations of {one}',
          description:
            'Returns the {word} and its translations that the caller may read, one for each language, with titles, statuses and addresses.',
          cache: SHOWN,
          answers: { 200: translationsAnswer },
          args: { id: postIdArg },
        },
      ],
    },
    {
      pattern: '/(?P<id>[\\d]+)/preview',
      coreOnly: true,
      endpoints: [
        {
          methods: ['GET'],
          handler: 'previews.list',
          permission: 'previews.use',
          summary: 'List the previews of {one}',
          description:
            'Returns the previews that have not ended: those of the caller, or all of them for callers who may edit the {word}.',
          answers: { 200: { type: 'array', items: previewAnswer } },
          args: { id: postIdArg },
        },
        {
          methods: ['POST'],
          handler: 'previews.create',
          permission: 'previews.use',
          summary: 'Create a preview of {one}',
          description:
            'Returns an address and a token with which anybody can read the {word} as the caller may read it now: the {word}, its translations, and the drafts that it links to.',
          answers: { 201: previewAnswer },
          args: previewWriteArgs,
        },
      ],
    },
    {
      pattern: '/(?P<id>[\\d]+)/preview/(?P<preview>[\\d]+)',
      coreOnly: true,
      endpoints: [
        {
          methods: ['DELETE'],
          handler: 'previews.remove',
          permission: 'previews.use',
          summary: 'End a preview',
          description: 'Revokes a preview of the {word}, so that its token opens nothing any more.',
          answers: { 200: { type: 'object', properties: { deleted: { type: 'boolean' } } } },
          args: { id: postIdArg, preview: { description: 'ID of the preview.', type: 'integer' } },
        },
      ],
    },
    {
      pattern: '/(?P<parent>[\\d]+)/revisions',
      resource: '-revision',
      feature: 'revisions',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'revisions.list',
          permission: 'revisions.read',
          needs: ['edit_posts'],
          summary: 'List the revisions of {one}',
          description: 'Returns a page of the versions of {one}, by default with the newest first.',
          shows: ['page'],
          checkFirst: LIST_FIRST,
          args: { parent: revisionParentArg, ...revisionListArgs },
          checks: { search: 'search' },
        },
      ],
    },
    {
      pattern: '/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)',
      resource: '-revision',
      feature: 'revisions',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'revisions.read',
          permission: 'revisions.read',
          needs: ['edit_posts'],
          summary: 'Get a revision of {one}',
          description: 'Returns one version of {one} as it was saved.',
          shows: ['record'],
          checkFirst: ['context'],
          args: { parent: revisionParentArg, id: revisionIdArg, context: contextArg },
        },
        {
          methods: ['DELETE'],
          handler: 'revisions.remove',
          permission: 'revisions.remove',
          needs: ['delete_posts'],
          summary: 'Delete a revision of {one}',
          description:
            'Deletes one version of {one} permanently, because revisions cannot be moved to the trash.',
          shows: ['removal'],
          ifMatch: true,
          args: { parent: revisionParentArg, id: revisionIdArg, force: revisionForceArg },
        },
      ],
    },
    {
      // The arguments name the post `parent`, as for revisions, although the path calls it `id`. The recorded index does the same.
      pattern: '/(?P<id>[\\d]+)/autosaves',
      resource: '-autosave',
      feature: 'autosave',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'autosaves.list',
          permission: 'autosaves.list',
          needs: ['edit_posts'],
          summary: 'List the autosaves of {one}',
          description: 'Returns the latest unpublished changes to {one}, one for each user.',
          shows: ['list'],
          args: { parent: autosaveParentArg, context: contextArg },
          body: { id: postIdArg },
        },
        {
          methods: ['POST'],
          handler: 'autosaves.create',
          permission: 'autosaves.create',
          needs: ['edit_posts'],
          summary: 'Autosave {one}',
          description:
            'Keeps changes to {one} without publishing them, or saves them in the {word} itself if it is a draft of the caller.',
          shows: ['record'],
          ifMatch: true,
          checkFirst: WRITE_FIRST,
          checks: WRITE_CHECKS,
          args: { parent: autosaveParentArg, ...autosaveArgs },
          body: { id: postIdArg },
        },
      ],
    },
    {
      pattern: '/(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)',
      coreOnly: true,
      resource: '-autosave',
      feature: 'autosave',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'autosaves.read',
          permission: 'autosaves.read',
          needs: ['edit_posts'],
          summary: 'Get an autosave of {one}',
          description: 'Returns the latest unpublished changes of one user to {one}.',
          shows: ['record'],
          args: { parent: autosaveParentArg, id: autosaveIdArg, context: contextArg },
        },
      ],
    },
  ],
} as const satisfies { readonly namespace: string; readonly routes: readonly KindRoute[] };

/** The handlers of a type by the names above. */
export type PostHandlers = Handlers<typeof postRoutes>;
