import type { Store } from '../../lib/store.ts';
import type { Ports } from '../ports.ts';
import type { ReadSettings } from '../site/settings.ts';

/** What the functions of this namespace share. */
export interface PostContext {
  readonly store: Store;
  readonly now: Ports['now'];
  readonly settings: ReadSettings;
  /** Values of `ml_language`. */
  readonly languages: readonly string[];
}
