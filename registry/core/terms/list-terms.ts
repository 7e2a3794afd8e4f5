import type { PlainCollection } from '../../../lib/crud/plain-collection.ts';
import { RecordList } from '../../../lib/http/record-list.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';
import { toOffset } from '../../../lib/route/paging.ts';
import { and, eq, hasAny, inOrderOf, oneOf, type Order, type Predicate } from '../../../lib/store/query.ts';
import { idConditions, toNamedOrder, searchConditions, slugConditions } from '../records/list-conditions.ts';
import { type TermRecord, toTerm } from '../records/term-record.ts';
import {
  type Chain,
  type Expand,
  firstOrShared,
  loadExpansion,
  readChain,
  toContentLanguage,
} from '../translations/fallback.ts';
import type { TermDeps, TermsOfPost } from './permissions.ts';
import type { TermListArgs } from './routes.ts';

/** What a search of terms reads. */
export const SEARCHED = ['name', 'slug'] as const;

/** A call that asks for a list. */
interface ListOfTerms {
  readonly args: TermListArgs;
  readonly call: Call;
}

/** The languages of a list, and the terms that stand for those that it names. */
interface TermScope {
  readonly chain: Chain;
  readonly expand: Expand;
}

async function toScope(context: TermDeps, { args, call }: ListOfTerms): Promise<TermScope> {
  const chain = readChain(call, args.ml_fallback, await context.settings());
  const ofPost = (call.subject as TermsOfPost | null)?.terms ?? [];
  const ids = [
    ...args.include,
    ...args.exclude,
    ...(args.parent === undefined ? [] : [args.parent]),
    ...ofPost,
  ];
  return { chain, expand: await loadExpansion(context.store, ['terms', 'taxonomy'], { ids, chain }) };
}

/** Terms of the chain, and those that all languages share. */
export function languageConditions(chain: Chain): readonly Predicate[] {
  return firstOrShared(chain, (languages) => hasAny('siblings', languages));
}

function toWhere(
  { taxonomy }: TermDeps,
  { args, call }: ListOfTerms,
  { chain, expand }: TermScope,
): Predicate {
  const { include, exclude, parent, slug, search } = args;
  const ofPost = call.subject as TermsOfPost | null;
  return and(
    eq('taxonomy', taxonomy.name),
    ...languageConditions(chain),
    ...idConditions({ include, exclude, ...(parent === undefined ? {} : { parent: [parent] }) }, expand),
    ...slugConditions(slug),
    ...(ofPost === null ? [] : [oneOf('id', expand(ofPost.terms))]),
    ...searchConditions(search, SEARCHED),
  );
}

/** Every other attribute is sorted by name, also `count` at first. */
const ORDER_FIELDS = { id: 'id', slug: 'slug', description: 'description' } as const;

interface PageOfTerms {
  readonly terms: readonly TermRecord[];
  readonly total: number;
}

/** The page of a list that depends on the counts of all its terms. */
async function findCounted(
  { store, taxonomy, count }: TermDeps,
  args: TermListArgs,
  { where, order }: { readonly where: Predicate; readonly order: readonly Order[] },
): Promise<PageOfTerms> {
  const all = (await store.find({ collection: 'terms', where, order, fields: [] })).records.map(
    ({ id }) => id,
  );
  const counts = await count(taxonomy, all);
  const countOf = (id: number): number => counts.get(id) ?? 0;
  const kept = args.hide_empty ? all.filter((id) => countOf(id) > 0) : all;
  const sign = args.order === 'desc' ? -1 : 1;
  const sorted =
    args.orderby === 'count' ? kept.toSorted((left, right) => sign * (countOf(left) - countOf(right))) : kept;
  const offset = toOffset({ page: args.page, perPage: args.per_page, offset: args.offset });
  const ids = sorted.slice(offset, offset + args.per_page);
  const { records } = await store.find({
    collection: 'terms',
    where: oneOf('id', ids),
    order: [inOrderOf('id', ids)],
  });
  return { terms: records.map(toTerm), total: kept.length };
}

/** Without stand-ins the language is that of the prefix, as it always was. */
function withLanguages(response: RestResponse, call: Call, { chain }: TermScope): RestResponse {
  if (chain.length === 1 || !(response.content instanceof RecordList)) return response;
  return response.withHeaders(
    toContentLanguage(call, chain, response.content.records as readonly TermRecord[]),
  );
}

/** The list of a taxonomy. */
export async function listTerms(
  context: TermDeps,
  collection: PlainCollection<TermRecord>,
  asked: ListOfTerms,
): Promise<RestResponse> {
  const { args, call } = asked;
  // The counts include posts that are due.
  await context.publishDue();
  const scope = await toScope(context, asked);
  const query = {
    where: toWhere(context, asked, scope),
    order: toNamedOrder(args, ORDER_FIELDS, scope.expand),
  };
  const shown = { context: args.context, page: args.page, perPage: args.per_page };
  if (!args.hide_empty && args.orderby !== 'count')
    return withLanguages(
      await collection.list(call, { ...shown, ...query, offset: args.offset }),
      call,
      scope,
    );
  const { terms, total } = await findCounted(context, args, query);
  const page = await collection.page(call, terms, {
    ...shown,
    total,
    from: toOffset({ page: args.page, perPage: args.per_page, offset: args.offset }),
  });
  return withLanguages(page, call, scope);
}
