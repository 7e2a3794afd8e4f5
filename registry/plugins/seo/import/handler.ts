import { renamePath } from '../../../../lib/index.ts';
import { orderLanguages } from '../../../plugin.ts';
import type { HandlerGroup, SeoDeps } from '../routes/deps.ts';
import { seoError } from '../values/errors.ts';
import { IMPORTERS } from './importers.ts';

/** Imports the data of another SEO plugin in batches. `next_url` is a path below the API base, or false at the end. */
export function createImportHandlers({ ports, config }: SeoDeps): HandlerGroup<'seo.import'> {
  const languages = orderLanguages(ports.config);
  return {
    'seo.import': async ({ plugin, type }, { site }) => {
      const importer = IMPORTERS.get(`${plugin}/${type}`);
      if (importer === undefined) throw seoError('import_not_found');
      const { objects, left } = await importer({
        ports,
        store: ports.store,
        content: ports.content,
        config,
        languages,
        siteUrl: site.pagesUrl,
      });
      return { objects, next_url: left ? renamePath(site.names, `seo/v1/import/${plugin}/${type}`) : false };
    },
  };
}
