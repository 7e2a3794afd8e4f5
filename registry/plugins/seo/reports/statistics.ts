import {
  and,
  can,
  eq,
  gte,
  type Identity,
  lte,
  not,
  oneOf,
  type Predicate,
  type SiteView,
} from '../../../../lib/index.ts';
import { cachedByRevision, groupBy, renameParam, userOf, exists, slicesOf } from '../../../plugin.ts';
import type { CatchUp } from '../indexing/catch-up.ts';
import { type Indexable, toIndexable } from '../indexing/indexable.ts';
import { describeIndexing, readState } from '../indexing/state.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { SCORE_RANKS, type SeoRank } from '../values/score.ts';

interface Rank {
  readonly seo_rank: SeoRank;
  readonly label: string;
  readonly where: Predicate;
}

const NO_PHRASE = eq('focus_phrase', '');
const LISTED = eq('is_robots_noindex', false);

const scored = (low: number, high: number): Predicate =>
  and(LISTED, not(NO_PHRASE), gte('focus_score', low), lte('focus_score', high));

const LABELS = {
  good: 'Posts with a good SEO score',
  ok: 'Posts with an OK SEO score',
  bad: 'Posts that need improvement',
} as const;

/** What the widget counts, best rank first. */
const RANKS: readonly Rank[] = [
  ...SCORE_RANKS.map(([rank, low, high]): Rank => ({
    seo_rank: rank,
    label: LABELS[rank],
    where: scored(low, high),
  })),
  { seo_rank: 'na', label: 'Posts without a focus keyphrase', where: and(LISTED, NO_PHRASE) },
  {
    seo_rank: 'noindex',
    label: 'Posts that search engines do not list',
    where: eq('is_robots_noindex', true),
  },
];

/** Share of good posts above which the widget praises the author. */
const PRAISE = 0.66;
const MAX_CACHED = 200;
/** Most posts that one link names: as many as a list shows at once. */
const MAX_NAMED = 100;
/** Most posts of a rank that its links name. */
const MAX_LINKED = 1000;

/** The posts of a rank: how many, and the first ones as far as lists need them. */
interface Ranked extends Omit<Rank, 'where'> {
  readonly count: number;
  readonly posts: readonly Indexable[];
}

/** `isWritten`: whether there are published posts, in the index or not. */
function toHeader(ranks: readonly Ranked[], isWritten: boolean): string {
  const all = ranks.reduce((sum, { count }) => sum + count, 0);
  const good = ranks.find(({ seo_rank }) => seo_rank === 'good')?.count ?? 0;
  if (all === 0 && isWritten)
    return 'Your posts are not indexed yet, your SEO scores will appear here once they are!';
  if (all === 0)
    return 'You do not have any published posts, your SEO scores will appear here once you publish your first one!';
  return good / all > PRAISE
    ? 'Hey, your SEO is doing pretty well! Check out the stats:'
    : 'Below are the SEO scores of your published posts. Now is a good time to improve them:';
}

/** Posts of one list: those of a type and a language, at most as many as it shows at once. */
function toLists(posts: readonly Indexable[]): readonly (readonly Indexable[])[] {
  const groups = groupBy(posts, ({ object_sub_type, language }) => `${object_sub_type} ${language}`);
  return [...groups.values()].flatMap((group) => Array.from(slicesOf(group, MAX_NAMED)));
}

/** The lists of the site that have these posts. */
function toLinks(
  posts: readonly Indexable[],
  { types, site }: { readonly types: SeoDeps['ports']['content']['types']; readonly site: SiteView },
) {
  const parameter = renameParam(site.names, 'ml_language');
  return toLists(posts).flatMap((list) => {
    const { object_sub_type: type = '', language = '' } = list[0] ?? {};
    const { base, served = false } = types.get(type) ?? {};
    return served
      ? [
          {
            type,
            language,
            count: list.length,
            link: `${site.url(`/cms/v2/${base}`)}?include=${list.map(({ object_id }) => object_id).join(',')}&per_page=${MAX_NAMED}&${parameter}=${language}`,
          },
        ]
      : [];
  });
}

/** Whether the posts that are counted for the caller exist at all. */
function hasPosts({ ports: { store }, config }: SeoDeps, identity: Identity): Promise<boolean> {
  const own = can(identity, 'edit_others_posts') ? [] : [eq('author', identity.id)];
  return exists(store, 'posts', and(eq('status', 'publish'), oneOf('type', config.postTypes), ...own));
}

/** Scores of published posts: of all posts for callers who may edit others' posts, otherwise of the caller's own. */
export function createStatisticsHandlers(parts: SeoDeps, catchUp: CatchUp): HandlerGroup<'seo.statistics'> {
  const { store, content } = parts.ports;
  const open = cachedByRevision(store, {
    collections: ['seo_indexables'],
    make: () => new Map<number, readonly Ranked[]>(),
    most: MAX_CACHED,
  });

  function findRanks(own: Predicate): Promise<readonly Ranked[]> {
    const where = and(eq('object_type', 'post'), eq('post_status', 'publish'), own);
    return Promise.all(
      RANKS.map(async ({ seo_rank, label, where: rank }) => {
        const { total, records } = await store.find({
          collection: 'seo_indexables',
          where: and(where, rank),
          fields: ['object_id', 'object_sub_type', 'language'],
          limit: MAX_LINKED,
          total: true,
        });
        return { seo_rank, label, count: total, posts: records.map(toIndexable) };
      }),
    );
  }

  /** Counts again only when the index has changed. Id 0 stands for all callers who see every post. */
  async function readRanks(identity: Identity): Promise<readonly Ranked[]> {
    const user = can(identity, 'edit_others_posts') ? 0 : userOf(identity);
    const known = await open();
    const ranks = known.get(user) ?? (await findRanks(user === 0 ? and() : eq('author_id', user)));
    known.set(user, ranks);
    return ranks;
  }

  return {
    'seo.statistics': async (_args, { identity, site, language: spoken }) => {
      const isUpToDate = await catchUp(site);
      const [ranks, state] = await Promise.all([readRanks(identity), readState(store)]);
      const seo_scores = ranks.flatMap(({ seo_rank, label, count, posts }) => {
        const links = toLinks(posts, { types: content.types, site });
        // One list has the posts of one type and language. The first link is that of the language of the request.
        const { link = '' } = links.find(({ language }) => language === spoken) ?? links[0] ?? {};
        return count === 0 ? [] : [{ seo_rank, label, count, link, links }];
      });
      return {
        header: toHeader(ranks, await hasPosts(parts, identity)),
        seo_scores,
        indexing: describeIndexing(state, isUpToDate),
      };
    },
  };
}
