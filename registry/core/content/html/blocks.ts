import type { Names } from '../../../../lib/core/names.ts';
import { isObject } from '../../../../lib/core/objects.ts';

type Curie = Names['curie'];

function rename(text: string, from: string, to: string): string {
  return from === to
    ? text
    : text.replaceAll(`<!-- ${from}:`, `<!-- ${to}:`).replaceAll(`<!-- /${from}:`, `<!-- /${to}:`);
}

/** Converts wire names in block comments to the neutral names in which texts are stored. */
export function toStoredBlocks(text: string, { wire, neutral }: Curie): string {
  return rename(text, wire, neutral);
}

/** Converts the neutral names in block comments of a stored text to wire names. */
export function toShownBlocks(text: string, { wire, neutral }: Curie): string {
  return rename(text, neutral, wire);
}

/** Block comments start with this name: `<!-- cms:paragraph -->`. */
export const BLOCK_PREFIX = 'cms';

/** One part of a text with block comments. `text`: the source of the part; `name`: `paragraph`, `core/quote`. */
export type BlockPiece =
  | { readonly kind: 'html'; readonly text: string }
  | {
      readonly kind: 'open' | 'close' | 'void';
      readonly name: string;
      readonly attributes: string;
      readonly text: string;
    };

const COMMENT =
  /^\s+(\/?)([a-z][a-z0-9_-]*):([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)(?:\s+(\{[^]*\}))?\s+(\/?)$/;

/** Whether the text contains blocks. */
export function hasBlocks(content: string): boolean {
  return content.includes(`<!-- ${BLOCK_PREFIX}:`);
}

/** The value of `content.block_version`: 1 for a text with blocks, otherwise 0. */
export function toBlockVersion(content: string): 0 | 1 {
  return hasBlocks(content) ? 1 : 0;
}

/** Parses the inside of a comment (between `<!--` and `-->`); undefined if it is not a block comment. */
export function parseBlockComment(inside: string): Exclude<BlockPiece, { kind: 'html' }> | undefined {
  const match = COMMENT.exec(inside);
  if (match === null || match[2] !== BLOCK_PREFIX) return undefined;
  const [, slash, , name = '', attributes = '', end] = match;
  if (slash === '/' && (end === '/' || attributes !== '')) return undefined;
  const kind = slash === '/' ? 'close' : end === '/' ? 'void' : 'open';
  return { kind, name, attributes, text: `<!--${inside}-->` };
}

/** Splits a text at its block comments, in order. Other comments stay part of the html. One pass. */
export function readBlocks(content: string): readonly BlockPiece[] {
  const pieces: BlockPiece[] = [];
  let done = 0;
  let end = -1;
  let next = content.indexOf('<!--');
  while (next !== -1) {
    const from = next;
    next = content.indexOf('<!--', from + 4);
    // Searched again only after the last match was passed, so that many openings before one end take linear time.
    if (end < from + 4) end = content.indexOf('-->', from + 4);
    if (end === -1) break;
    // A block comment never contains another opening, because block editors escape `<`.
    const piece = next !== -1 && next < end ? undefined : parseBlockComment(content.slice(from + 4, end));
    if (piece === undefined) continue;
    if (from > done) pieces.push({ kind: 'html', text: content.slice(done, from) });
    pieces.push(piece);
    done = end + 3;
  }
  if (done < content.length) pieces.push({ kind: 'html', text: content.slice(done) });
  return pieces;
}

/** The attributes of a block comment; an empty object if they are not a JSON object. */
export function toBlockAttributes(attributes: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(attributes || '{}');
    return isObject(value) ? { ...value } : {};
  } catch {
    // Invalid attributes are ignored.
    return {};
  }
}
