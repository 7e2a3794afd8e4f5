import { defineContribution, type CmsContribution } from '../host/contribution.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { CmsDeps } from '../post-views/cms-deps.ts';
import { modelDescriptor } from './routes.ts';
import { createStatuses } from './statuses.ts';
import { createTaxonomies } from './taxonomies.ts';
import { createTypes } from './types.ts';

/** Types, statuses and taxonomies: what the site models. */
export function contributeModel(context: CmsDeps, content: ContentModel): CmsContribution {
  const [types, statuses, taxonomies] = [
    createTypes(context, content),
    createStatuses(context, content),
    createTaxonomies(context, content),
  ];
  return defineContribution(
    modelDescriptor,
    {
      'cms.types.list': types.list,
      'cms.types.read': types.read,
      'cms.statuses.list': statuses.list,
      'cms.statuses.read': statuses.read,
      'cms.taxonomies.list': taxonomies.list,
      'cms.taxonomies.read': taxonomies.read,
    },
    { permissions: { ...types.permissions, ...statuses.permissions, ...taxonomies.permissions } },
  );
}
