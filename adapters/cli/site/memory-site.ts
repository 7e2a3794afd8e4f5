import {
  collectionsOf,
  createContentModel,
  createSite,
  type Plugin,
  type Site,
} from '../../../registry/site.ts';
import { createMemoryStore } from '../../memory-store.ts';
import type { CliOptions } from '../frame/options.ts';
import { LANGUAGE_OPTIONS, toLanguageOptions } from './languages.ts';
import { readSite, type SiteSource } from './read-site.ts';
import { SITE_OPTIONS } from './site-options.ts';

/** The options of commands that describe a site without its store. */
export const DESCRIBED_OPTIONS = {
  names: { value: 'NAMES', default: 'neutral', help: 'Wire names: neutral, wordpress, or a JSON file.' },
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
  const { names, namespaces, plugins, content, config } = site;
  const store = createMemoryStore(collectionsOf(createContentModel(content), plugins));
  const opened = await createSite({
    ...config,
    ...toLanguageOptions(site),
    store,
    names,
    namespaces,
    plugins,
    content,
    openapi: true,
  });
  try {
    return await use(opened, plugins);
  } finally {
    await opened.close();
    await store.close();
  }
}
