import core from './fr-core.json' with { type: 'json' };
import endpoints from './fr-endpoints.json' with { type: 'json' };
import fields from './fr.json' with { type: 'json' };

/** Translated descriptions by language. English does not need an entry. `fr-core.json`: of the routes that the seed does not have. */
export const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fr: { ...fields, ...endpoints, ...core },
};
