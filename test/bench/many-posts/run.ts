// The scale program: `npm run scale -- --help`. It measures over HTTP how a site with many posts compares with a small one, on the
// embedded store and on PostgreSQL, and prints a table of ratios of one run. Servers run in processes of their own.
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { toCount } from '../../../adapters/cli.ts';
import { dropSchema, findPostgres, nameSchema } from '../../support/postgres.ts';
import { inFolder } from '../../support/temporary.ts';
import { fill, openServer, timeEach, type ScaleServer } from './rig.ts';
import { ROWS, type Rig, type Row } from './rows.ts';

const SMALL = 1000;
const SETTLED_MS = 20;

interface Place {
  readonly url: string | null;
  readonly small: string;
  readonly large: string;
}

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '100000' },
    store: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: '' },
    write: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const toText = (value: number, unit: Row['unit']): string =>
  `${unit === 'x' ? '×' : ''}${value >= 100 ? value.toFixed(0) : value.toPrecision(2)}${unit === 'x' ? '' : ` ${unit}`}`;

function toVerdict(row: Row, rig: Rig, value: number): string {
  const wanted = row.wanted(rig);
  if (wanted === null) return '| |';
  const isMet = wanted.at === 'most' ? value <= wanted.limit : value >= wanted.limit;
  return `at ${wanted.at} ${toText(wanted.limit, row.unit)} | ${isMet ? 'met' : '**missed**'} |`;
}

async function measureRows(rig: Rig): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const row of ROWS.filter(({ name }) => name.includes(values.only))) {
    const value = await row.measure(rig);
    const line = `| ${rig.kind} | ${row.name} | ${toText(value, row.unit)} | ${toVerdict(row, rig, value)}`;
    console.log(line);
    lines.push(line);
  }
  return lines;
}

/** Waits until the index of searches has every post. Then a search that finds nothing takes hardly longer than a list. */
async function settle({ port }: ScaleServer): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    const searches = [1, 2, 3].map((at) => ({ path: `/cms/v2/posts?search=quibblewock${turn}x${at}` }));
    if ((await timeEach(port, searches)) < SETTLED_MS) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
  }
  throw new Error('the index of searches was not complete after 5 minutes');
}

async function measureStore(
  kind: Rig['kind'],
  { url, small, large }: Place,
  posts: number,
): Promise<readonly string[]> {
  const sizes = [
    [small, SMALL],
    [large, posts],
  ] as const;
  const servers: ScaleServer[] = [];
  try {
    for (const [place, count] of sizes) {
      await fill({ url, place }, count);
      const server = await openServer({ url, place }, count);
      servers.push(server);
      await settle(server);
    }
    const [few, many] = servers;
    return few === undefined || many === undefined
      ? []
      : await measureRows({ kind, small: few, large: many });
  } finally {
    for (const server of servers) await server.close();
  }
}

async function measurePostgres(posts: number): Promise<readonly string[]> {
  const database = await findPostgres({ fsync: true });
  if (database === null) return ['', 'PostgreSQL is not available.'];
  const [small, large] = [nameSchema(), nameSchema()];
  try {
    return await measureStore('postgres', { url: database.url, small, large }, posts);
  } finally {
    for (const schema of [small, large]) await dropSchema(database.url, schema);
    await database.control?.remove();
  }
}

if (values.help === true) {
  console.log(
    'Options: --posts N (default 100000), --store sqlite,postgres, --only TEXT (rows whose name has it), --write FILE (a section of Markdown)',
  );
} else {
  const posts = toCount('posts', values.posts, { least: 10_000, most: 10_000_000 });
  const lines: string[] = [];
  if (values.store.includes('sqlite'))
    lines.push(
      ...(await inFolder((folder) =>
        measureStore(
          'sqlite',
          { url: null, small: join(folder, 'small'), large: join(folder, 'large') },
          posts,
        ),
      )),
    );
  if (values.store.includes('postgres')) lines.push(...(await measurePostgres(posts)));
  const head = [
    `${posts.toLocaleString('en')} posts against ${SMALL.toLocaleString('en')}; Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? ''}; load average at the end ${loadavg()[0]?.toFixed(1) ?? ''}.`,
    '',
    '| store | | measured | wanted | |',
    '| --- | --- | ---: | ---: | --- |',
  ];
  if (values.write !== undefined) await writeFile(values.write, `${[...head, ...lines].join('\n')}\n`);
  console.log(head[0]);
}
