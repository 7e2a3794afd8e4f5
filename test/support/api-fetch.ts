import imported from '@wordpress/api-fetch';

/** The package is an ES module, but its types are read as those of a CommonJS one, whose default stands one level deeper. */
export const apiFetch = imported as unknown as typeof imported.default;
