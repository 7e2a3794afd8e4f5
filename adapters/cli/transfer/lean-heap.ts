import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

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
