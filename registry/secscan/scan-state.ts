import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { Ports } from '../ports.ts';
import { isLocked } from '../site/locks.ts';
import { changeOption, readOption } from '../site/options.ts';

/** `stopped`: by request, by the time limit, or with the server. Times: seconds since 1970-01-01 UTC, 0: not yet. */
export interface ScanState {
  readonly id: number;
  readonly status: 'none' | 'running' | 'finished' | 'stopped' | 'failed';
  readonly started: number;
  readonly ended: number;
  /** Texts to look at, and those that were looked at. */
  readonly total: number;
  readonly done: number;
  readonly faults: number;
  /** When a scan last came to its end. */
  readonly last_finished: number;
  /** Somebody asked for the end of the scan, perhaps in another process. */
  readonly stop_requested: boolean;
}

export const SCAN_LOCK = 'secscan.scan';
export const SCAN_LOCK_MS = 60_000;

const NAME = ['secscan', 'scan'] as const;
const NONE: ScanState = { id: 0, status: 'none', started: 0, ended: 0, total: 0, done: 0, faults: 0, last_finished: 0, stop_requested: false };

function toState(value: Json | undefined): ScanState {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...NONE, ...value } : NONE;
}

/** Changes the stored state and answers it as it is then. */
export async function changeScanState(ports: Pick<Ports, 'store'>, change: (state: ScanState) => Partial<ScanState>): Promise<ScanState> {
  return toState(await changeOption(ports.store, NAME, (value) => {
    const state = toState(value);
    return { ...state, ...change(state) };
  }));
}

/** The same for one scan: nothing changes when another one has been started since. */
export function changeStateOf(ports: Pick<Ports, 'store'>, id: number, change: Partial<ScanState>): Promise<ScanState> {
  return changeScanState(ports, (state) => (state.id === id ? change : {}));
}

/** The state of the last scan. One that claims to run but holds no lock died with its process: it is shown as stopped. */
export async function readScanState(ports: Pick<Ports, 'store' | 'now'>): Promise<ScanState> {
  const state = toState(await readOption(ports.store, ...NAME));
  return state.status === 'running' && !await isLocked(ports, SCAN_LOCK) ? { ...state, status: 'stopped' } : state;
}
