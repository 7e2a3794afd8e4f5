import type { LogEvent } from '../dispatch/runtime.ts';

const SECOND_MS = 1000;
/** Longest line. A message may repeat an address that a caller chose. */
const LINE_LENGTH = 4000;
const BREAKS = /[\p{Cc}\u2028\u2029]+\s*/gu;

/** A kind of failure that was written less than a second ago. */
interface Recent {
  /** Events of this kind since then. */
  count: number;
  last: LogEvent;
}

interface LogOptions {
  readonly write: (line: string) => void;
  /** Each kind is written once in this time. */
  readonly everyMs?: number;
}

function framesOf(error: Error): readonly string[] {
  return (error.stack?.match(/^ +at .*$/gm) ?? []).map((frame) => frame.trim());
}

function codeOf(error: Error): string {
  return 'code' in error ? ` ${String(error.code)}` : '';
}

/** Failures are of one kind when they have the same name and code and come from the same place. */
function kindOf({ level, message, error }: LogEvent): string {
  return error instanceof Error ? `${level} ${error.name}${codeOf(error)} ${framesOf(error)[0] ?? ''}` : `${level} ${message}`;
}

/** Messages from the error to its first cause, and where that one comes from. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = `${error.name}${codeOf(error)}: ${error.message}`;
  return error.cause === undefined ? [text, ...framesOf(error)].join(' < ') : `${text}; caused by ${describe(error.cause)}`;
}

function toLine({ level, message, error }: LogEvent, count: number): string {
  const text = error === undefined ? message : `${message}: ${describe(error)}`;
  const times = count === 1 ? '' : ` (${count} times)`;
  return `${level}${times}: ${text}`.replaceAll(BREAKS, ' ').slice(0, LINE_LENGTH);
}

/**
 * A log of one line for each kind of failure and second, so that an outage does not fill the disk. The first is
 * written at once. Those that follow within a second are counted and become one line when it is over.
 */
export function createLineLog({ write, everyMs = SECOND_MS }: LogOptions): (event: LogEvent) => void {
  const kinds = new Map<string, Recent>();
  const rest = (kind: string): void => { setTimeout(tell, everyMs, kind).unref(); };
  const tell = (kind: string): void => {
    const recent = kinds.get(kind);
    if (recent === undefined || recent.count === 0) { kinds.delete(kind); return; }
    write(toLine(recent.last, recent.count));
    recent.count = 0;
    rest(kind);
  };
  return (event) => {
    const kind = kindOf(event);
    const recent = kinds.get(kind);
    if (recent !== undefined) {
      recent.count += 1;
      recent.last = event;
      return;
    }
    kinds.set(kind, { count: 0, last: event });
    write(toLine(event, 1));
    rest(kind);
  };
}

/** Where failures are written when the host takes no log of its own: standard error. */
export const logToConsole = createLineLog({ write: (line) => console.error(line) });
