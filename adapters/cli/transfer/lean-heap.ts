import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import cliProgress from 'cli-progress';

/** Shows how far a source was read, on a terminal only. */
interface ProgressBar {
  /** `read`: bytes or records of the source; `stored`: records that are stored. */
  update(read: number, stored: number): void;
  stop(): void;
}

const SILENT: ProgressBar = { update: () => undefined, stop: () => undefined };
const SECOND = 1000;

/** `total`: what `read` will be at the end; 0 if it is not known. */
export function createProgressBar(total: number): ProgressBar {
  if (process.stderr.isTTY !== true || total === 0) return SILENT;
  const started = performance.now();
  const bar = new cliProgress.SingleBar(
    {
      format: '{bar} {percentage}% | {stored} records, {rate}/s | {eta_formatted} left',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0, { stored: 0, rate: 0 });
  return {
    update: (read, stored) =>
      bar.update(Math.min(read, total), {
        stored,
        rate: Math.round((stored * SECOND) / Math.max(performance.now() - started, 1)),
      }),
    stop: () => bar.stop(),
  };
}

const MIB = 1024 * 1024;
/** Garbage that may gather, in bytes, unless the caller says otherwise. */
const MOST_GARBAGE = 32 * MIB;

/** V8's own function, which it hands out only by this flag. */
function openCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/**
 * Returns a function to be called between the steps of a long task. It collects garbage when much has gathered. V8 alone lets the heap grow to
 * several times what is in use, as long as the machine has memory.
 */
export function keepHeapLean(mostGarbage = MOST_GARBAGE): () => void {
  const collect = openCollector();
  // Buffers are outside of the heap, and V8 also lets them gather.
  const used = (): number => {
    const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
    return heap + buffers;
  };
  let most = used() + mostGarbage;
  return () => {
    if (used() < most) return;
    collect();
    most = used() + mostGarbage;
  };
}
