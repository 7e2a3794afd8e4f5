import { frenchComments } from './fr-comments.ts';
import { frenchEndpoints } from './fr-endpoints.ts';
import { frenchExtraRoutes } from './fr-extra-routes.ts';
import { frenchMedia } from './fr-media.ts';
import { frenchModel } from './fr-model.ts';
import { frenchTerms } from './fr-terms.ts';
import { frenchTypes } from './fr-types.ts';
import { frenchUsers } from './fr-users.ts';
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
