import type { NamespaceDescriptor, ResourceDescriptor } from '../../lib/route/descriptor.ts';
import type { Namespace } from '../../lib/route/namespace.ts';
import { createTerms } from './addresses/permalink.ts';
import { contributeComments } from './comments/contribution.ts';
import { createPostShortcodes } from './content/shortcodes/render-post.ts';
import { CMS, type CmsContribution, joinContributions } from './host/contribution.ts';
import type { Ports } from './host/ports.ts';
import { contributeMedia } from './media/contribution.ts';
import { SYNCED_PATTERN } from './model/built-in.ts';
import type { ContentModel } from './model/content-model.ts';
import type { PlanDeparture } from './plugin/plugin.ts';
import { describeKind } from './post-views/describe-kind.ts';
import { createPasswordGuard } from './post-views/permissions.ts';
import type { CmsDeps } from './post-views/post-deps.ts';
import { createShowAnew, createShowPosts } from './post-views/show-posts.ts';
import { contributePosts } from './posts/contribution.ts';
import { createPreviews } from './previews/previews.ts';
import { createKinds } from './records/kind.ts';
import { contributeSearch } from './search/contribution.ts';
import { servicesOf } from './services.ts';
import { contributeSettings } from './site/settings-contribution.ts';
import { contributeModel } from './site/types-statuses-taxonomies.ts';
import { contributeTerms } from './terms/contribution.ts';
import { contributeUsers } from './users/contribution.ts';

interface Entry {
  /** Creates the contribution of a site, or one for each of its types. Not called if `isServed` is false. */
  readonly create: (context: CmsDeps) => CmsContribution | readonly CmsContribution[];
  /** Default: always. */
  readonly isServed?: (content: ContentModel) => boolean;
}

const isCore = ({ core }: ContentModel): boolean => core;

/** Every contribution to `cms/v2`, in the order of its routes. */
const CONTRIBUTIONS: readonly Entry[] = [
  { create: contributePosts },
  { create: contributeTerms },
  { create: contributeModel, isServed: isCore },
  { create: contributeUsers, isServed: isCore },
  { create: contributeSettings, isServed: isCore },
  { create: contributeSearch, isServed: isCore },
  { create: contributeComments, isServed: isCore },
  { create: contributeMedia, isServed: isCore },
];

/** What follows for all of them, in one commit. */
const joinDepartures =
  (departures: readonly PlanDeparture[]): PlanDeparture =>
  async (post, how) => {
    const plans = await Promise.all(departures.map((plan) => plan(post, how)));
    return {
      also: plans.flatMap(({ also }) => also),
      after: () => {
        for (const { after } of plans) after();
      },
    };
  };

function createContext(ports: Ports): CmsDeps {
  const { store, now, log, cache, content, handlerTimeoutMs } = ports;
  const {
    settings,
    schedule,
    kinds,
    shortcodes: known,
    blocks,
    departures,
    exposed,
    termBelongings,
  } = servicesOf(ports);
  const shortcodes = createPostShortcodes(
    { store, shortcodes: known, blocks, patterns: content.types.has(SYNCED_PATTERN) },
    handlerTimeoutMs,
  );
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
    previews: createPreviews({ store, now, content, secret: ports.config.secret }),
    content,
    kinds,
    exposed,
    termBelongings,
    ports,
    planDeparture: joinDepartures(departures),
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

/** The content of the site, as its model describes it: see `CONTRIBUTIONS`. */
export function createCmsNamespace(ports: Ports): Namespace {
  const { content } = ports;
  const context = createContext(ports);
  return joinContributions(
    CONTRIBUTIONS.filter(({ isServed }) => isServed?.(content) ?? true).flatMap(({ create }) =>
      create(context),
    ),
  );
}
