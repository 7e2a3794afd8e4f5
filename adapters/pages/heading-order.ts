const HEADING = /<(\/?)h([1-6])(?=[\s/>])/gi;
const LOWEST = 6;

/**
 * The content of a record with its headings below that of the page: no second `h1`, and no level left out, so that a screen reader can list them.
 * Only digits in the names of headings change.
 */
export function inOrder(content: string): string {
  const above: number[] = [];
  return content.replaceAll(HEADING, (_tag, slash: string, digit: string) => {
    const level = Number(digit);
    if (slash === '') {
      while ((above.at(-1) ?? 0) >= level) above.pop();
      above.push(level);
    }
    return `<${slash}h${Math.min(Math.max(above.length, 1) + 1, LOWEST)}`;
  });
}
