import { own, perObject } from '../../../lib/core/objects.ts';
import type { Handlers } from '../../../lib/route/args.ts';
import type { RouteDescriptor } from '../../../lib/route/descriptor.ts';
import { toEmbedsContribution, type CmsContribution } from '../host/contribution.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { CmsDeps } from '../post-views/cms-deps.ts';
import { describeKind, toKindId, toShapedRoutes, type KindSite } from '../post-views/describe-kind.ts';
import { createPostPermissions } from '../post-views/permissions.ts';
import type { postRoutes } from '../post-views/routes.ts';
import { createPostChecks } from '../records/checks.ts';
import type { PostKind } from '../records/kind.ts';
import { createRevisionHandlers } from '../revisions/revisions.ts';
import { createAutosaveHandlers } from './autosaves.ts';
import { CORE_EMBEDS } from './core-embeds.ts';
import { createPostEmbeds } from './embeds.ts';
import { createListPosts } from './list-posts.ts';
import { createListTranslations } from './list-translations.ts';
import { createPostHandlers } from './posts.ts';
import { createPreviewHandlers } from './previews.ts';

/** The handlers of a type, by the ids that posts have. */
function createHandlers(context: CmsDeps, kind: PostKind): Handlers<typeof postRoutes> {
  const ofKind = { ...context, kind };
  const posts = createPostHandlers(ofKind);
  const revisions = createRevisionHandlers(ofKind);
  const autosaves = createAutosaveHandlers(ofKind);
  const previews = createPreviewHandlers(ofKind);
  return {
    'cms.posts.list': createListPosts(ofKind, context),
    'cms.posts.create': posts.create,
    'cms.posts.read': posts.read,
    'cms.posts.update': posts.update,
    'cms.posts.remove': posts.remove,
    'cms.translations.list': createListTranslations(ofKind),
    'cms.previews.list': previews.list,
    'cms.previews.create': previews.create,
    'cms.previews.remove': previews.remove,
    'cms.revisions.list': revisions.list,
    'cms.revisions.read': revisions.read,
    'cms.revisions.remove': revisions.remove,
    'cms.autosaves.list': autosaves.list,
    'cms.autosaves.read': autosaves.read,
    'cms.autosaves.create': autosaves.create,
  };
}

/** The entries of a table that the endpoints name, under the ids of the type. */
function pickUsed<T>(
  kind: PostKind,
  table: Readonly<Record<string, T>>,
  used: readonly string[],
): Readonly<Record<string, T>> {
  const picked: Record<string, T> = {};
  for (const name of used) {
    const each = own(table, name);
    if (each !== undefined) picked[toKindId(kind, name)] = each;
  }
  return picked;
}

/** The ids that the endpoints of some routes name. */
const listIds = perObject((routes: readonly RouteDescriptor[]) => {
  const endpoints = routes.flatMap((route) => route.endpoints);
  const toList = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
  return {
    handlers: toList(endpoints.map(({ handler }) => handler)),
    permissions: toList(endpoints.map(({ permission }) => permission)),
    checks: toList(endpoints.flatMap(({ checks = {} }) => Object.values(checks))),
  };
});

/** The routes of one type with everything that they name. */
function contributeKind(context: CmsDeps, kind: PostKind, site: KindSite): CmsContribution {
  const { routes, resources } = describeKind(kind, site);
  const handlers = createHandlers(context, kind) as CmsContribution['handlers'];
  const ids = listIds(toShapedRoutes(kind, site.core));
  return {
    routes,
    resources,
    embeds: {},
    handlers: pickUsed(kind, handlers, ids.handlers),
    permissions: pickUsed(kind, createPostPermissions({ ...context, kind }), ids.permissions),
    checks: pickUsed(kind, createPostChecks(kind), ids.checks),
  };
}

/** Every served type whose records are posts, with revisions and autosaves. */
export function contributePosts(context: CmsDeps, { core }: ContentModel): readonly CmsContribution[] {
  const site = { languages: context.ports.config.languages, core };
  const parts = [...context.kinds.values()]
    .filter(({ type }) => type.served && type.routes)
    .map((kind) => contributeKind(context, kind, site));
  return [...parts, toEmbedsContribution(core ? CORE_EMBEDS : createPostEmbeds(context))];
}
