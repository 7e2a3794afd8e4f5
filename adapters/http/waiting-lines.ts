import type { Host } from '../../lib/http/host.ts';
import { isRead } from '../../lib/http/request.ts';
import type { LoadShedder } from './load-shedder.ts';
import { WaitingLine } from './waiting-line.ts';

type Kind = 'read' | 'write';

/** Reads and writes wait in separate lines, because a store that cannot take more changes may still be readable. */
export type Lines = Readonly<Record<Kind, WaitingLine>>;

/** How many requests may be in flight while the store is busy: enough to keep it busy, few enough to be answered soon. */
const ROOM: Readonly<Record<Kind, number>> = { read: 16, write: 8 };

export function createLines(loadShedder: LoadShedder, host: Host): Lines {
  const open = (kind: Kind): WaitingLine =>
    new WaitingLine(
      () => !loadShedder.isFull && (loadShedder.by[kind] < ROOM[kind] || host.isBusy?.(kind) !== true),
    );
  return { read: open('read'), write: open('write') };
}

export function toKind(method: string | undefined): Kind {
  return isRead(method ?? '') ? 'read' : 'write';
}
