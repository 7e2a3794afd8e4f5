import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { idArg, stringArg } from './common-args.ts';
import { postIdArg, revisionIdArg } from './post-args.ts';

/** The query parameter with which a preview opens a post. The recorded index does not list it. */
export const previewTokenArg = {
  preview: { description: 'Token of a preview, which opens drafts.', type: 'string', maxLength: 64 },
} as const satisfies ArgSchemas;

/** Longest life of a preview. */
export const PREVIEW_DAYS = 30;

/** What a new preview shows, and until when. */
export const previewWriteArgs = {
  id: postIdArg,
  revision: {
    ...revisionIdArg,
    description: 'ID of the revision or autosave to show. Without it, the preview shows the post as it is.',
    minimum: 1,
  },
  expires: {
    description: `When the preview ends, in GMT: at most ${PREVIEW_DAYS} days from now. Default: in one day.`,
    type: 'string',
    format: 'date-time',
  },
} as const satisfies ArgSchemas;

/** A preview in responses. `token` and `url` are shown when it is created, and never again. */
export const previewAnswer = {
  type: 'object',
  properties: {
    id: idArg('ID of the preview.'),
    post: idArg('ID of the post.'),
    revision: idArg('ID of the revision that is shown; 0 for none.'),
    maker: idArg('ID of the user who created it.'),
    expires: stringArg('When it ends, in GMT.'),
    token: stringArg('Value of the parameter `preview`.'),
    url: stringArg('Address of the preview for people.'),
  },
} as const;
