import { type CliOptions, describeOptions, readOptions, toCount } from '../../../adapters/cli.ts';
import { createMemoryStore } from '../../../adapters/memory-store.ts';
import { RestError } from '../../../lib/core/errors.ts';
import { parseBody } from '../../../lib/http/body.ts';
import { replaceGroups } from '../../../lib/route/pattern.ts';
import { collections, createSite, loadFixture, type Site } from '../../../registry/index.ts';
import { toMedian } from '../median.ts';
import { PLAIN_JSON, type Shape, SHAPES, shapesOf } from './shapes.ts';

// Cost of a 1 MiB body of an anonymous caller, relative to only parsing JSON of that size: `npm run build && node dist/test/bench/large-bodies/run.js`.
const OPTIONS = {
  rounds: {
    value: 'N',
    default: '15',
    help: 'Runs of each shape, alternating with parsing JSON; the median counts.',
  },
  only: { value: 'TEXT', help: 'Only shapes whose name contains TEXT.' },
  routes: { help: 'Test every parameter of every route instead, each in seven shapes.' },
  help: { help: 'Show this.' },
} as const satisfies CliOptions;

/** Maximum relative cost of a shape. */
const MOST = 1.5;
const TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const;

interface Figures {
  readonly shape: Shape;
  readonly status: number;
  /** Processor time in milliseconds. */
  readonly cost: number;
  /** Ratio to the parsing that it is compared with. */
  readonly ratio: number;
}

/** Processor time of all threads of the process, in milliseconds. */
async function timeCpu(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Processes the bytes of a received body. @returns the status of the response */
async function send({ engine }: Site, { path, type, method }: Shape, bytes: Uint8Array): Promise<number> {
  const headers = { 'content-type': TYPES[type] };
  const request = {
    path,
    method: 'POST',
    query: method === 'POST' ? '' : `_method=${method}`,
    language: 'en',
    siteUrl: 'http://bench.test',
    headers,
    address: '',
  };
  try {
    return (await engine.serve({ ...request, body: parseBody(bytes, headers['content-type']) })).status;
  } catch (error) {
    if (error instanceof RestError) return engine.refuse(error, request).status;
    throw error;
  }
}

/** A body that takes longer to parse than the usual one is compared with its own parsing. */
function parse(bytes: Uint8Array): void {
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
}

/** Each run is compared with parsing at the same time, because the speed of a shared machine keeps changing. The median counts. */
async function measure(site: Site, shape: Shape, rounds: number): Promise<Figures> {
  const [bytes, plain] = [Buffer.from(shape.body), Buffer.from(PLAIN_JSON)];
  const own = shape.type === 'json' && isJson(shape.body) ? bytes : plain;
  const [costs, ratios]: [number[], number[]] = [[], []];
  let status = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = Math.max(await timeCpu(() => parse(plain)), await timeCpu(() => parse(own)));
    const cost = await timeCpu(async () => {
      status = await send(site, shape, bytes);
    });
    const after = Math.max(await timeCpu(() => parse(plain)), await timeCpu(() => parse(own)));
    costs.push(cost);
    ratios.push(cost / ((before + after) / 2));
  }
  return { shape, status, cost: toMedian(costs), ratio: toMedian(ratios) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // broken on purpose
  }
}

/** Values for path groups. */
const PATH_VALUES = ['101', 'a', 'en', 'post', 'a'.repeat(32)];

function listRouteShapes({ engine }: Site): readonly Shape[] {
  return engine.routes.flatMap(({ pattern, descriptor }) => {
    const path = replaceGroups(
      pattern,
      ({ expression }) => PATH_VALUES.find((value) => new RegExp(`^(?:${expression})$`).test(value)) ?? '101',
    );
    return descriptor.endpoints.flatMap(({ methods: [method = 'GET'], args, body }) =>
      Object.keys({ ...args, ...body }).flatMap((param) => shapesOf({ path, method }, param)),
    );
  });
}

function describe({ shape, status, cost, ratio }: Figures): string {
  return `| ${shape.name} | ${shape.type} | ${(Buffer.byteLength(shape.body) / 1024).toFixed(0)} | ${status} | ${cost.toFixed(1)} | ${ratio.toFixed(2)} |`;
}

async function main(args: readonly string[]): Promise<void> {
  const { help, routes, only = '', ...counts } = readOptions(OPTIONS, args);
  if (help) {
    console.log(`node dist/test/bench/large-bodies/run.js [options]\n\n${describeOptions(OPTIONS)}`);
    return;
  }
  const rounds = toCount('rounds', counts.rounds, { least: 1, most: 100 });
  const store = createMemoryStore(collections);
  await loadFixture(store, { site: { name: 'Bench', timezone_string: 'UTC' } });
  const site = await createSite({ store, log: () => undefined });
  console.log('| Body | Type | KiB | Status | Processor, ms | To parsing |\n|---|---|---|---|---|---|');
  let failed = 0;
  for (const shape of (routes ? listRouteShapes(site) : SHAPES).filter(({ name }) => name.includes(only))) {
    // A few rounds identify the cheap shapes. Other shapes may look expensive because of load on the machine, and are measured again.
    const quick = await measure(site, shape, Math.min(rounds, 3));
    const figures = quick.ratio > 1 ? await measure(site, shape, rounds) : quick;
    const isDear = figures.ratio > MOST;
    if (isDear) failed += 1;
    if (isDear || !routes) console.log(describe(figures));
  }
  await site.close();
  await store.close();
  console.log(
    failed === 0
      ? `\nNone costs more than ${MOST} times the parsing.`
      : `\n${failed} cost more than ${MOST} times the parsing.`,
  );
  if (failed > 0) process.exitCode = 1;
}

await main(process.argv.slice(2));
