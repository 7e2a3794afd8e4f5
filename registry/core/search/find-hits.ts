import { can } from '../../../lib/core/identity.ts';
import type { ArgsOf } from '../../../lib/route/args.ts';
import type { Call } from '../../../lib/route/call.ts';
import { toOffset } from '../../../lib/route/paging.ts';
import {
  and,
  asc,
  desc,
  eq,
  hasAny,
  oneOf,
  or,
  type Order,
  type Predicate,
} from '../../../lib/store/query.ts';
import { ADDRESSED, loadAddresses, loadTermAddresses, type TypedAddress } from '../addresses/permalink.ts';
import { renderTitle } from '../content/render/render.ts';
import { toShownTexts } from '../content/sanitise/text-fields.ts';
import { parseSearch, toRelevance, toSearchPredicate } from '../content/search-query.ts';
import { hasPages } from '../model/content-type.ts';
import type { CmsDeps } from '../post-views/post-deps.ts';
import type { PostKind } from '../records/kind.ts';
import { idConditions, searchConditions } from '../records/list-conditions.ts';
import { toPost } from '../records/post-record.ts';
import { allowedMethods } from '../records/rights.ts';
import { toTerm } from '../records/term-record.ts';
import { POST_FORMATS } from '../schemas/post-args.ts';
import { languageConditions, SEARCHED } from '../terms/list-terms.ts';
import { type Chain, firstOf, readChain } from '../translations/fallback.ts';
import type { describeSearch } from './routes.ts';

export type SearchArgs = ArgsOf<ReturnType<typeof describeSearch>['routes'][0]['endpoints'][0]['args']>;

/** Something that was found. `at`: where it can be read; absent for what has no route. */
export interface SearchHit {
  readonly id: number | string;
  readonly title: string;
  readonly url: string;
  readonly type: string;
  readonly subtype?: string;
  readonly at?: {
    readonly base: string;
    readonly about: 'types' | 'taxonomies';
    readonly name: string;
    readonly allow: readonly string[];
  };
}

interface PageOfFound {
  readonly items: readonly SearchHit[];
  readonly total: number;
}

/** Finds one kind of things. */
type Finder = (context: CmsDeps, call: Call, args: SearchArgs) => Promise<PageOfFound>;

/** Names of the wanted subtypes among these. A subtype of another kind matches nothing. */
function toNames(args: SearchArgs, names: readonly string[]): readonly string[] {
  const wanted = args.subtype as readonly string[];
  return wanted.length === 0 || wanted.includes('any')
    ? names
    : names.filter((name) => wanted.includes(name));
}

const window = ({
  page,
  per_page: perPage,
}: SearchArgs): { readonly limit: number; readonly offset: number } => ({
  limit: perPage,
  offset: toOffset({ page, perPage }),
});

/** Protected posts are found by their texts only by callers who may edit them. Otherwise a search could guess the texts word by word. */
function toOpen(kinds: readonly PostKind[], { identity }: Call): Predicate {
  return or(
    eq('password', ''),
    ...kinds.map(({ type, rights }) => and(eq('type', type.name), rights.editable(identity, ['publish']))),
  );
}

const loadChain = async ({ settings }: CmsDeps, call: Call): Promise<Chain> =>
  readChain(call, call.args['ml_fallback'] as readonly string[] | undefined, await settings());

/** Posts with a published translation into one of the languages. Everybody reads those of the types that are searched. */
const toPublished = (languages: readonly string[]): Predicate =>
  hasAny(
    'siblings',
    languages.map((language) => `${language} publish`),
  );

const SHOWN = [...ADDRESSED, 'title', 'trashed_from'];

const findPosts: Finder = async (context, call, args) => {
  await context.publishDue();
  const {
    kinds,
    store,
    settings,
    content: { types, postTypes },
  } = context;
  const names = toNames(
    args,
    postTypes.filter(hasPages).map(({ name }) => name),
  );
  const wanted = names.flatMap((name) => kinds.get(name) ?? []);
  const parsed = parseSearch(args.search ?? '');
  const found = toSearchPredicate(parsed);
  const order: readonly Order[] = found === undefined ? [desc('date')] : toRelevance(parsed);
  const where = and(
    ...firstOf(await loadChain(context, call), toPublished),
    eq('status', 'publish'),
    oneOf('type', names),
    ...idConditions(args),
    ...(found === undefined ? [] : [found, toOpen(wanted, call)]),
  );
  const { records, total } = await store.find(
    { collection: 'posts', where, order, ...window(args), total: true, fields: SHOWN },
    call,
  );
  const addressOf = await loadAddresses(
    { store, settings, types },
    records as unknown as readonly TypedAddress[],
  );
  const items = records.map(toPost).map((post): SearchHit => {
    const {
      type: { base, name },
      rights,
    } = kinds.get(post.type) as PostKind;
    const { identity } = call;
    const allow = allowedMethods(rights.mayEdit(identity, post), rights.mayDelete(identity, post));
    return {
      id: post.id,
      title: renderTitle(post.title),
      url: addressOf(post, call.site),
      type: args.type,
      subtype: name,
      at: { base, about: 'types', name, allow },
    };
  });
  return { items, total };
};

const findTerms: Finder = async (context, call, args) => {
  const {
    store,
    content: { taxonomies },
  } = context;
  const names = toNames(
    args,
    [...taxonomies.values()].filter(hasPages).map(({ name }) => name),
  );
  const where = and(
    oneOf('taxonomy', names),
    ...languageConditions(await loadChain(context, call)),
    ...idConditions(args),
    ...searchConditions(args.search, SEARCHED),
  );
  const { records, total } = await store.find(
    {
      collection: 'terms',
      where,
      order: [asc('name')],
      ...window(args),
      total: true,
    },
    call,
  );
  const terms = records.map((record) => toTerm(toShownTexts('terms', record)));
  const addressOf = await loadTermAddresses({ store, taxonomies }, terms);
  const items = terms.flatMap((term): readonly SearchHit[] => {
    const taxonomy = taxonomies.get(term.taxonomy);
    if (taxonomy === undefined) return [];
    const { base, name, capabilities } = taxonomy;
    const allow = allowedMethods(
      can(call.identity, capabilities.edit_terms),
      can(call.identity, capabilities.delete_terms),
    );
    return [
      {
        id: term.id,
        title: term.name,
        url: addressOf(term, call.site),
        type: name,
        at: { base, about: 'taxonomies', name, allow },
      },
    ];
  });
  return { items, total };
};

const toLabel = (format: string): string => format.charAt(0).toUpperCase() + format.slice(1);

const findFormats: Finder = async (_context, call, args) => {
  const text = (args.search ?? '').trim().toLowerCase();
  // No format has an id.
  const all =
    args.include.length > 0
      ? []
      : POST_FORMATS.filter((format) => format !== 'standard' && format.includes(text));
  const { limit, offset } = window(args);
  const items = all.slice(offset, offset + limit).map((format): SearchHit => ({
    id: format,
    title: toLabel(format),
    url: `${call.site.home()}/type/${format}/`,
    type: args.type,
  }));
  return { items, total: all.length };
};

/** The finder of each kind, by the values of `type`. */
export const FINDERS: Readonly<Record<SearchArgs['type'], Finder>> = {
  post: findPosts,
  term: findTerms,
  'post-format': findFormats,
};
