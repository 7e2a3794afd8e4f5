import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { CALM } from './calm.ts';
import { CAN_PIN } from './children.ts';
import type { BenchOptions } from './options.ts';
import { isMet, TARGETS, type Results } from './targets.ts';
import { WORKLOADS } from './workloads.ts';

interface Table {
  readonly title: string;
  readonly note?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const PACKAGES = ['fastify', 'hono', '@hono/node-server', 'express', 'zod', 'ajv', 'find-my-way', 'libsql'];

function toText(value: number): string {
  if (Number.isNaN(value)) return '';
  return value >= 1000
    ? Math.round(value).toLocaleString('en')
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2);
}

function toMegabytes(bytes: number): string {
  return toText(bytes / 1e6);
}

function versionOf(name: string): string {
  return (
    JSON.parse(
      readFileSync(new URL(`../../../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
    ) as { version: string }
  ).version;
}

function toTargets(results: Results): Table {
  const rows = TARGETS.flatMap((target) => {
    const seen = target.see(results);
    if (seen === null) return [];
    const { byClock, byCpu } = seen;
    return [
      [
        target.about,
        `at ${target.at} ${target.limit}`,
        toText(byClock),
        byCpu === null ? '' : toText(byCpu),
        isMet(target, seen) ? 'met' : '**missed**',
      ],
    ];
  });
  return {
    title: 'Targets',
    note: 'Ratios of one run. By clock: requests per second. By CPU: processor time of the server per request. The CPU figure decides when there is one, because other programs on the machine do not affect it.',
    head: ['', 'wanted', 'by clock', 'by CPU', ''],
    rows,
  };
}

function toHttp({ http }: Results): readonly Table[] {
  return WORKLOADS.flatMap(({ name, about }): Table[] => {
    const result = http.get(name);
    if (result === undefined) return [];
    const own = result.get('routebook') ?? result.get('routebook alone');
    const rows = [...result].map(([peer, { rate, cpu }]) => [
      peer,
      toText(rate),
      toText(cpu),
      own === undefined ? '' : toText(own.rate / rate),
      own === undefined ? '' : toText(cpu / own.cpu),
    ]);
    return [
      {
        title: `${name}: ${about}`,
        head: ['', 'requests/s', 'CPU µs', 'routebook is × faster', '× by CPU'],
        rows,
      },
    ];
  });
}

function toDispatch({ measured: { dispatch } }: Results): readonly Table[] {
  if (dispatch === undefined) return [];
  return [
    {
      title: 'In the process, without a socket',
      head: ['', 'CPU µs', 'µs'],
      rows: Object.entries(dispatch).map(([name, { cpu, wall }]) => [name, toText(cpu), toText(wall)]),
    },
  ];
}

const UNREAD_NOTE =
  'Each round has a new server, which has answered another request for three seconds. The first reads run code that V8 has not optimised yet; the second half of them runs optimised code.';

function toUnread({ measured: { unread } }: Results): readonly Table[] {
  if (unread === undefined) return [];
  return [
    {
      title: 'The first read of each post, one after the other',
      note: UNREAD_NOTE,
      head: ['', 'CPU µs', 'second half'],
      rows: [...unread].map(([name, { all, later }]) => [name, toText(all), toText(later)]),
    },
  ];
}

function toImports({ measured: { imports } }: Results): readonly Table[] {
  if (imports === undefined) return [];
  return [
    {
      title: 'A process that only imports',
      head: ['', 'CPU ms', 'resident MB'],
      rows: [...imports].map(([name, { cpu, resident }]) => [name, toText(cpu), toMegabytes(resident)]),
    },
  ];
}

function toStartUp({ measured: { startUp } }: Results): readonly Table[] {
  return startUp === undefined
    ? []
    : [
        {
          title: 'From the start of the process until it listens',
          head: ['', 'ms'],
          rows: [...startUp].map(([name, time]) => [name, toText(time)]),
        },
      ];
}

function toRoutes({ measured: { routes } }: Results): readonly Table[] {
  if (routes === undefined) return [];
  const rows = [...routes].map(([count, { lookup, registration, heap, resident }]) => [
    toText(count),
    toText(lookup),
    toText(registration),
    toText(heap / 1000),
    toText(resident / 1000),
  ]);
  return [
    {
      title: 'Many routes',
      note: 'Each route has two endpoints with the same four parameters. Routes are looked up in random order.',
      head: ['routes', 'lookup, µs', 'registration, ms', 'heap, KB a route', 'resident, KB a route'],
      rows,
    },
  ];
}

function toTypes({ measured: { types } }: Results): readonly Table[] {
  if (types === undefined) return [];
  const reads = Object.entries(types.reads).map(([name, { posts, own }]) => [
    name,
    toText(posts),
    toText(own),
    toText(own / posts),
  ]);
  return [
    {
      title: 'Posts and a type of one’s own',
      note: 'Calls within the process, in turns, in CPU µs. The type has everything that posts have.',
      head: ['', 'posts', 'the type', 'ratio'],
      rows: reads,
    },
    {
      title: 'Sites with many content types',
      note: 'Each has the same fields and one meta key. Processor time of `createSite`; the site with 1,000 is the first of its process, so that nothing is compiled yet.',
      head: ['types', 'ms'],
      rows: Object.entries(types.starts).map(([count, time]) => [toText(Number(count)), toText(time)]),
    },
  ];
}

function toStores({ measured }: Results): readonly Table[] {
  return (['memory', 'sqlite'] as const).flatMap((kind): Table[] => {
    const sizes = measured[kind];
    if (sizes === undefined) return [];
    const all = [...sizes.values()];
    const reads = Object.keys(all[0]?.reads ?? {});
    const toGrowth = (values: readonly number[]): string =>
      toText((values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN));
    const line = (name: string, values: readonly number[]): readonly string[] => [
      name,
      ...values.map(toText),
      toGrowth(values),
    ];
    return [
      {
        title: kind === 'memory' ? 'Posts in memory' : 'Posts in an SQLite file',
        note: `Within the process, without a cache. Lists include their total, which the first list after the start counts.${kind === 'memory' ? ' Node runs with `--max-semi-space-size=64`, as stores.md recommends.' : ''}`,
        head: ['posts', ...[...sizes.keys()].map(toText), 'growth'],
        rows: [
          ...reads.map((name) =>
            line(
              `${name}, CPU µs`,
              all.map((each) => each.reads[name] ?? Number.NaN),
            ),
          ),
          line(
            'first list, ms',
            all.map(({ first }) => first),
          ),
          line(
            'new post, one after the other, ms',
            all.map(({ create }) => create),
          ),
          line(
            kind === 'memory' ? 'fill and open, ms' : 'open, ms',
            all.map(({ open }) => open),
          ),
          [`resident, MB`, ...all.map(({ resident }) => toMegabytes(resident)), ''],
        ],
      },
    ];
  });
}

/** Of each group of kinds, those with the longest turns are shown by name. */
const SHOWN_KINDS = 5;

function toTurns({ measured: { turns } }: Results): readonly Table[] {
  if (turns === undefined) return [];
  const stores = [...turns.values()];
  const kinds = [...(stores[0]?.keys() ?? [])];
  const longest = (of: readonly string[]): readonly number[] =>
    stores.map((figures) => Math.max(...of.map((kind) => figures.get(kind)?.turn ?? 0)));
  const rows: (readonly string[])[] = [];
  for (const group of new Set(kinds.map((kind) => kind.split(':')[0] ?? ''))) {
    const sorted = kinds
      .filter((kind) => kind.startsWith(`${group}:`))
      .sort((a, b) => Math.max(...longest([b])) - Math.max(...longest([a])));
    for (const kind of sorted.slice(0, SHOWN_KINDS)) rows.push([kind, ...longest([kind]).map(toText)]);
    const others = sorted.slice(SHOWN_KINDS);
    if (others.length > 0)
      rows.push([`${group}: any of ${others.length} other kinds`, ...longest(others).map(toText)]);
  }
  return [
    {
      title: 'Longest turn of the event loop',
      note: 'In milliseconds, during one request of the kind without cached responses. The server runs in a separate process with its default limits; posts have texts of 5 KB on average. The shortest of all rounds counts, by processor time where that is less, because other programs can only make a turn longer.',
      head: ['', ...turns.keys()],
      rows,
    },
  ];
}

function toLines({ title, note, head, rows }: Table): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `## ${title}`,
    '',
    ...(note === undefined ? [] : [note, '']),
    row(head),
    row(head.map((_cell, at) => (at === 0 ? '---' : '---:'))),
    ...rows.map(row),
    '',
  ].join('\n');
}

/** The document: machine, versions, targets, tables. `stolen`: share of the processor time that was stolen, from start to end. */
export function describeResults(
  results: Results,
  { options, date, stolen }: { options: BenchOptions; date: Date; stolen: number },
): string {
  const { seconds, rounds, warmUp, posts, connections } = options;
  const tables = [
    toTargets(results),
    ...toHttp(results),
    ...toDispatch(results),
    ...toUnread(results),
    ...toImports(results),
    ...toStartUp(results),
    ...toRoutes(results),
    ...toTypes(results),
    ...toStores(results),
    ...toTurns(results),
  ];
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench`; `npm run bench -- --help` explains the options.',
    '',
    `- ${date.toISOString().slice(0, 10)}; ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}, ${process.platform}`,
    `- ${PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(', ')}`,
    `- ${toText(posts)} posts whose representation is about 2 KB; ${connections} connections with one request in flight each; medians of ${rounds} runs of ${seconds} s, in turns, after ${warmUp} s of the same load (three times as long where it writes)`,
    `- ${CAN_PIN ? 'the server runs on one core and the load on the other, which never sleeps, so that no server pays for waking it' : 'server and load share the cores: this system cannot pin a process to one'}`,
    `- load average of the machine at the end: ${toText(loadavg()[0] ?? 0)}; if it is much more than 2, other programs were running and the figures are only a rough guide`,
    `- a run during which the host took more than ${CALM * 100} % of the processor time from this machine was repeated; from start to end it took ${toText(stolen * 100)} %`,
    '- the bodies of all peers are compared byte for byte before a workload is measured',
    '',
    'The peers keep finished representations in memory, with an index for each filter, and check the same schemas (Fastify also uses its response schemas; node + stringify does not check anything). ' +
      '“ready buffer” is node:http writing prepared bytes, which is the upper limit. “routebook without cache” creates every response again: permissions, store, rendering, links. Before random reads, every response was requested once, so they measure a site that has been in use for a while; “without cache” shows how long the first reader waits.',
    '',
    ...tables.map(toLines),
  ].join('\n');
}
