/** Languages of a site without configured languages. */
export const DEFAULT_LANGUAGES: readonly string[] = ['nl', 'en', 'fr'];
