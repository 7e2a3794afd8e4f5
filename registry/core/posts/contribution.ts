import { own, perObject } from '../../../lib/core/objects.ts';
import { listNamed } from '../../../lib/route/namespace.ts';
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
import type { PostHandlers } from '../post-views/routes.ts';
import { createPostChecks, type PostKind } from '../records/kind.ts';
import { createRevisionHandlers } from '../revisions/revision-handlers.ts';
import { createAutosaveHandlers } from './autosaves.ts';
import { CORE_EMBEDS, createPostEmbeds } from './embeds.ts';
import { createListPosts } from './list-posts.ts';
import { createListTranslations, createPostHandlers } from './posts.ts';
import { createPreviewHandlers } from './preview-handlers.ts';

/** The handlers of a type. */
function createHandlers(context: CmsDeps, kind: PostKind): PostHandlers {
  const ofKind = { ...context, kind };
  return {
    list: createListPosts(ofKind, context),
    'translations.list': createListTranslations(ofKind),
    ...createPostHandlers(ofKind),
    ...createPreviewHandlers(ofKind),
    ...createRevisionHandlers(ofKind),
    ...createAutosaveHandlers(ofKind),
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

const namesIn = perObject(listNamed);

/** The routes of one type with everything that they name. */
function contributeKind(context: CmsDeps, kind: PostKind, site: KindSite): CmsContribution {
  const { routes, resources } = describeKind(kind, site);
  const handlers = createHandlers(context, kind) as CmsContribution['handlers'];
  const toAction = (name: string): string => toActionId(kind, name);
  const names = namesIn(toShapedRoutes(kind, site.core));
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
