import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { remember } from '../lib/core/memo.ts';
import type { MadePicture, PictureResult, Pictures, PictureWork } from '../registry/core/host/ports.ts';
import type { DrawMessage, DrawTask, Size } from './pictures/draw.ts';
import { createOwnerQueue } from './pictures/owner-queue.ts';

/** Options of `createPictures`. The limits hold for a source and for everything that is made of it. */
export interface PicturesOptions {
  /** Most pixels of a picture, also between two steps. A picture with more is refused before its pixels are decoded. Default 64 million. */
  readonly maxPixels?: number;
  /** Most memory of a process that makes pictures, in bytes. Default 1.5 GiB. */
  readonly maxMemory?: number;
  /** Longest time for the pictures of one source, in milliseconds. Default 20 seconds. */
  readonly timeoutMs?: number;
}

const LIMITS: Required<PicturesOptions> = {
  maxPixels: 64_000_000,
  maxMemory: 1.5 * 1024 ** 3,
  timeoutMs: 20_000,
};
/** Processes at the same time, each for another user. */
const AT_ONCE = 2;
const PROGRAM = fileURLToPath(new URL('./pictures/draw.js', import.meta.url));

/** What a process has said until it ended. */
interface Said {
  types?: readonly string[];
  refused?: string;
  size?: Size;
  readonly made: MadePicture[];
  failure?: unknown;
  done?: true;
}

/** Runs the program of `draw.ts` in a process of its own, which has ended when this is settled. @throws AbortError */
function runProgram(
  task: DrawTask | null,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<Said> {
  return new Promise((resolve, reject) => {
    const said: Said = { made: [] };
    // The process must not inherit options of the program's start, such as --inspect.
    const child = fork(PROGRAM, [], {
      execArgv: [],
      serialization: 'advanced',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(signal === undefined ? {} : { signal }),
    });
    const end = (): void => void child.kill('SIGKILL');
    child.on('message', ({ made, ...message }: DrawMessage) => {
      if (made !== undefined) said.made.push(made);
      Object.assign(said, message);
      if (message.done) end();
    });
    child.once('error', reject);
    child.once('exit', () => resolve(said));
    child.send({ task }, (error) => {
      if (error !== null) end();
    });
  });
}

async function loadTypes(timeoutMs: number): Promise<readonly string[]> {
  const said = await runProgram(null, { timeoutMs });
  if (said.types === undefined) throw said.failure ?? new Error('the process that makes pictures ended');
  return said.types;
}

/** What sharp can make, asked once for all sites of this process that allow the same time. */
const known = new Map<string, Promise<readonly string[]>>();

/** @throws TypeError */
function checkLimits(limits: Required<PicturesOptions>): void {
  for (const [name, value] of Object.entries(limits) as readonly (readonly [string, unknown])[]) {
    if (!Number.isSafeInteger(value) || (value as number) < 1)
      throw new TypeError(
        `${name} of createPictures is ${String(value)}; it must be a whole number of 1 or more`,
      );
  }
}

/**
 * Makes pictures with the package `sharp`, which the host installs; without it, there are no types. Each source is decoded once, in a process
 * of its own, which is ended when it takes more time or memory than the limits allow. Users take turns. Of an animation, the first frame is used.
 */
export function createPictures(options: PicturesOptions = {}): Pictures {
  const limits = { ...LIMITS, ...options };
  checkLimits(limits);
  const { maxMemory, timeoutMs } = limits;
  const inTurn = createOwnerQueue(AT_ONCE);
  const make = async ({
    source,
    type,
    wanted,
    signal,
    maxPixels = limits.maxPixels,
  }: PictureWork): Promise<PictureResult> => {
    signal?.throwIfAborted();
    const said = await runProgram(
      { source: await source(), type, wanted, maxPixels: Math.min(maxPixels, limits.maxPixels), maxMemory },
      { timeoutMs, signal },
    );
    const { refused, size, made, done } = said;
    if (refused !== undefined || (!done && made.length === 0))
      return { refused: refused ?? 'The picture takes more time or memory than is allowed.' };
    const failure = done
      ? said.failure
      : new Error(`making the pictures took more than ${timeoutMs} ms or ${maxMemory} bytes`);
    if (size === undefined) throw failure;
    return { ...size, made, failure };
  };
  return {
    types: () => remember(known, String(timeoutMs), () => loadTypes(timeoutMs)),
    make: (work) => inTurn(work.owner, () => make(work)),
  };
}
