import { TEXT_KINDS, countWords, readHtml, toPlainText } from '../../plugin.ts';

/** What an analyser counts in rendered content. */
interface ContentStats {
  readonly word_count: number;
  readonly headings: readonly { readonly level: number; readonly text: string }[];
}

/** Counts the words and headings of markup. */
export function toStats(html: string): ContentStats {
  const headings: { level: number; text: string }[] = [];
  let open: { level: number; text: string } | null = null;
  readHtml(html, {
    start: ({ name }) => {
      const level = /^h([1-6])$/.exec(name)?.[1];
      if (level === undefined) return;
      open = { level: Number(level), text: '' };
      headings.push(open);
    },
    end: ({ name }) => {
      if (/^h[1-6]$/.test(name)) open = null;
    },
    text: (text) => {
      if (open !== null) open.text += text;
    },
  });
  return {
    word_count: countWords(toPlainText(html)),
    headings: headings.map(({ level, text }) => ({
      level,
      text: TEXT_KINDS.typed.toShown(text.replaceAll(/\s+/g, ' ').trim()),
    })),
  };
}
