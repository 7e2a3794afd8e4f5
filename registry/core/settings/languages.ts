/** Languages of a site without configured languages. */
export const DEFAULT_LANGUAGES: readonly string[] = ['nl', 'en', 'fr'];

/** Orders languages by preference: those with a URL prefix come first. */
export function orderLanguages({
  prefixes,
  languages,
}: {
  readonly prefixes: readonly string[];
  readonly languages: readonly string[];
}): readonly string[] {
  return [...new Set([...prefixes, ...languages])];
}
