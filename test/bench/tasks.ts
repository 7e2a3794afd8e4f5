import { readFile } from 'node:fs/promises';
import type { Corpus } from './corpus.ts';
import { runLoad, runOnce } from './load/run-load.ts';
import { PEERS, type PeerName } from './peers/peers.ts';
import { measureDispatch } from './measures/dispatch.ts';
import { measureRoutes } from './measures/routes.ts';
import { fillFile, measureFile, measureMemory } from './measures/stores.ts';
import { fillTurnFile, serveTurns, startTurns, stopTurns } from './measures/turns.ts';
import { openSockets, pour, saturate } from './overload/generator.ts';
import { readBack } from './overload/read-back.ts';

export interface ServeOrder {
  readonly peer: PeerName;
  readonly corpusFile: string;
  readonly etag: boolean;
}

/** What a process has used so far. */
export interface Usage {
  /** Microseconds of processor time, user and system, of all threads. */
  readonly cpu: number;
  /** Bytes. */
  readonly resident: number;
}

async function serve({ peer, corpusFile, etag }: ServeOrder): Promise<number> {
  const corpus = JSON.parse(await readFile(corpusFile, 'utf8')) as Corpus;
  return (await PEERS[peer](corpus, { etag })).port;
}

async function readUsage(_argument: null): Promise<Usage> {
  const { user, system } = process.cpuUsage();
  return { cpu: user + system, resident: process.memoryUsage.rss() };
}

/** What a process of the benchmark can be told to do. Arguments and results are plain JSON. */
export const TASKS = {
  serve, usage: readUsage, load: runLoad, once: runOnce, dispatch: measureDispatch, routes: measureRoutes, memory: measureMemory, fillFile, file: measureFile,
  fillTurnFile, serveTurns, startTurns, stopTurns,
  sockets: openSockets, saturate, pour, readBack,
} as const;

export type Tasks = typeof TASKS;
export type TaskName = keyof Tasks;

export function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(TASKS, name);
}
