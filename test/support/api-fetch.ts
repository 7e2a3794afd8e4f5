import imported from '@wordpress/api-fetch';

/** The package is an ES module, but TypeScript reads its types as CommonJS, where the default export is nested one level deeper. */
export const apiFetch = imported as unknown as typeof imported.default;
