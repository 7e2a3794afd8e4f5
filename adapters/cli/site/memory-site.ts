import type { Plugin, Site } from '../../../registry/site.ts';
import { createMemoryStore } from '../../memory-store.ts';
import type { CliOptions } from '../frame/options.ts';
import { LANGUAGE_OPTIONS } from './languages.ts';
import { withSite } from './open-site.ts';
import { readSite, type SiteSource } from './read-site.ts';
import { NAMES, SITE_OPTIONS } from './site-options.ts';

/** The options of commands that describe a site without its store. */
export const DESCRIBED_OPTIONS = {
  names: NAMES,
  content: SITE_OPTIONS.content,
  plugins: SITE_OPTIONS.plugins,
  config: SITE_OPTIONS.config,
  ...LANGUAGE_OPTIONS,
} as const satisfies CliOptions;

/** Runs a function with an empty site that has the routes of the options, and with its plugins. */
export async function withEmptySite<T>(
  source: SiteSource,
  use: (site: Site, plugins: readonly Plugin[]) => Promise<T>,
): Promise<T> {
  const site = await readSite(source);
  const store = createMemoryStore(site.collections);
  try {
    return await withSite(site, { store, openapi: true }, (opened) => use(opened, site.plugins));
  } finally {
    await store.close();
  }
}
