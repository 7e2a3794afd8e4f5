import { renameParam, type Names } from '../../lib/core/names.ts';
import { RestResponse } from '../../lib/http/response.ts';
import { and, eq, type Predicate } from '../../lib/store/query.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { Store } from '../../lib/store/store.ts';
import { invalidParam } from './errors.ts';
import { toMembers, toTextList } from './json.ts';
import type { HandlerGroup, SeoParts } from './parts.ts';
import { changeSeoOption, readSeoOption } from './settings/options.ts';

type Name = 'cornerstone' | 'orphaned';
type Members = Readonly<Record<string, Json>>;

/** `step` is the step whose list is computed from the index; `where` selects its posts. */
const WORKOUTS: Readonly<Record<Name, { readonly step: string; readonly where: Predicate }>> = {
  cornerstone: { step: 'chooseCornerstones', where: eq('is_cornerstone', true) },
  orphaned: { step: 'improveRemove', where: and(eq('incoming_link_count', 0), eq('is_robots_noindex', false)) },
};

const NAMES = Object.keys(WORKOUTS) as readonly Name[];
const LIST_LIMIT = 100;

async function listIndexables(store: Store, where: Predicate): Promise<readonly number[]> {
  const { records } = await store.find({
    collection: 'seo_indexables', where: and(eq('object_type', 'post'), eq('is_public', true), where), order: [{ field: 'id', direction: 'asc' }], fields: [], limit: LIST_LIMIT,
  });
  return records.map(({ id }) => id);
}

/** Merges what a client stored with the index. The client's own steps are kept; the computed list always comes from the index. */
async function describeWorkout(store: Store, name: Name, kept: Members): Promise<Json> {
  const { step, where } = WORKOUTS[name];
  return {
    finishedSteps: toTextList(kept['finishedSteps']),
    indexablesByStep: { ...toMembers(kept['indexablesByStep']), [step]: await listIndexables(store, where) },
  };
}

async function describeWorkouts(store: Store, kept: unknown): Promise<Json> {
  const members = toMembers(kept);
  return Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await describeWorkout(store, name, toMembers(members[name]))] as const)));
}

/** The lists of steps are merged by step. Each list is replaced as a whole. */
function mergeWorkout(kept: Members, given: Members): Members {
  return { ...kept, ...given, indexablesByStep: { ...toMembers(kept['indexablesByStep']), ...toMembers(given['indexablesByStep']) } };
}

/** The first member of a JSON body that is not a workout. */
function findUnknown(body: unknown, names: Names): string | undefined {
  const known = new Set<string>([...NAMES, 'ml_language'].map((name) => renameParam(names, name)));
  return Object.keys(toMembers(body)).find((name) => !known.has(name));
}

/** Workouts over the link index: posts that need more links. */
export function createWorkoutHandlers({ ports: { store } }: SeoParts): HandlerGroup<'seo.workouts.read' | 'seo.workouts.write'> {
  return {
    'seo.workouts.read': async () => new RestResponse({ json: await describeWorkouts(store, await readSeoOption(store, 'workouts')) }),
    'seo.workouts.write': async ({ cornerstone, orphaned }, { request: { body }, site }) => {
      const unknown = body.kind === 'json' ? findUnknown(body.value, site.names) : undefined;
      if (unknown !== undefined) throw invalidParam(unknown, `"${unknown}" is not a workout. Workouts: ${NAMES.join(', ')}.`);
      const given: Readonly<Record<Name, unknown>> = { cornerstone, orphaned };
      const kept = await changeSeoOption(store, 'workouts', (value) => {
        const before = toMembers(value);
        return Object.fromEntries(NAMES.map((name) => [name, mergeWorkout(toMembers(before[name]), toMembers(given[name]))]));
      });
      return new RestResponse({ json: await describeWorkouts(store, kept) });
    },
  };
}
