import { sanitiseContent } from './sanitise.ts';

interface Footnote {
  readonly id: string;
  readonly content: string;
}

const MAX_FOOTNOTES = 1_000;
/** Characters that an id must not contain. */
const FOREIGN = /[^\w-]/g;

function parseList(text: string): readonly unknown[] | null {
  try {
    const list: unknown = JSON.parse(text || '[]');
    return Array.isArray(list) ? list : null;
  } catch {
    // Clients can send any text as footnotes. Invalid footnotes are not shown.
    return null;
  }
}

function toFootnote(value: unknown): readonly Footnote[] {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('content' in value)) return [];
  return typeof value.id === 'string' && typeof value.content === 'string'
    ? [{ id: value.id, content: value.content }]
    : [];
}

/** The footnotes of a post from its meta field, a JSON list of `{id, content}`. */
export function parseFootnotes(text: string): readonly Footnote[] {
  return (parseList(text) ?? []).slice(0, MAX_FOOTNOTES).flatMap(toFootnote);
}

/** Sanitises the meta field of a caller without `unfiltered_html`: only footnotes with sanitised contents remain. A clean field stays byte for byte. */
export function sanitiseFootnotes(text: string): string {
  if (text === '') return '';
  const notes = parseFootnotes(text);
  const clean = notes.map(({ id, content }) => ({
    id: id.replaceAll(FOREIGN, ''),
    content: sanitiseContent(content),
  }));
  const list = parseList(text);
  return JSON.stringify(list) === JSON.stringify(clean)
    ? text
    : clean.length === 0
      ? ''
      : JSON.stringify(clean);
}
