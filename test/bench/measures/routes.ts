import { Registrations } from '../../../lib/engine/registrations.ts';
import type { RouteDescriptor } from '../../../lib/index.ts';
import { defineNamespace } from '../../../lib/route/namespace.ts';
import { NEUTRAL_NAMES } from '../../../registry/index.ts';
import { createRandom } from '../../support/random.ts';
import { readMemory, timeCalls, timeOnce } from './timing.ts';

export interface RouteFigures {
  /** Microseconds per lookup. */
  readonly lookup: number;
  /** Milliseconds to register all routes. */
  readonly registration: number;
  /** Bytes per route, on the heap and resident. */
  readonly heap: number;
  readonly resident: number;
}

const FACTS = {
  name: '',
  description: '',
  url: '',
  home: '',
  gmt_offset: '0',
  timezone_string: 'UTC',
  page_for_posts: 0,
  page_on_front: 0,
  show_on_front: 'posts',
} as const;
/** As many as the largest number of routes. Every path differs, so that the cache cannot hold the routes in use. */
const LOOKUPS = 10_000;

function toRoute(number: number): RouteDescriptor {
  const args = {
    id: { type: 'integer' },
    page: { type: 'integer', minimum: 1, default: 1 },
    search: { type: 'string' },
    order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
  } as const;
  return {
    pattern: `/bench/v1/things${number}/(?P<id>[\\d]+)`,
    endpoints: [
      { methods: ['GET'], handler: 'read', permission: 'public', args },
      { methods: ['POST'], handler: 'write', permission: 'public', args },
    ],
  };
}

/** Registers `count` routes and looks some of them up. */
export async function measureRoutes({
  count,
  seconds,
}: {
  readonly count: number;
  readonly seconds: number;
}): Promise<RouteFigures> {
  const routes = Array.from({ length: count }, (_each, number) => toRoute(number));
  const namespace = defineNamespace(
    { namespace: 'bench/v1', routes },
    { read: () => null, write: () => null },
  );
  const before = readMemory();
  const [registered, registration] = await timeOnce(
    () =>
      new Registrations(
        { names: NEUTRAL_NAMES, namespaces: [namespace], describeSite: async () => FACTS },
        () => undefined,
      ),
  );
  const after = readMemory();
  const random = createRandom(1);
  const paths = Array.from({ length: LOOKUPS }, () => `/bench/v1/things${random.below(count)}/12`);
  const { cpu } = await timeCalls(() => {
    for (const path of paths)
      if (registered.table.find(path) === null) throw new Error(`${path} was not found`);
  }, seconds);
  return {
    lookup: cpu / LOOKUPS,
    registration,
    heap: (after.heap - before.heap) / count,
    resident: (after.resident - before.resident) / count,
  };
}
