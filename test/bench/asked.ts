import type { Random } from '../support/random.ts';

/** One request of a workload. `check` returns what is wrong with the body; null when it is correct. */
export interface Asked {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS';
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Expected status. Default 200. */
  readonly expect?: number;
  readonly check?: (body: string) => string | null;
}

/** Data that the requests are made from. */
export interface Surroundings {
  readonly posts: number;
  readonly random: Random;
  /** ETag of the first post as this peer computes it; '' when the workload does not need it. */
  readonly etag: string;
}
