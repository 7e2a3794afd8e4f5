import type { Namespace } from '../../lib/route/namespace.ts';
import type { Ports } from '../ports.ts';
import { createSettings } from '../site/settings.ts';
import type { CmsContext } from './cms-context.ts';
import { joinParts } from './part.ts';
import { PARTS } from './parts.ts';
import { createPasswordGuard } from './post-password.ts';
import { createSchedule } from './schedule.ts';
import { createShowPosts, SHOW_ANEW } from './show-posts.ts';
import { createTerms } from './terms.ts';

function createContext(ports: Ports): CmsContext {
  const { store, now, log, config, cache, content } = ports;
  const shared = { store, now, log, settings: createSettings(store, config.languages) };
  return {
    ...shared, ...createSchedule(shared), terms: createTerms(store), show: cache === false ? SHOW_ANEW : createShowPosts(),
    passwords: createPasswordGuard(now), content, ports,
  };
}

/** The content of the site, as its model describes it: see `parts.ts`. */
export function createCmsNamespace(ports: Ports): Namespace {
  const { content } = ports;
  const context = createContext(ports);
  return joinParts(PARTS.filter(({ isServed }) => isServed?.(content) ?? true).map(({ create }) => create(context, content)));
}
