// What a content type costs to register, beside a plain route: node --expose-gc dist/test/bench/types.js [TYPES]
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createEngine, toNamespace, type NamespaceDescriptor } from '../../lib/index.ts';
import {
  collectionsOf,
  createContentModel,
  createSite,
  type ContentDefinition,
} from '../../registry/index.ts';
import { toMedian } from './median.ts';

const TYPES = Number(process.argv[2] ?? 1000);
const ROUNDS = 5;
/** Endpoints of a type with revisions and autosaves, in `routes.ts` of `cms/v2`. */
const ENDPOINTS_OF_TYPE = 11;

interface Cost {
  /** Time of the processor, in milliseconds. */
  readonly cpu: number;
  /** Memory that stays, in kB. NaN without `--expose-gc`. */
  readonly memory: number;
}

const heap = (): number => {
  if (globalThis.gc === undefined) return NaN;
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1000;
};

async function measure<T>(run: () => T | Promise<T>): Promise<Cost & { readonly made: T }> {
  const [held, before] = [heap(), process.cpuUsage()];
  const made = await run();
  const { user, system } = process.cpuUsage(before);
  return { made, cpu: (user + system) / 1000, memory: heap() - held };
}

async function openSite(count: number): Promise<Cost> {
  const content: ContentDefinition = {
    core: true,
    types: Array.from({ length: count }, (_each, number) => ({
      name: `type${number}`,
      base: `types${number}`,
      supports: [
        'title',
        'editor',
        'excerpt',
        'author',
        'thumbnail',
        'revisions',
        'page-attributes',
        'custom-fields',
      ],
    })),
  };
  const store = createMemoryStore(collectionsOf(createContentModel(content)));
  const { made, ...cost } = await measure(() => createSite({ content, store }));
  await made.close();
  return cost;
}

async function openEngine(count: number): Promise<Cost> {
  const descriptor: NamespaceDescriptor = {
    namespace: 'plain/v1',
    routes: Array.from({ length: count }, (_each, number) => ({
      pattern: `/plain/v1/route${number}/(?P<id>[\\d]+)`,
      endpoints: [
        {
          methods: ['GET'],
          handler: `read${number}`,
          permission: 'public',
          args: {
            id: { type: 'integer' },
            context: { type: 'string', enum: ['view', 'edit'], default: 'view' },
          },
        },
      ],
    })),
  };
  const handlers = Object.fromEntries(
    Array.from({ length: count }, (_each, number) => [`read${number}`, () => number]),
  );
  const { made, ...cost } = await measure(() =>
    createEngine({ namespaces: [toNamespace(descriptor, handlers)] }),
  );
  return made === undefined ? { cpu: NaN, memory: NaN } : cost;
}

const subtract = (one: Cost, other: Cost): Cost => ({
  cpu: one.cpu - other.cpu,
  memory: one.memory - other.memory,
});

const rounds: { readonly types: Cost; readonly routes: Cost }[] = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const types = subtract(await openSite(TYPES), await openSite(1));
  const routes = subtract(await openEngine(TYPES * ENDPOINTS_OF_TYPE), await openEngine(1));
  // The first round warms up the compiler.
  if (round > 0) rounds.push({ types, routes });
}
const middle = (pick: (round: (typeof rounds)[number]) => number): number => toMedian(rounds.map(pick));
const [cpu, plain] = [middle(({ types }) => types.cpu), middle(({ routes }) => routes.cpu)];
console.log(
  `${TYPES} types: ${cpu.toFixed(0)} ms, ${(middle(({ types }) => types.memory) / TYPES).toFixed(1)} kB each`,
);
console.log(
  `${TYPES * ENDPOINTS_OF_TYPE} plain endpoints: ${plain.toFixed(0)} ms, ${(middle(({ routes }) => routes.memory) / TYPES).toFixed(1)} kB for ${ENDPOINTS_OF_TYPE}`,
);
console.log(`an endpoint of a type costs ${(cpu / plain).toFixed(2)} times a plain one`);
