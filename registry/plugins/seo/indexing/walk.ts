import { pause } from '../../../plugin.ts';

/** An object as seen by a walk. `at`: its ascending position in the walk. */
export interface WalkedRecord {
  readonly at: number;
  readonly stale: boolean;
}

/** `list` returns the next objects after a position, in order; an empty list at the end. */
interface Walk<C extends WalkedRecord> {
  readonly list: (behind: number) => Promise<readonly C[]>;
  /** Maximum number of stale objects in one batch. */
  readonly limit: number;
}

/** `cursor`: where the next batch continues; 0 at the end. `passed`: number of objects that this batch went through, including fresh ones. */
interface Batch<C> {
  readonly stale: readonly C[];
  readonly cursor: number;
  readonly passed: number;
  readonly left: boolean;
}

/**
 * Collects the next stale objects after the cursor. It reads one more than the batch holds, so `left` is exact.
 * The cursor only grows, so a client that follows it reaches the end even while objects change.
 */
export async function takeBatch<C extends WalkedRecord>(
  { list, limit }: Walk<C>,
  cursor: number,
): Promise<Batch<C>> {
  const stale: C[] = [];
  let passed = 0;
  for (let at = cursor; ; await pause()) {
    const page = await list(at);
    if (page.length === 0) return { stale, cursor: 0, passed, left: false };
    for (const candidate of page) {
      if (candidate.stale && stale.length === limit) return { stale, cursor: at, passed, left: true };
      if (candidate.stale) stale.push(candidate);
      at = candidate.at;
      passed += 1;
    }
  }
}
