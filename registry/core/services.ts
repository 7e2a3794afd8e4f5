import { perObject } from '../../lib/core/objects.ts';
import type { Operation } from '../../lib/store/store.ts';
import type { OwnBlock } from './content/shortcodes/render-post.ts';
import { createShortcodes, type Shortcode } from './content/shortcodes/shortcodes.ts';
import type { Notify, Ports } from './host/ports.ts';
import type { PlanDeparture, WatchPosts } from './plugin/plugin.ts';
import { createKinds, type PostKinds } from './records/kind.ts';
import { createSchedule, type Schedule } from './records/schedule.ts';
import { createSettings, type ReadSettings } from './settings/site-settings.ts';

/** What all namespaces of a site share, each with one cache. `settings`: of the site. `schedule`: of posts. `kinds`: the types whose records are posts. */
export interface SiteServices {
  readonly settings: ReadSettings;
  readonly schedule: Schedule;
  readonly kinds: PostKinds;
  /** By name. Plugins add theirs before the core is built. */
  readonly shortcodes: Map<string, Shortcode>;
  /** By name. Plugins add theirs before the core is built. */
  readonly blocks: Map<string, OwnBlock>;
  /** What follows when a post goes to the trash or is deleted. Plugins add theirs before the core is built. */
  readonly departures: PlanDeparture[];
  /** Taxonomies without pages that everybody may read all the same. Plugins add theirs. */
  readonly exposed: Set<string>;
  /** What the commit that removes a term removes with it, by its id. Plugins add theirs. */
  readonly termBelongings: ((term: number) => Operation)[];
  /** What sends notices of translation jobs, where the host has no function for them. Plugins add theirs. */
  readonly notices: Notify[];
  /** What tells of changed posts. Plugins add theirs. */
  readonly watchers: WatchPosts[];
}

/** The services of a site, made when they are first asked for. */
export const servicesOf = perObject(({ store, now, config, content }: Ports): SiteServices => ({
  settings: createSettings(store, config.languages),
  schedule: createSchedule({ store, now }),
  kinds: createKinds(content),
  shortcodes: createShortcodes(content),
  blocks: new Map(),
  departures: [],
  exposed: new Set(),
  termBelongings: [],
  notices: [],
  watchers: [],
}));
