import { defineNamespace, type Namespace } from '../../lib/route/namespace.ts';
import type { Ports } from '../ports.ts';
import { createSettings } from '../site/settings.ts';
import { createAutosaveHandlers } from './autosaves.ts';
import { postChecks } from './checks.ts';
import { createPostEmbeds } from './embeds.ts';
import { createListPosts } from './list-posts.ts';
import { createPostPermissions } from './permissions.ts';
import { createPasswordGuard } from './post-password.ts';
import { createPostHandlers } from './posts.ts';
import { createRevisionHandlers } from './revisions.ts';
import { describeCms } from './routes.ts';
import { createSchedule } from './schedule.ts';
import { createShowPosts, SHOW_ANEW } from './show-posts.ts';
import { createTerms } from './terms.ts';

/** Posts, their revisions and autosaves. */
export function createCmsNamespace({ store, now, log, config, cache }: Ports): Namespace {
  const base = { store, now, log, settings: createSettings(store, config.languages) };
  const { publishDue, nextDue } = createSchedule(base);
  const context = { ...base, terms: createTerms(store), nextDue, show: cache === false ? SHOW_ANEW : createShowPosts() };
  const passwords = createPasswordGuard(now);
  const posts = createPostHandlers(context);
  const revisions = createRevisionHandlers(context);
  const autosaves = createAutosaveHandlers(context);
  return defineNamespace(describeCms(config.languages), {
    'cms.posts.list': createListPosts(context, { publishDue, passwords }),
    'cms.posts.create': posts.create,
    'cms.posts.read': posts.read,
    'cms.posts.update': posts.update,
    'cms.posts.remove': posts.remove,
    'cms.revisions.list': revisions.list,
    'cms.revisions.read': revisions.read,
    'cms.revisions.remove': revisions.remove,
    'cms.autosaves.list': autosaves.list,
    'cms.autosaves.create': autosaves.create,
  }, { permissions: createPostPermissions(context, { publishDue, passwords }), checks: postChecks, embeds: createPostEmbeds(context) });
}
