import { hasBlocks, readBlocks, type BlockPiece } from '../../core/content/html/blocks.ts';

type ToId = (id: number) => number;

/** The attributes of blocks that hold ids of media, by name of the block. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['image', 'id'],
  ['cover', 'id'],
  ['file', 'id'],
  ['video', 'id'],
  ['audio', 'id'],
  ['media-text', 'mediaId'],
  ['gallery', 'ids'],
]);
const CORE = /^core\//;

/** Ids of media in markup: the class of a picture, the attribute of a picture in a gallery, and the short code of a gallery. */
const MARKUP: readonly RegExp[] = [
  /(?<=\bwp-image-)\d{1,15}\b/g,
  /(?<=\bdata-id=["'])\d{1,15}(?=["'])/g,
  /(?<=\[gallery\s[^\]]{0,200}\bids=["'])[\d,\s]+(?=["'])/g,
];

/** One number, or several with commas. */
const replaceNumbers = (text: string, toId: ToId): string =>
  text.replace(/\d{1,15}/g, (id) => String(toId(Number(id))));

function replaceInPiece(piece: BlockPiece, toId: ToId): string {
  if (piece.kind === 'html')
    return MARKUP.reduce(
      (text, pattern) => text.replace(pattern, (ids) => replaceNumbers(ids, toId)),
      piece.text,
    );
  return replaceInBlock(piece, ATTRIBUTES.get(piece.name.replace(CORE, '')), toId);
}

function replaceInBlock(piece: BlockPiece, attribute: string | undefined, toId: ToId): string {
  if (attribute === undefined || piece.kind === 'close') return piece.text;
  return piece.text.replace(
    new RegExp(String.raw`(?<="${attribute}"\s{0,9}:\s{0,9})(?:\d+|\[[\d,\s]*\])`),
    (ids) => replaceNumbers(ids, toId),
  );
}

/** A text with other ids of media. Everything else stays as it is, to the byte. */
export function replaceMediaIds(text: string, toId: ToId): string {
  if (!hasBlocks(text)) return replaceInPiece({ kind: 'html', text }, toId);
  return readBlocks(text)
    .map((piece) => replaceInPiece(piece, toId))
    .join('');
}

/** Blocks that name posts (synced patterns, navigations, targets of links) or terms: their attribute with the id, and what else they say. */
const NAMED = {
  posts: [
    [/^(?:block|navigation)$/, 'ref', ''],
    [/^navigation-(?:link|submenu)$/, 'id', '"kind":"post-type"'],
  ],
  terms: [[/^navigation-(?:link|submenu)$/, 'id', '"kind":"taxonomy"']],
} as const;

/** A text with other ids of the posts or terms that its blocks name. */
export function replaceNamedIds(to: keyof typeof NAMED, text: string, toId: ToId): string {
  if (!hasBlocks(text) || !/"ref"|"kind"/.test(text)) return text;
  return readBlocks(text)
    .map((piece) => {
      if (piece.kind === 'html') return piece.text;
      const name = piece.name.replace(CORE, '');
      const rule = NAMED[to].find(([form, , mark]) => form.test(name) && piece.attributes.includes(mark));
      return replaceInBlock(piece, rule?.[1], toId);
    })
    .join('');
}
