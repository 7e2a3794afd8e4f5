import type { Store } from '../../lib/store/store.ts';
import type { Ports } from '../ports.ts';
import type { ReadSettings } from '../site/settings.ts';
import type { ShowPosts } from './show-posts.ts';
import type { ReadTerms } from './terms.ts';

/** What the functions of this namespace share. */
export interface PostBase {
  readonly store: Store;
  readonly now: Ports['now'];
  readonly settings: ReadSettings;
  readonly log: Ports['log'];
}

/** With the terms, the schedule and the kept representations: what handlers of posts need. */
export interface PostContext extends PostBase {
  readonly terms: ReadTerms;
  /** Epoch milliseconds of the next scheduled post; Infinity without one. */
  readonly nextDue: () => number;
  readonly show: ShowPosts;
}
