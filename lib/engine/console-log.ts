import { describe as describeValue } from '../core/check-options.ts';
import { isObject } from '../core/objects.ts';
import type { LogEvent } from '../dispatch/runtime.ts';

/** The lines of a stack: `at read (/app/notes.js:3:9)`. */
export function framesOf({ stack = '' }: Error): readonly string[] {
  return (stack.match(/^ +at .*$/gm) ?? []).map((frame) => frame.trim());
}

const FOLDERS = ['lib', 'registry', 'adapters'] as const;

/** The directories of this package, by the path of this file as stacks show it. Some runtimes show none; then no frame is known as its own. */
function findOwnPlaces(): readonly string[] {
  const [here = ''] = framesOf(new Error('here'));
  const start = here.search(/file:\/\/|\/|[A-Za-z]:\\/);
  const end = Math.max(
    ...FOLDERS.flatMap((folder) => [here.lastIndexOf(`/${folder}/`), here.lastIndexOf(`\\${folder}\\`)]),
  );
  return start === -1 || end < start ? [] : FOLDERS.map((folder) => here.slice(start, end + 1) + folder);
}

const OWN = findOwnPlaces();

const isOwn = (frame: string): boolean =>
  OWN.some((place) => frame.includes(`${place}/`) || frame.includes(`${place}\\`));
/** Whether the frame names a file that is not a part of Node. */
const isInFile = (frame: string): boolean => /(?:file:\/\/|[(\s]\/|[A-Za-z]:\\)/.test(frame);

/**
 * The frames of an error that an author can act on. Those by which the engine came to a handler say nothing, so they are left out,
 * and what is below the last of the author's. The frames of an error that this package itself has thrown all stay.
 */
export function authorFrames(error: Error): readonly string[] {
  const frames = framesOf(error);
  const thrown = frames.find(isInFile);
  if (thrown === undefined || isOwn(thrown)) return frames;
  const last = frames.findLastIndex((frame) => isInFile(frame) && !isOwn(frame));
  return frames.slice(0, last + 1).filter((frame) => !isOwn(frame));
}

const SECOND_MS = 1000;
/** Longest line, in characters. A message may contain an address that a caller chose. */
const LINE_LENGTH = 4000;
const BREAKS = /[\p{Cc}\u2028\u2029]+\s*/gu;

/** A kind of failure that was logged less than a second ago. */
interface Recent {
  /** Number of further events of this kind. */
  count: number;
  last: LogEvent;
}

interface LogOptions {
  readonly write: (line: string) => void;
  /** Interval in which each kind is logged at most once. */
  readonly everyMs?: number;
  /** Default: text. */
  readonly format?: () => LogFormat;
}

function codeOf(error: Error): string {
  return 'code' in error ? ` ${String(error.code)}` : '';
}

/** Failures are of the same kind if they have the same name and code and come from the same place. */
function kindOf({ level, message, error }: LogEvent): string {
  return error instanceof Error
    ? `${level} ${error.name}${codeOf(error)} ${framesOf(error)[0] ?? ''}`
    : `${level} ${message}`;
}

/** Anything may be thrown. Of an object only its message is shown, because the rest may be secret. */
function describeOther(value: unknown): string {
  const message = isObject(value) ? value['message'] : undefined;
  return `${describeValue(value)}${typeof message === 'string' ? ` with the message ${JSON.stringify(message)}` : ''}, which is not an Error`;
}

/** The messages from the error to its first cause, and the frames of that cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return describeOther(error);
  const text = `${error.name}${codeOf(error)}: ${error.message}`;
  return error.cause === undefined
    ? [text, ...authorFrames(error)].join(' < ')
    : `${text}; caused by ${describe(error.cause)}`;
}

/** How lines are written: for people, or as one JSON object each. */
export type LogFormat = 'text' | 'json';

/** The line as an object: `time`, `level`, `message`, and where there is one `error`, `requestId` and `count`. */
function toJsonLine({ level, message, error, requestId }: LogEvent, count: number): string {
  return JSON.stringify({
    time: new Date(),
    level,
    message: message.slice(0, LINE_LENGTH),
    ...(error === undefined ? {} : { error: describe(error).replaceAll(BREAKS, ' ').slice(0, LINE_LENGTH) }),
    ...(typeof requestId === 'string' ? { requestId } : {}),
    ...(count === 1 ? {} : { count }),
  });
}

function toLine({ level, message, error, requestId }: LogEvent, count: number): string {
  const text = error === undefined ? message : `${message}: ${describe(error)}`;
  const times = count === 1 ? '' : ` (${count} times)`;
  const id = typeof requestId === 'string' ? ` [${requestId}]` : '';
  return `${level}${times}${id}: ${text}`.replaceAll(BREAKS, ' ').slice(0, LINE_LENGTH);
}

/**
 * Creates a log that writes at most one line per kind of failure and second, so that an outage does not fill the disk. The first
 * event is written at once. Further events within the second are counted and written as one line when it has passed.
 */
export function createLineLog({
  write,
  everyMs = SECOND_MS,
  format = () => 'text',
}: LogOptions): (event: LogEvent) => void {
  const toText = (event: LogEvent, count: number): string =>
    format() === 'json' ? toJsonLine(event, count) : toLine(event, count);
  const kinds = new Map<string, Recent>();
  const rest = (kind: string): void => {
    setTimeout(tell, everyMs, kind).unref();
  };
  const tell = (kind: string): void => {
    const recent = kinds.get(kind);
    if (recent === undefined || recent.count === 0) {
      kinds.delete(kind);
      return;
    }
    write(toText(recent.last, recent.count));
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
    write(toText(event, 1));
    rest(kind);
  };
}

let consoleFormat: LogFormat = 'text';

/** Sets how this process writes its log to standard error. */
export function setConsoleFormat(format: LogFormat): void {
  consoleFormat = format;
}

/** How this process writes its log to standard error. */
export const consoleFormatOf = (): LogFormat => consoleFormat;

/** The default log: standard error. */
export const logToConsole = createLineLog({ write: (line) => console.error(line), format: consoleFormatOf });
