import {
  type Query,
  findInBatches,
  type Json,
  type Store,
  type StoredRecord,
} from '../../../../lib/index.ts';
import { changeOption, isObject, type Ports, readLock, readOption } from '../../../plugin.ts';

export const SCAN_LOCK = 'secscan.scan';
export const SCAN_LOCK_MS = 60_000;

const NAME = ['secscan', 'scan'] as const;
/** The state before the first scan. Times: seconds since 1970-01-01 UTC, 0 if not set yet. */
const NONE = {
  id: 0,
  /** `stopped`: by request, by the time limit, or with the server. */
  status: 'none' as 'none' | 'running' | 'finished' | 'stopped' | 'failed',
  started: 0,
  ended: 0,
  /** Number of texts to scan, and number of texts that were scanned. */
  total: 0,
  done: 0,
  faults: 0,
  /** When the last complete scan ended. */
  last_finished: 0,
  /** Whether a stop of the scan was requested, possibly in another process. */
  stop_requested: false,
};

export type ScanState = Readonly<typeof NONE>;

function toState(value: Json | undefined): ScanState {
  return isObject(value) ? { ...NONE, ...value } : NONE;
}

/** Changes the stored state and returns the new state. */
export async function changeScanState(
  ports: Pick<Ports, 'store'>,
  change: (state: ScanState) => Partial<ScanState>,
): Promise<ScanState> {
  return toState(
    await changeOption(ports.store, NAME, (value) => {
      const state = toState(value);
      return { ...state, ...change(state) };
    }),
  );
}

/** Like `changeScanState`, but does nothing if another scan has started since. */
export function changeStateOf(
  ports: Pick<Ports, 'store'>,
  id: number,
  change: Partial<ScanState>,
): Promise<ScanState> {
  return changeScanState(ports, (state) => (state.id === id ? change : {}));
}

/** The state of the last scan. A running scan without a lock ended with its process and is shown as stopped. */
export async function readScanState(ports: Pick<Ports, 'store' | 'now'>): Promise<ScanState> {
  const state = toState(await readOption(ports.store, ...NAME));
  return state.status === 'running' && (await readLock(ports, SCAN_LOCK)) === null
    ? { ...state, status: 'stopped' }
    : state;
}

/** Which records to read. */
export type Walk = Pick<Query, 'collection' | 'where' | 'fields'>;

/** Number of records per read: even ten of the largest posts are read in a few milliseconds. */
const PAGE = 10;

/** Reads every matching record in the order of ids, a few at a time. Records that are added meanwhile come last. */
export async function* walkRecords(store: Store, walk: Walk): AsyncGenerator<StoredRecord> {
  for await (const records of findInBatches(store, { ...walk, limit: PAGE })) yield* records;
}
