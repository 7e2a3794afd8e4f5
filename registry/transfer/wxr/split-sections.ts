const END = ']]>';
/** How `]]>` is written within a section: it is divided between two. */
const DIVIDED = ']]]]><![CDATA[>';
/** Elements without an end after which the rest of the text is left as it is, so that the time stays in proportion to its length. */
const MOST_OPEN = 16;
const OPENED = /<([\w.:-]+)(?:\s[^<>]*)?>\s*<!\[CDATA\[/g;

/** Where the element that begins with this section ends: at a section's end followed by its end tag. -1: nowhere. */
function findEnd(text: string, name: string, from: number): number {
  const tag = `</${name}>`;
  for (let end = text.indexOf(tag, from); end !== -1; end = text.indexOf(tag, end + 1)) {
    const before = text.slice(from, end).trimEnd();
    if (before.endsWith(END)) return from + before.length - END.length;
  }
  return -1;
}

/**
 * Divides each `]]>` that stands within a text. Old versions and plugins write it as it is, so that the section ends too early. An element
 * is believed to reach from the beginning of its section to the first end of one that its end tag follows.
 */
export function splitSections(text: string): string {
  let repaired = '';
  let done = 0;
  let open = 0;
  OPENED.lastIndex = 0;
  for (let found = OPENED.exec(text); found !== null && open < MOST_OPEN; found = OPENED.exec(text)) {
    const from = found.index + found[0].length;
    const end = findEnd(text, found[1] ?? '', from);
    if (end === -1) {
      open += 1;
      continue;
    }
    repaired +=
      text.slice(done, from) + text.slice(from, end).replaceAll(DIVIDED, END).replaceAll(END, DIVIDED);
    done = end;
    OPENED.lastIndex = end;
  }
  return repaired + text.slice(done);
}
