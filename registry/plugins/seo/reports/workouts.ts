import {
  and,
  eq,
  type Json,
  type Names,
  oneOf,
  type Predicate,
  RestResponse,
  type SiteView,
  type Store,
} from '../../../../lib/index.ts';
import {
  ADDRESSED,
  type Ports,
  invalidParam,
  loadAddresses,
  renameParam,
  renderTitle,
  toAddressSources,
  toPost,
  exists,
  findByIds,
} from '../../../plugin.ts';
import type { CatchUp } from '../indexing/catch-up.ts';
import { toIndexable } from '../indexing/indexable.ts';
import { describeIndexing, readState } from '../indexing/state.ts';
import type { HandlerGroup, SeoDeps } from '../routes/routes.ts';
import { changeSeoOption, readSeoOption } from '../values/options.ts';
import { toMembers, toTextList } from '../values/scalars.ts';

type Name = 'cornerstone' | 'orphaned';
type Members = Readonly<Record<string, Json>>;

/** `step` is the step whose list is computed from the index; `where` selects its posts. */
const WORKOUTS: Readonly<Record<Name, { readonly step: string; readonly where: Predicate }>> = {
  cornerstone: { step: 'chooseCornerstones', where: eq('is_cornerstone', true) },
  orphaned: {
    step: 'improveRemove',
    where: and(eq('incoming_link_count', 0), eq('is_robots_noindex', false)),
  },
};

/** Objects whose links were never read: as long as there are any, a post without links to it may just not have been linked yet. */
const UNREAD: Predicate = and(oneOf('object_type', ['post', 'term']), eq('links_version', 0));

const NAMES = Object.keys(WORKOUTS) as readonly Name[];
const LIST_LIMIT = 100;

/** The posts of a workout. `id`: of the entry in the index, as the lists of steps name it. */
async function listPosts(ports: Ports, where: Predicate, site: SiteView) {
  const { store } = ports;
  const found = await store.find({
    collection: 'seo_indexables',
    where: and(eq('object_type', 'post'), eq('is_public', true), where),
    limit: LIST_LIMIT,
    fields: ['object_id', 'object_sub_type', 'language', 'link_count', 'incoming_link_count'],
  });
  const indexables = found.records.map(toIndexable);
  const records = await findByIds(store, {
    collection: 'posts',
    ids: indexables.map(({ object_id }) => object_id),
    fields: [...ADDRESSED, 'title'],
  });
  const posts = new Map([...records].map(([id, record]) => [id, toPost(record)]));
  const addressOf = await loadAddresses(toAddressSources(ports), [...posts.values()]);
  return indexables.map(({ id, object_id, object_sub_type, language, link_count, incoming_link_count }) => {
    const post = posts.get(object_id);
    return {
      id,
      object_id,
      type: object_sub_type,
      language,
      title: renderTitle(post?.title ?? ''),
      link: post === undefined ? '' : addressOf(post, site),
      link_count,
      incoming_link_count,
    };
  });
}

interface View {
  readonly site: SiteView;
  readonly areLinksRead: boolean;
}

/** Merges what a client stored with the index. The client's own steps are kept; the computed list always comes from the index. */
async function describeWorkout(
  ports: Ports,
  name: Name,
  { kept, site, areLinksRead }: View & { kept: Members },
) {
  const { step, where } = WORKOUTS[name];
  const posts = name === 'orphaned' && !areLinksRead ? [] : await listPosts(ports, where, site);
  return {
    finishedSteps: toTextList(kept['finishedSteps']),
    indexablesByStep: { ...toMembers(kept['indexablesByStep']), [step]: posts.map(({ id }) => id) },
    posts,
  };
}

/** Why posts may be missing from the lists; '' if none is. */
function explain({ isUpToDate, areLinksRead, site }: View & { readonly isUpToDate: boolean }): string {
  if (isUpToDate) return '';
  if (areLinksRead) return 'The index is not up to date yet. Posts that changed last may be missing.';
  return `The posts are not all indexed yet. Until they are, no orphaned posts are listed. Indexing begins with ${site.url('/seo/v1/indexing/prepare')}.`;
}

async function hasReadLinks(store: Store): Promise<boolean> {
  const has = (where: Predicate): Promise<boolean> => exists(store, 'seo_indexables', where);
  return (await has(eq('object_type', 'post'))) && !(await has(UNREAD));
}

/** The lists of steps are merged by step. Each list is replaced as a whole. The posts are computed, and not stored. */
function mergeWorkout(kept: Members, { posts: _computed, ...given }: Members): Members {
  return {
    ...kept,
    ...given,
    indexablesByStep: { ...toMembers(kept['indexablesByStep']), ...toMembers(given['indexablesByStep']) },
  };
}

/** The first member of a JSON body that is not a workout. */
function findUnknown(body: unknown, names: Names): string | undefined {
  const known = new Set<string>([...NAMES, 'ml_language'].map((name) => renameParam(names, name)));
  return Object.keys(toMembers(body)).find((name) => !known.has(name));
}

/** Workouts over the link index: posts that need more links. */
export function createWorkoutHandlers({ ports }: SeoDeps, catchUp: CatchUp): HandlerGroup<'seo.workouts'> {
  const { store } = ports;

  async function describeAll(stored: unknown, site: SiteView): Promise<RestResponse> {
    const members = toMembers(stored);
    const isUpToDate = await catchUp(site);
    const areLinksRead = isUpToDate || (await hasReadLinks(store));
    const workouts = NAMES.map(async (name) => {
      const kept = toMembers(members[name]);
      return [name, await describeWorkout(ports, name, { kept, site, areLinksRead })] as const;
    });
    return new RestResponse({
      json: Object.fromEntries(await Promise.all(workouts)),
      message: explain({ isUpToDate, areLinksRead, site }),
      indexing: describeIndexing(await readState(store), isUpToDate),
    });
  }

  return {
    'seo.workouts.read': async (_args, { site }) => describeAll(await readSeoOption(store, 'workouts'), site),
    'seo.workouts.write': async ({ cornerstone, orphaned }, { request: { body }, site }) => {
      const unknown = body.kind === 'json' ? findUnknown(body.value, site.names) : undefined;
      if (unknown !== undefined)
        throw invalidParam(unknown, `"${unknown}" is not a workout. Workouts: ${NAMES.join(', ')}.`);
      const given: Readonly<Record<Name, unknown>> = { cornerstone, orphaned };
      const stored = await changeSeoOption(store, 'workouts', (value) => {
        const before = toMembers(value);
        return Object.fromEntries(
          NAMES.map((name) => [name, mergeWorkout(toMembers(before[name]), toMembers(given[name]))]),
        );
      });
      return describeAll(stored, site);
    },
  };
}
