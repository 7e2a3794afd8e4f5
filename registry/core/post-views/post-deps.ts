import type { Store } from '../../../lib/store/store.ts';
import type { ReadTerms } from '../addresses/load-terms.ts';
import type { PostShortcodes } from '../content/shortcodes/render-post.ts';
import type { Ports } from '../host/ports.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { PlanDeparture } from '../plugin/plugin.ts';
import type { PostKind, PostKinds } from '../records/kind.ts';
import type { ReadSettings } from '../settings/site-settings.ts';
import type { ShowPosts } from './show-posts.ts';

/** What the functions of this namespace share: `store`, `now`, `settings`, `log`. */
export interface PostBase {
  readonly store: Store;
  readonly now: Ports['now'];
  readonly settings: ReadSettings;
  readonly log: Ports['log'];
}

/** Adds what the handlers of posts need: terms, the schedule and cached representations. */
export interface PostDeps extends PostBase {
  readonly terms: ReadTerms;
  /** Epoch milliseconds at which the next scheduled post is due; Infinity if there is none. */
  readonly nextDue: () => number;
  readonly show: ShowPosts;
  /** Every type of the site whose records are posts. */
  readonly kinds: PostKinds;
  readonly content: ContentModel;
  readonly planDeparture: PlanDeparture;
  readonly shortcodes: PostShortcodes;
}

/** Adds the type whose posts are handled. */
export interface KindDeps extends PostDeps {
  readonly kind: PostKind;
}
