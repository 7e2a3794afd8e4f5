import type { Host } from '../lib/host.ts';
import { isRead } from '../lib/request.ts';
import type { Gate } from './gate.ts';
import { WaitingLine } from './waiting-line.ts';

/** In which line a request waits: a store that can take no more changes may still be read. */
export type Lines = Readonly<Record<'read' | 'write', WaitingLine>>;

/** So many may be in flight however busy the store is: each that ends lets the next one in. */
const ALWAYS_ROOM = 4;

export function createLines(gate: Gate, host: Host): Lines {
  const open = (kind: 'read' | 'write'): WaitingLine => new WaitingLine(() => !gate.isFull && (gate.inFlight < ALWAYS_ROOM || host.isBusy?.(kind) !== true));
  return { read: open('read'), write: open('write') };
}

export function lineOf(lines: Lines, method: string | undefined): WaitingLine {
  return isRead(method ?? '') ? lines.read : lines.write;
}
