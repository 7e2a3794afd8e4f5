import { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { createRecordLinks } from '../../../lib/route/links.ts';
import { pageHeaders } from '../../../lib/route/paging.ts';
import { type CmsContribution, defineContribution } from '../host/contribution.ts';
import { hasPages } from '../model/content-type.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import { checkSearch } from '../records/kind.ts';
import { FINDERS, type SearchArgs, type SearchHit } from './find-hits.ts';
import { describeSearch } from './routes.ts';

const COLLECTION = { collection: { href: '/cms/v2/search' } } as const;
const linksOfItem = createRecordLinks({
  self: { href: '/cms/v2/{base}/{id}', embeddable: true },
  about: { href: '/cms/v2/{about}/{name}' },
  ...COLLECTION,
});
const linksOfOther = createRecordLinks(COLLECTION);

function showFound({ at, ...found }: SearchHit, call: Call): object {
  return {
    ...found,
    _links: at === undefined ? linksOfOther({}, call) : linksOfItem({ ...at, id: found.id }, call, at.allow),
  };
}

async function search(context: CmsDeps, args: SearchArgs, call: Call): Promise<RestResponse> {
  const { items, total } = await FINDERS[args.type](context, call, args);
  return new RestResponse(
    items.map((found) => showFound(found, call)),
    {
      headers: pageHeaders(call, { page: args.page, perPage: args.per_page, total }),
      dependsOn: { records: [], collections: call.endpoint.cache ?? [], until: context.nextDue() },
    },
  );
}

/** The search over types, terms and formats. It finds what everybody may read, for all callers alike. */
export function contributeSearch(context: CmsDeps): CmsContribution {
  const { postTypes, taxonomies } = context.content;
  const words = [...postTypes, ...taxonomies.values()].filter(hasPages).map(({ name }) => name);
  return defineContribution(
    describeSearch(words),
    {
      'cms.search.list': (args, call) => search(context, args, call),
    },
    { checks: { 'cms.search': checkSearch } },
  );
}
