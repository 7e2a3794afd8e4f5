// Measures routebook and its peers: `npm run bench -- [options]`; `npm run bench -- --help` explains them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeOptions } from '../../adapters/cli.ts';
import { makeFolder, removeFolder } from '../support/temporary.ts';
import { readTicks, stolenSince } from './calm.ts';
import { startChild } from './children.ts';
import { createCorpus } from './corpus.ts';
import { runWorkload, Servers, type HttpResult } from './http-run.ts';
import { MEASURES, type Measured } from './measures.ts';
import { BENCH_OPTIONS, readBenchOptions, type BenchOptions } from './options.ts';
import { describeResults } from './report.ts';
import type { Results } from './targets.ts';
import { WORKLOADS } from './workloads.ts';

const NAMES = [...WORKLOADS.map(({ name }) => name), ...Object.keys(MEASURES)];

async function runHttp(
  corpusFile: string,
  options: BenchOptions,
  isWanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, HttpResult>> {
  const results = new Map<string, HttpResult>();
  const servers = new Servers(corpusFile);
  const load = startChild(1);
  try {
    for (const workload of WORKLOADS.filter(({ name }) => isWanted(name))) {
      console.error(`${workload.name} …`);
      results.set(workload.name, await runWorkload(servers, { load, workload, options }));
    }
  } finally {
    await servers.close();
    await load.stop();
  }
  return results;
}

async function runAll(options: BenchOptions): Promise<Results> {
  const isWanted = (name: string): boolean => options.only.length === 0 || options.only.includes(name);
  const folder = makeFolder();
  const corpusFile = join(folder, 'corpus.json');
  try {
    await writeFile(corpusFile, JSON.stringify(await createCorpus(options.posts)));
    const http = await runHttp(corpusFile, options, isWanted);
    const measured: Measured[] = [];
    for (const [name, measure] of Object.entries(MEASURES).filter(([each]) => isWanted(each))) {
      console.error(`${name} …`);
      measured.push(await measure({ corpusFile, options }));
    }
    return { http, measured: Object.assign({}, ...measured) as Measured };
  } finally {
    removeFolder(folder);
  }
}

async function main(args: readonly string[]): Promise<void> {
  const options = readBenchOptions(args);
  const unknown = options.only.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`--only: unknown: ${unknown.join(', ')}. Names: ${NAMES.join(', ')}`);
  if (options.help) {
    console.log(`npm run bench -- [options]\n\n${describeOptions(BENCH_OPTIONS)}`);
    return;
  }
  if (options.list) {
    console.log(NAMES.join('\n'));
    return;
  }
  const before = readTicks();
  const results = await runAll(options);
  const text = describeResults(results, { options, date: new Date(), stolen: stolenSince(before) });
  console.log(text);
  if (options.write !== null) await writeFile(options.write, text);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
