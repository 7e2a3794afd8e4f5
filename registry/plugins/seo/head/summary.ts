/** Maximum length of a summary that is taken from the text, in characters. */
const SUMMARY_LENGTH = 155;

/** The beginning of a text, cut between words, with an ellipsis when it was cut. */
export function toSummary(text: string, length: number = SUMMARY_LENGTH): string {
  const clean = text.replaceAll(/\s+/g, ' ').trim();
  if (clean.length <= length) return clean;
  const kept = clean.slice(0, length);
  const space = kept.lastIndexOf(' ');
  return `${(space > length / 2 ? kept.slice(0, space) : kept.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()}…`;
}
