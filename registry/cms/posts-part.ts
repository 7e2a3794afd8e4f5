import { createAutosaveHandlers } from './autosaves.ts';
import { postChecks } from './checks.ts';
import type { CmsContext } from './cms-context.ts';
import { createPostEmbeds } from './embeds.ts';
import { createListPosts } from './list-posts.ts';
import { definePart, type CmsPart } from './part.ts';
import { createPostPermissions } from './permissions.ts';
import { createPostHandlers } from './posts.ts';
import { createRevisionHandlers } from './revisions.ts';
import { describeCms } from './routes.ts';

/** Posts, their revisions and autosaves. */
export function createPostsPart(context: CmsContext): CmsPart {
  const posts = createPostHandlers(context);
  const revisions = createRevisionHandlers(context);
  const autosaves = createAutosaveHandlers(context);
  return definePart(describeCms(context.ports.config.languages), {
    'cms.posts.list': createListPosts(context, context),
    'cms.posts.create': posts.create,
    'cms.posts.read': posts.read,
    'cms.posts.update': posts.update,
    'cms.posts.remove': posts.remove,
    'cms.revisions.list': revisions.list,
    'cms.revisions.read': revisions.read,
    'cms.revisions.remove': revisions.remove,
    'cms.autosaves.list': autosaves.list,
    'cms.autosaves.create': autosaves.create,
  }, { permissions: createPostPermissions(context, context), checks: postChecks, embeds: createPostEmbeds(context) });
}
