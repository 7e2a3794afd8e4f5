import { frenchEndpoints } from './fr-endpoints.ts';
import { frenchExtraRoutes } from './fr-extra-routes.ts';
import { frenchModel } from './fr-model.ts';
import { frenchComments, frenchMedia, frenchTerms, frenchTypes, frenchUsers } from './fr-records.ts';
import { french } from './fr.ts';

/** Translated descriptions by language. English does not need an entry. */
export const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fr: {
    ...french,
    ...frenchEndpoints,
    ...frenchExtraRoutes,
    ...frenchComments,
    ...frenchMedia,
    ...frenchTerms,
    ...frenchTypes,
    ...frenchUsers,
    ...frenchModel,
  },
};
