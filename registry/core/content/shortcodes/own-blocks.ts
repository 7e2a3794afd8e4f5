import type { MaybePromise } from '../../../../lib/core/maybe-promise.ts';
import type { Call } from '../../../../lib/route/call.ts';
import { BLOCK_PREFIX, readBlocks, toBlockAttributes, type BlockPiece } from '../html/blocks.ts';
import { renderBlocks } from '../render/render.ts';
import { sanitiseContent } from '../sanitise/sanitise.ts';
import type { ShortcodeTime } from './shortcode-time.ts';
import type { RenderedRecord } from './shortcodes.ts';

/** A block that code renders. `render`: gives its HTML. */
export interface OwnBlock {
  /** Such as `reading/minutes`. */
  readonly name: string;
  /** As of a shortcode. */
  readonly reads?: readonly string[];
  readonly render: (
    attributes: Readonly<Record<string, unknown>>,
    place: { readonly content: string; readonly record: RenderedRecord; readonly call: Call },
  ) => MaybePromise<string>;
}

/** By name. */
export type OwnBlocks = ReadonlyMap<string, OwnBlock>;

const toFull = (name: string): string => (name.includes('/') ? name : `core/${name}`);

/** Whether the content may have the block. Those of WordPress stand in contents with and without `core/`. */
export const mayHaveBlock = (content: string, { name }: OwnBlock): boolean =>
  new RegExp(`:${name.replace(/^core\//, '(?:core/)?')}\\s`).test(content);

/** Whether the content may have such a block. */
export function hasOwnBlocks(blocks: OwnBlocks, content: string): boolean {
  if (blocks.size === 0 || !content.includes(`<!-- ${BLOCK_PREFIX}:`)) return false;
  return [...blocks.values()].some((block) => mayHaveBlock(content, block));
}

/** The place of the piece that closes the block which begins at `from`; -1: it is not closed. */
function findEnd(pieces: readonly BlockPiece[], from: number): number {
  let depth = 0;
  for (let at = from; at < pieces.length; at += 1) {
    const { kind } = pieces[at] as BlockPiece;
    if (kind === 'open') depth += 1;
    else if (kind === 'close') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** The content with what such blocks render in their place. One inside of another is part of its content. */
export async function renderOwnBlocks(
  blocks: OwnBlocks,
  content: string,
  place: { readonly record: RenderedRecord; readonly call: Call; readonly time: ShortcodeTime },
): Promise<string> {
  if (!hasOwnBlocks(blocks, content)) return content;
  const { time, ...rest } = place;
  const pieces = readBlocks(content);
  const output: string[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as BlockPiece;
    const block = piece.kind === 'open' || piece.kind === 'void' ? blocks.get(toFull(piece.name)) : undefined;
    const end = block === undefined ? -1 : piece.kind === 'void' ? at : findEnd(pieces, at);
    if (block === undefined || end === -1 || piece.kind === 'html') {
      output.push(piece.text);
      continue;
    }
    const inner = pieces
      .slice(at + 1, end)
      .map(({ text }) => text)
      .join('');
    const source = renderBlocks(await renderOwnBlocks(blocks, inner, place), {});
    const html = await time.hold(block.name, () =>
      block.render(toBlockAttributes(piece.attributes), { ...rest, content: source }),
    );
    output.push(sanitiseContent(String(html)));
    at = end;
  }
  return output.join('');
}
