import { toBaseUrl } from '../../../lib/http/address.ts';
import type { Homes } from './permalink.ts';

/** The home pages of a site outside of a request. `pagesUrl`: address of the site that serves the pages, without a trailing slash. */
export function createHomes(prefixes: readonly string[], pagesUrl: string): Homes {
  return {
    home: (language = prefixes[0] ?? '') =>
      toBaseUrl({ prefixes, base: '' }, { siteUrl: pagesUrl, language }),
  };
}
