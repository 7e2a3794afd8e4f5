import { RestResponse } from '../../../../lib/index.ts';
import {
  type AddressQuery,
  type FoundTarget,
  findMoved,
  findTarget,
  publishedOf,
  servicesOf,
} from '../../../plugin.ts';
import { toHead } from '../head/head.ts';
import { PAGE_READERS } from '../pages/archive-pages.ts';
import { createHeadContext } from '../pages/head-context.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { invalidParam } from '../values/errors.ts';
import type { HeadFacts } from '../values/facts.ts';
import { toErrorPage, type PageContext } from '../values/page-context.ts';

function readPage<K extends FoundTarget['kind']>(
  context: PageContext,
  target: Extract<FoundTarget, { kind: K }> & { kind: K },
): Promise<HeadFacts | null> {
  return PAGE_READERS[target.kind](context, target);
}

/** Head markup for front ends that do not build their own. A page that is not public is reported as not found. */
export function createHeadHandlers({ ports, config }: SeoDeps): HandlerGroup<'seo.head'> {
  const { sources, createContext } = createHeadContext({ ports, config });
  const { publishDue, nextDue } = servicesOf(ports).schedule;
  const isPublic = publishedOf(config.postTypes);

  /** With redirects, the page of a post that had the address before. */
  async function readMoved(context: PageContext, query: AddressQuery): Promise<HeadFacts | null> {
    const moved = await findMoved(sources, query);
    return moved === null
      ? null
      : readPage(context, { kind: 'post-id', language: context.language, id: moved.id });
  }

  return {
    'seo.head': async ({ url }, call) => {
      if (!URL.canParse(url))
        throw invalidParam('url', `"${url}" is not an absolute URL such as ${call.site.home()}/.`);
      await publishDue();
      const query = { url, siteUrl: call.site.pagesUrl, isPublic };
      const target = await findTarget(sources, query);
      const context = await createContext(call, target?.language ?? call.language);
      const facts =
        (target === null ? null : await readPage(context, target)) ??
        (config.redirects ? await readMoved(context, query) : null);
      if (facts === null)
        return new RestResponse({ ...toHead(toErrorPage(context)), status: 404 }, { status: 404 });
      // A scheduled translation becomes one of the alternates when it is published.
      const dependsOn = { records: [], collections: call.endpoint.cache ?? [], until: nextDue() };
      return new RestResponse({ ...toHead(facts), status: 200 }, { dependsOn });
    },
  };
}
