import type { Handlers } from '../../lib/route/args.ts';
import type { EndpointDescriptor, RouteDescriptor } from '../../lib/route/descriptor.ts';
import type { ContentModel } from '../model/content-model.ts';
import { createAutosaveHandlers } from './autosaves.ts';
import { createPostChecks } from './checks.ts';
import type { CmsContext } from './cms-context.ts';
import { CORE_EMBEDS } from './core-embeds.ts';
import { describeKind, toKindId, type KindSite } from './describe-kind.ts';
import { createPostEmbeds } from './embeds.ts';
import type { PostKind } from './kind.ts';
import { createListPosts } from './list-posts.ts';
import { toEmbedsPart, type CmsPart } from './part.ts';
import { createPostPermissions } from './permissions.ts';
import { createPostHandlers } from './posts.ts';
import { createRevisionHandlers } from './revisions.ts';
import type { postRoutes } from './routes.ts';

/** The handlers of a type, by the ids that posts have. */
function createHandlers(context: CmsContext, kind: PostKind): Handlers<typeof postRoutes> {
  const ofKind = { ...context, kind };
  const posts = createPostHandlers(ofKind);
  const revisions = createRevisionHandlers(ofKind);
  const autosaves = createAutosaveHandlers(ofKind);
  return {
    'cms.posts.list': createListPosts(ofKind, context),
    'cms.posts.create': posts.create,
    'cms.posts.read': posts.read,
    'cms.posts.update': posts.update,
    'cms.posts.remove': posts.remove,
    'cms.revisions.list': revisions.list,
    'cms.revisions.read': revisions.read,
    'cms.revisions.remove': revisions.remove,
    'cms.autosaves.list': autosaves.list,
    'cms.autosaves.read': autosaves.read,
    'cms.autosaves.create': autosaves.create,
  };
}

/** The entries of a table that the endpoints name, under the ids of the type. */
function pickUsed<T>(kind: PostKind, table: Readonly<Record<string, T>>, used: ReadonlySet<string>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(table).map(([id, each]) => [toKindId(kind, id), each] as const).filter(([id]) => used.has(id)));
}

const idsOf = (routes: readonly RouteDescriptor[], read: (endpoint: EndpointDescriptor) => readonly string[]): ReadonlySet<string> => (
  new Set(routes.flatMap(({ endpoints }) => endpoints.flatMap(read)))
);

/** The routes of one type with everything that they name. */
function createKindPart(context: CmsContext, kind: PostKind, site: KindSite): CmsPart {
  const { routes, resources } = describeKind(kind, site);
  const handlers = createHandlers(context, kind) as CmsPart['handlers'];
  return {
    routes, resources, embeds: {},
    handlers: pickUsed(kind, handlers, idsOf(routes, ({ handler }) => [handler])),
    permissions: pickUsed(kind, createPostPermissions({ ...context, kind }), idsOf(routes, ({ permission }) => [permission])),
    checks: pickUsed(kind, createPostChecks(kind), idsOf(routes, ({ checks = {} }) => Object.values(checks))),
  };
}

/** Every served type whose records are posts, with revisions and autosaves. */
export function createPostsParts(context: CmsContext, { core }: ContentModel): readonly CmsPart[] {
  const site = { languages: context.ports.config.languages, core };
  const parts = [...context.kinds.values()].filter(({ type }) => type.served).map((kind) => createKindPart(context, kind, site));
  return [...parts, toEmbedsPart(core ? CORE_EMBEDS : createPostEmbeds(context))];
}
