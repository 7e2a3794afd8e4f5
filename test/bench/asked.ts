import type { Random } from '../support/random.ts';

/** One request of a work load. `check`: what is wrong with the body; null: nothing. */
export interface Asked {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS';
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Status. Default 200. */
  readonly expect?: number;
  readonly check?: (body: string) => string | null;
}

/** What the requests are made from. */
export interface Surroundings {
  readonly posts: number;
  readonly random: Random;
  /** Of the first post, as this peer writes it; '' where the work load does not ask for it. */
  readonly etag: string;
}
