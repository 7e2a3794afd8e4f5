import { listShortcodes } from '../../builder/shortcode-parser.ts';
import { readBlocks } from '../../content/blocks.ts';
import { readHtml } from '../../content/html.ts';

/** Programs find their texts by these marks. A translation must have all of those that its source has. */
export interface Losses {
  readonly shortcodes?: readonly string[];
  readonly placeholders?: readonly string[];
  readonly blocks?: readonly string[];
}

/** The texts of the first list that the second does not have as often. */
export function listMissing(source: readonly string[], target: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const each of target) counts.set(each, (counts.get(each) ?? 0) + 1);
  return source.filter((each) => {
    const left = counts.get(each) ?? 0;
    counts.set(each, left - 1);
    return left <= 0;
  });
}

/** A placeholder: `%s`, `%1$d`, `%.2f` (printf); `%(name)s`; `%%title%%`; `%name%`; `{{ name }}`; `{name}`; `${name}`. Not `50 %`, and not a byte of an address (`%d0`). */
export const PLACEHOLDER = /(?<![%\w])%(?:(\d+)\$)?[+-]?\d{0,3}(?:\.\d)?([bcdeEfFgGosuxX@])(?![\w%])|%\(\w+\)[a-z]|%%\w+%%|(?<![%\w])%[a-z]\w{2,}%(?!\w)|\$?\{\{?\s?[A-Za-z_][\w.]*\s?\}\}?/g;

/** The placeholders of a text. One without a number gets its own, because a translation numbers those that it moves. */
function listPlaceholders(text: string): readonly string[] {
  let count = 0;
  return [...text.matchAll(PLACEHOLDER)].map(([whole, number, type]) => {
    if (type === undefined) return whole.replaceAll(/\s/g, '');
    count += 1;
    return `%${number ?? count}$${type}`;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Blocks with other attributes are compared by their name alone.
    return false;
  }
}

/** The block comments of a text: `paragraph`, `/paragraph`. One whose attributes are not JSON has a name of its own. */
function listBlocks(text: string): readonly string[] {
  return readBlocks(text).flatMap((piece) => {
    if (piece.kind === 'html') return [];
    if (piece.kind === 'close') return [`/${piece.name}`];
    return [piece.attributes === '' || isJson(piece.attributes) ? piece.name : `${piece.name} ${piece.attributes}`];
  });
}

const withNames = (name: keyof Losses, names: readonly string[]): Losses => (names.length === 0 ? {} : { [name]: [...new Set(names)] });

/** The shortcodes, placeholders and block comments of a source that its translation lacks; null if it has all of them. */
export function listLosses(source: string, target: string, isKnown: (shortcode: string) => boolean): Losses | null {
  const lost = (list: (text: string) => readonly string[]): readonly string[] => listMissing(list(source), list(target));
  const shortcodes = listShortcodes(source, isKnown);
  const names: ReadonlySet<string> = new Set(shortcodes);
  const found: Losses = {
    ...withNames('shortcodes', listMissing(shortcodes, listShortcodes(target, (name) => names.has(name) || isKnown(name)))),
    ...withNames('placeholders', lost(listPlaceholders)),
    ...withNames('blocks', lost(listBlocks)),
  };
  return Object.keys(found).length === 0 ? null : found;
}

/** The tags of a text: `a`, `/a`. */
export function listTags(text: string): readonly string[] {
  const tags: string[] = [];
  readHtml(text, { start: ({ name }) => { tags.push(name); }, end: ({ name }) => { tags.push(`/${name}`); } }, { raw: 'place' });
  return tags;
}

/** The start tags of a text as written, and the names of their elements. */
export function listStartTags(text: string): readonly (readonly [tag: string, name: string])[] {
  const tags: (readonly [string, string])[] = [];
  readHtml(text, { start: ({ name, from, to }) => { tags.push([text.slice(from, to), name]); } }, { raw: 'place', positions: true });
  return tags;
}
