import type { ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { postIdArg, revisionIdArg } from './post-args.ts';

/** The query parameter with which a preview opens a post. The recorded index does not list it. */
export const previewTokenArg = {
  preview: { description: 'Token of a preview, which opens drafts.', type: 'string', maxLength: 64 },
} as const satisfies ArgSchemas;

/** What a new preview shows, and until when. */
export const previewWriteArgs = {
  id: postIdArg,
  revision: {
    ...revisionIdArg,
    description: 'ID of the revision or autosave to show. Without it, the preview shows the post as it is.',
    minimum: 1,
  },
  expires: {
    description: 'When the preview ends, in GMT: at most 30 days from now. Default: in one day.',
    type: 'string',
    format: 'date-time',
  },
} as const satisfies ArgSchemas;

/** A preview in responses. `token` and `url` are shown when it is created, and never again. */
export const previewAnswer = {
  type: 'object',
  properties: {
    id: { description: 'ID of the preview.', type: 'integer' },
    post: { description: 'ID of the post.', type: 'integer' },
    revision: { description: 'ID of the revision that is shown; 0 for none.', type: 'integer' },
    maker: { description: 'ID of the user who created it.', type: 'integer' },
    expires: { description: 'When it ends, in GMT.', type: 'string' },
    token: { description: 'Value of the parameter `preview`.', type: 'string' },
    url: { description: 'Address of the preview for people.', type: 'string' },
  },
} as const;
