import { own, perObject } from '../../../lib/core/objects.ts';
import type { Handlers } from '../../../lib/route/args.ts';
import type { RouteDescriptor } from '../../../lib/route/descriptor.ts';
import { type CmsContribution, toEmbedsContribution } from '../host/contribution.ts';
import {
  describeKind,
  type KindSite,
  toActionId,
  toCheckId,
  toShapedRoutes,
} from '../post-views/describe-kind.ts';
import { createPostPermissions } from '../post-views/permissions.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import type { postRoutes } from '../post-views/routes.ts';
import { createPostChecks, type PostKind } from '../records/kind.ts';
import { createRevisionHandlers } from '../revisions/revision-handlers.ts';
import { createAutosaveHandlers } from './autosaves.ts';
import { CORE_EMBEDS, createPostEmbeds } from './embeds.ts';
import { createListPosts } from './list-posts.ts';
import { createListTranslations, createPostHandlers } from './posts.ts';
import { createPreviewHandlers } from './preview-handlers.ts';

/** The handlers of a type, by the names of `routes.ts`. */
function createHandlers(context: CmsDeps, kind: PostKind): Handlers<typeof postRoutes> {
  const ofKind = { ...context, kind };
  const posts = createPostHandlers(ofKind);
  const revisions = createRevisionHandlers(ofKind);
  const autosaves = createAutosaveHandlers(ofKind);
  const previews = createPreviewHandlers(ofKind);
  return {
    list: createListPosts(ofKind, context),
    create: posts.create,
    read: posts.read,
    update: posts.update,
    remove: posts.remove,
    'translations.list': createListTranslations(ofKind),
    'previews.list': previews.list,
    'previews.create': previews.create,
    'previews.remove': previews.remove,
    'revisions.list': revisions.list,
    'revisions.read': revisions.read,
    'revisions.remove': revisions.remove,
    'autosaves.list': autosaves.list,
    'autosaves.read': autosaves.read,
    'autosaves.create': autosaves.create,
  };
}

/** The entries of a table that endpoints name, under the ids of the type. */
const pickUsed = <T>(
  table: Readonly<Record<string, T>>,
  used: readonly string[],
  toId: (name: string) => string,
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    used.flatMap((name) => {
      const each = own(table, name);
      return each === undefined ? [] : [[toId(name), each]];
    }),
  );

/** What the endpoints of some routes name. */
const listNames = perObject((routes: readonly RouteDescriptor[]) => {
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
  const toAction = (name: string): string => toActionId(kind, name);
  const names = listNames(toShapedRoutes(kind, site.core));
  return {
    routes,
    resources,
    embeds: {},
    handlers: pickUsed(handlers, names.handlers, toAction),
    permissions: pickUsed(createPostPermissions({ ...context, kind }), names.permissions, toAction),
    checks: pickUsed(createPostChecks(kind), names.checks, (name) => toCheckId(kind, name)),
  };
}

/** Every served type whose records are posts, with revisions and autosaves. */
export function contributePosts(context: CmsDeps): readonly CmsContribution[] {
  const { core } = context.content;
  const site = { languages: context.ports.config.languages, core };
  const parts = [...context.kinds.values()]
    .filter(({ type }) => type.served && type.routes)
    .map((kind) => contributeKind(context, kind, site));
  return [...parts, toEmbedsContribution(core ? CORE_EMBEDS : createPostEmbeds(context))];
}
