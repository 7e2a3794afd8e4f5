import { readFile } from 'node:fs/promises';
import type { Corpus } from './corpus.ts';
import { runLoad, runOnce } from './load/run-load.ts';
import { measureDispatch } from './measures/dispatch.ts';
import { measureOwnType } from './measures/own-type.ts';
import { measureRoutes } from './measures/routes.ts';
import { fillFile, measureFile, measureMemory } from './measures/stores.ts';
import { fillTurnFile, serveTurns, startTurns, stopTurns } from './measures/turns.ts';
import { openSockets, pour, saturate } from './overload/generator.ts';
import { readBack } from './overload/read-back.ts';
import { PEERS, type PeerName } from './peers/peers.ts';

export interface ServeOrder {
  readonly peer: PeerName;
  readonly corpusFile: string;
  readonly etag: boolean;
}

/** Resources that a process has used so far. */
export interface Usage {
  /** Processor time of all threads, user and system, in microseconds. */
  readonly cpu: number;
  /** Resident memory in bytes. */
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

/** The tasks of a benchmark process. Arguments and results are plain JSON. */
export const TASKS = {
  serve,
  usage: readUsage,
  load: runLoad,
  once: runOnce,
  dispatch: measureDispatch,
  routes: measureRoutes,
  ownType: measureOwnType,
  memory: measureMemory,
  fillFile,
  file: measureFile,
  fillTurnFile,
  serveTurns,
  startTurns,
  stopTurns,
  sockets: openSockets,
  saturate,
  pour,
  readBack,
} as const;

export type Tasks = typeof TASKS;
export type TaskName = keyof Tasks;

export function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(TASKS, name);
}
