import { buildSite, type Site } from './build-site.ts';
import type { SiteOptions } from './site-options.ts';

/** Builds a site of the core and of the plugins that are named, which are none by default. Rejects with a TypeError if the options are not valid. */
export function createSite<H = unknown>(options: SiteOptions<H>): Promise<Site<H>>;
// The site passes `host` on without looking at it.
export function createSite(options: SiteOptions): Promise<Site> {
  return buildSite(options, () => []);
}
