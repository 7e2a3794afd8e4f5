import type { Store } from '../../../lib/index.ts';
import { createSite, type Site, type SiteOptions } from '../../../registry/site.ts';
import { toLanguageOptions } from './languages.ts';
import type { SiteDescription } from './read-site.ts';

/** Further options of `createSite`. */
type MoreOptions = Partial<SiteOptions> & { readonly store: Store };

/** Builds the site of a description. */
export const openSite = (site: SiteDescription, options: MoreOptions): Promise<Site> => {
  const { config, content, names, namespaces, plugins } = site;
  return createSite({
    ...config,
    ...toLanguageOptions(site),
    content,
    names,
    namespaces,
    plugins,
    ...options,
  });
};

/** Runs a function with the site of a description, and closes the site. The store stays open. */
export async function withSite<T>(
  description: SiteDescription,
  options: MoreOptions,
  use: (site: Site) => Promise<T>,
): Promise<T> {
  const site = await openSite(description, options);
  try {
    return await use(site);
  } finally {
    await site.close();
  }
}
