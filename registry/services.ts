import { perObject } from '../lib/core/objects.ts';
import { createShortcodes, type Shortcode } from './builder/shortcodes.ts';
import { createKinds, type PostKinds } from './cms/kind.ts';
import { createSchedule, type Schedule } from './cms/schedule.ts';
import type { Ports } from './ports.ts';
import { createSettings, type ReadSettings } from './site/settings.ts';

/** What all namespaces of a site share, each with one cache. */
export interface SiteServices {
  readonly settings: ReadSettings;
  readonly schedule: Schedule;
  readonly kinds: PostKinds;
  readonly shortcodes: ReadonlyMap<string, Shortcode>;
}

/** The services of a site, made when they are first asked for. */
export const servicesOf = perObject(({ store, now, config, content }: Ports): SiteServices => ({
  settings: createSettings(store, config.languages),
  schedule: createSchedule({ store, now }),
  kinds: createKinds(content),
  shortcodes: createShortcodes(config),
}));
