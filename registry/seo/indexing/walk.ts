import { pause } from '../../../lib/core/pause.ts';

/** One object as a walk sees it. `at`: its place in the walk, growing. */
export interface Candidate {
  readonly at: number;
  readonly stale: boolean;
}

/** `list`: the next objects behind a place, in order; none at the end. */
export interface Walk<C extends Candidate> {
  readonly list: (behind: number) => Promise<readonly C[]>;
  /** Stale objects of one batch at most. */
  readonly limit: number;
}

/** `cursor`: where the next batch goes on; 0 at the end. `passed`: objects left behind by this batch, fresh ones too. */
export interface Batch<C> {
  readonly stale: readonly C[];
  readonly cursor: number;
  readonly passed: number;
  readonly left: boolean;
}

/**
 * Collects the next stale objects behind the cursor. It looks one further than the batch holds, so `left` is exact;
 * the cursor only grows, so a client that follows it comes to the end even while objects change.
 */
export async function takeBatch<C extends Candidate>({ list, limit }: Walk<C>, cursor: number): Promise<Batch<C>> {
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
