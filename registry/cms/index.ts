import type { NamespaceDescriptor, ResourceDescriptor } from '../../lib/route/descriptor.ts';
import type { Namespace } from '../../lib/route/namespace.ts';
import { createPostShortcodes } from '../builder/render-post.ts';
import { createCancelDeparted } from '../ml/jobs/cancel-departed.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { Ports } from '../ports.ts';
import { createAskedFields } from '../seo/asked-fields.ts';
import { servicesOf } from '../services.ts';
import type { CmsContext } from './cms-context.ts';
import { describeKind } from './describe-kind.ts';
import { createKinds } from './kind.ts';
import { CMS, joinParts } from './part.ts';
import { PARTS } from './parts.ts';
import { createPasswordGuard } from './post-password.ts';
import { createShowAnew, createShowPosts } from './show-posts.ts';
import { createTerms } from './terms.ts';

function createContext(ports: Ports): CmsContext {
  const { store, now, log, cache, content, handlerTimeoutMs } = ports;
  const { settings, schedule, kinds, shortcodes: known } = servicesOf(ports);
  const shortcodes = createPostShortcodes({ store, shortcodes: known }, handlerTimeoutMs);
  return {
    store,
    now,
    log,
    settings,
    ...schedule,
    terms: createTerms(store),
    show: cache === false ? createShowAnew(shortcodes) : createShowPosts(shortcodes),
    shortcodes,
    passwords: createPasswordGuard(now),
    content,
    kinds,
    ports,
    planDeparture: createCancelDeparted(ports),
    asked: content.seo ? createAskedFields(ports) : null,
  };
}

/** The descriptor of a site with this content and these languages. */
export function describeCms(content: ContentModel, languages: readonly string[]): NamespaceDescriptor {
  const site = { languages, core: content.core };
  const kinds = [...createKinds(content).values()]
    .filter(({ type }) => type.served)
    .map((kind) => describeKind(kind, site));
  return {
    namespace: CMS,
    routes: kinds.flatMap(({ routes }) => routes),
    resources: Object.assign({}, ...kinds.map(({ resources }) => resources)) as Readonly<
      Record<string, ResourceDescriptor>
    >,
  };
}

/** The content of the site, as its model describes it: see `parts.ts`. */
export function createCmsNamespace(ports: Ports): Namespace {
  const { content } = ports;
  const context = createContext(ports);
  return joinParts(
    PARTS.filter(({ isServed }) => isServed?.(content) ?? true).flatMap(({ create }) =>
      create(context, content),
    ),
  );
}
