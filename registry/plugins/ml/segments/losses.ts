import { countOne, listShortcodes, readBlocks, type Steps } from '../../../plugin.ts';

/** Programs find their texts by these marks. A translation must have all of those that its source has. */
export interface Losses {
  readonly shortcodes?: readonly string[];
  readonly placeholders?: readonly string[];
  readonly blocks?: readonly string[];
}

/** The texts of the first list that the second does not have as often. */
export function listMissing(source: readonly string[], target: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const each of target) countOne(counts, each);
  return source.filter((each) => {
    const left = counts.get(each) ?? 0;
    counts.set(each, left - 1);
    return left <= 0;
  });
}

/** A placeholder: `%s`, `%1$d`, `%.2f` (printf); `%(name)s`; `%%title%%`; `%name%`; `{{ name }}`; `{name}`; `${name}`. Not `50 %`, and not a byte of an address (`%d0`). */
export const PLACEHOLDER =
  /(?<![%\w])%(?:(\d+)\$)?[+-]?\d{0,3}(?:\.\d)?([bcdeEfFgGosuxX@])(?![\w%])|%\(\w+\)[a-z]|%%\w+%%|(?<![%\w])%[a-z]\w{2,}%(?!\w)|\$?\{\{?\s?[A-Za-z_][\w.]*\s?\}\}?/g;

/** Length from which a line ends a part of a text. A placeholder with a line break in it is rare, and counts as text in both texts. */
const PART = 32_768;

/** Parts of a text that end with a line, so that looking through one takes little time. */
function* toLines(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from + PART);
    yield text.slice(from, end === -1 ? text.length : end + 1);
    from = end === -1 ? text.length : end + 1;
  }
}

/** The placeholders of a text. One without a number gets its own, because a translation numbers those that it moves. */
function* listPlaceholders(text: string): Steps<readonly string[]> {
  const placeholders: string[] = [];
  let count = 0;
  for (const part of toLines(text)) {
    for (const [whole, number, type] of part.matchAll(PLACEHOLDER)) {
      if (type !== undefined) count += 1;
      placeholders.push(type === undefined ? whole.replaceAll(/\s/g, '') : `%${number ?? count}$${type}`);
    }
    yield;
  }
  return placeholders;
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
function* listBlocks(text: string): Steps<readonly string[]> {
  const blocks: string[] = [];
  for (const piece of readBlocks(text)) {
    if (piece.kind === 'close') blocks.push(`/${piece.name}`);
    else if (piece.kind !== 'html')
      blocks.push(
        piece.attributes === '' || isJson(piece.attributes)
          ? piece.name
          : `${piece.name} ${piece.attributes}`,
      );
    if (blocks.length % STEP === 0) yield;
  }
  return blocks;
}

/** Blocks that are read between two places where the work may be interrupted. */
const STEP = 500;

const withNames = (name: keyof Losses, names: readonly string[]): Losses =>
  names.length === 0 ? {} : { [name]: [...new Set(names)] };

/** The shortcodes, placeholders and block comments of a source that its translation lacks; null if it has all of them. */
export function* listLosses(
  source: string,
  target: string,
  isKnown: (shortcode: string) => boolean,
): Steps<Losses | null> {
  const shortcodes = yield* listShortcodes(source, isKnown);
  const names: ReadonlySet<string> = new Set(shortcodes);
  const found: Losses = {
    ...withNames(
      'shortcodes',
      listMissing(shortcodes, yield* listShortcodes(target, (name) => names.has(name) || isKnown(name))),
    ),
    ...withNames(
      'placeholders',
      listMissing(yield* listPlaceholders(source), yield* listPlaceholders(target)),
    ),
    ...withNames('blocks', listMissing(yield* listBlocks(source), yield* listBlocks(target))),
  };
  return Object.keys(found).length === 0 ? null : found;
}
