/** Languages of a site that is told none. */
export const DEFAULT_LANGUAGES: readonly string[] = ['nl', 'en', 'fr'];
