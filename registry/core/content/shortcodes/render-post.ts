import { createPause, runInTurns } from '../../../../lib/core/cooperative.ts';
import type { MaybePromise } from '../../../../lib/core/maybe-promise.ts';
import { kindOf } from '../../../../lib/core/objects.ts';
import { HANDLER_TIMEOUT_MS } from '../../../../lib/dispatch/time-limit.ts';
import type { Call } from '../../../../lib/route/call.ts';
import { and, eq, oneOf } from '../../../../lib/store/query.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { SYNCED_PATTERN } from '../../model/built-in.ts';
import { BLOCK_PREFIX, type BlockPiece, hasBlocks, readBlocks, toBlockAttributes } from '../html/blocks.ts';
import { addParagraphsInSteps } from '../html/paragraphs.ts';
import { finish, renderBlocks } from '../render/render.ts';
import { cleanOutput, NodeRenderer, type RenderParts, ShortcodeTime } from './render.ts';
import { parseShortcodes } from './shortcode-parser.ts';
import type { RenderedRecord } from './shortcodes.ts';

/** The block that shows a pattern, by both of its names. */
const NAMES: ReadonlySet<string> = new Set(['block', 'core/block']);
const MARK = new RegExp(`<!--\\s+${BLOCK_PREFIX}:(?:core/)?block\\s`);

/** Most levels of patterns in patterns, and most characters of a content with its patterns. What is beyond is not shown. */
const MOST_LEVELS = 10;
const MOST_CHARACTERS = 2_000_000;
/** Patterns that are read at once, because each may have a megabyte. */
const AT_ONCE = 10;

/** Whether the content shows patterns. */
const hasPatterns = (content: string): boolean => MARK.test(content);

/** The id of the pattern that a piece shows; 0: it shows none. */
function refOf(piece: BlockPiece): number {
  if (piece.kind !== 'void' || !NAMES.has(piece.name)) return 0;
  const { ref } = toBlockAttributes(piece.attributes);
  return Number.isSafeInteger(ref) && Number(ref) > 0 ? Number(ref) : 0;
}

/** A content, split at its blocks, and the patterns around it. */
interface Level {
  readonly pieces: readonly BlockPiece[];
  readonly around: readonly number[];
}

interface Pattern {
  /** The id of the pattern that the block names, and of its translation. */
  readonly ids: readonly number[];
  readonly content: string;
}

type Patterns = ReadonlyMap<number, Pattern>;

/** The patterns that these ids name, until there are more characters than are left: what is beyond is not shown. */
async function loadSome(
  store: Store,
  {
    refs,
    language,
    left,
  }: { readonly refs: readonly number[]; readonly language: string; readonly left: number },
): Promise<Patterns> {
  const ids = [...new Set(refs)];
  const found = new Map<number, Pattern>();
  let room = left;
  for (let at = 0; at < ids.length && room > 0; at += AT_ONCE)
    for (const [id, pattern] of await loadPatterns(store, ids.slice(at, at + AT_ONCE), language)) {
      found.set(id, pattern);
      room -= pattern.content.length;
    }
  return found;
}

/** The published patterns without a password, by the ids that blocks name, each in this language if it is translated. */
async function loadPatterns(store: Store, refs: readonly number[], language: string): Promise<Patterns> {
  const isShown = and(eq('type', SYNCED_PATTERN), eq('status', 'publish'), eq('password', ''));
  const fields = ['content', 'group', 'language'];
  const { records: named } = await store.find({
    collection: 'posts',
    where: and(isShown, oneOf('id', refs)),
    fields,
  });
  const groups = named.map(({ group }) => Number(group)).filter((group) => group !== 0);
  const { records: translated } =
    groups.length === 0
      ? { records: [] }
      : await store.find({
          collection: 'posts',
          where: and(isShown, eq('language', language), oneOf('group', groups)),
          fields,
        });
  return new Map(
    named.map((record) => {
      const group = record['group'];
      const shown = (group !== 0 && translated.find((each) => each['group'] === group)) || record;
      return [record.id, { ids: [record.id, shown.id], content: String(shown['content']) }];
    }),
  );
}

/**
 * The content with the blocks of its patterns in place of the blocks that name them. As in WordPress, a pattern that is not published, or that
 * contains itself, is not shown. Each level of patterns is read together.
 */
async function expandPatterns(store: Store, content: string, language: string): Promise<string> {
  if (!hasPatterns(content)) return content;
  let left = MOST_CHARACTERS;
  const expand = async (levels: readonly Level[], depth: number): Promise<readonly string[]> => {
    const refs = levels.flatMap(({ pieces }) => pieces.map(refOf)).filter((ref) => ref !== 0);
    const patterns =
      depth === MOST_LEVELS ? new Map<number, Pattern>() : await loadSome(store, { refs, language, left });
    const inner: Level[] = [];
    const texts = levels.map(({ pieces, around }) =>
      pieces.map((piece): string | number => {
        const ref = refOf(piece);
        if (ref === 0) return piece.text;
        const pattern = patterns.get(ref);
        if (pattern === undefined || pattern.ids.some((id) => around.includes(id))) return '';
        left -= pattern.content.length;
        if (left < 0) return '';
        return inner.push({ pieces: readBlocks(pattern.content), around: [...around, ...pattern.ids] }) - 1;
      }),
    );
    const expanded = inner.length === 0 ? [] : await expand(inner, depth + 1);
    return texts.map((pieces) =>
      pieces.map((piece) => (typeof piece === 'number' ? (expanded[piece] ?? '') : piece)).join(''),
    );
  };
  const [text = ''] = await expand([{ pieces: readBlocks(content), around: [] }], 0);
  return text;
}

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
  if (blocks.size === 0 || !hasBlocks(content)) return false;
  return [...blocks.values()].some((block) => mayHaveBlock(content, block));
}

/** Most such blocks in one another. What is deeper shows its content alone. */
const MOST_NESTED = 20;

/** The place where each block ends, by that where it begins. Blocks that are not closed have none. */
function findEnds(pieces: readonly BlockPiece[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind }] of pieces.entries()) {
    if (kind === 'open') open.push(at);
    const from = kind === 'void' ? at : kind === 'close' ? open.pop() : undefined;
    if (from !== undefined) ends.set(from, at);
  }
  return ends;
}

/** A block that code renders, and what stands in it so far. */
interface OpenBlock {
  readonly block: OwnBlock;
  readonly attributes: string;
  readonly end: number;
  readonly inner: BlockPiece[];
}

/** The blocks of a content as markup. One that code renders gets what is in it as markup. Each piece is read once, whatever is around it. */
async function renderAllBlocks(
  blocks: OwnBlocks,
  content: string,
  place: {
    readonly record: RenderedRecord;
    readonly call: Call;
    readonly time: ShortcodeTime;
    readonly footnotes: string;
  },
): Promise<string> {
  const { time, footnotes, ...rest } = place;
  const pieces = readBlocks(content);
  if (!hasOwnBlocks(blocks, content)) return renderBlocks(pieces, { footnotes });
  const ends = findEnds(pieces);
  const pause = createPause();
  const output: BlockPiece[] = [];
  const open: OpenBlock[] = [];
  const show = (piece: BlockPiece): number => (open.at(-1)?.inner ?? output).push(piece);
  const close = async ({ block, attributes, inner }: OpenBlock): Promise<void> => {
    const source = renderBlocks(inner, {});
    const html: unknown = await time.hold(block.name, () =>
      block.render(toBlockAttributes(attributes), { ...rest, content: source }),
    );
    if (typeof html !== 'string')
      throw new TypeError(`the block ${block.name} returned ${kindOf(html)}; it must return HTML as a text`);
    open.pop();
    readBlocks(cleanOutput(html, source)).forEach(show);
    await pause();
  };
  for (const [at, piece] of pieces.entries()) {
    const end = open.length < MOST_NESTED ? ends.get(at) : undefined;
    const block = piece.kind === 'html' ? undefined : blocks.get(toFull(piece.name));
    if (end !== undefined && block !== undefined && piece.kind !== 'html')
      open.push({ block, attributes: piece.attributes, end, inner: [] });
    else if (open.at(-1)?.end !== at) show(piece);
    const last = open.at(-1);
    if (last?.end === at) await close(last);
  }
  return renderBlocks(output, { footnotes });
}

/** What the content of a post is rendered for. */
interface PostPlace {
  readonly siteUrl: string;
  /** As in `Rendering`. */
  readonly footnotes: string;
  /** The call that shows it. The shortcodes of all posts of a call share one time limit. */
  readonly call: Call;
  readonly record: RenderedRecord;
}

/** Shortcodes in the contents of posts. */
export interface PostShortcodes {
  /** Whether the content may have a shortcode that the site renders. */
  has(content: string): boolean;
  /** `content.rendered` of such a content. @throws RestError `builder_nested_too_deep`, `builder_too_many_shortcodes`, and what a shortcode throws */
  render(content: string, place: PostPlace): Promise<string>;
  /** The collections on which the shortcodes of a content depend; null if that is not known. undefined: of any content. */
  readsOf(content?: string): readonly string[] | null;
}

/** What shortcodes and blocks in posts need. */
interface PostParts extends RenderParts {
  /** Whether the site has synced patterns. */
  readonly patterns?: boolean;
  readonly blocks: OwnBlocks;
}

/** The names of the shortcodes whose tags the content may have. */
function createNames(shortcodes: RenderParts['shortcodes']): (content: string) => readonly string[] {
  // Names are letters, digits, hyphens and underscores.
  const tag = new RegExp(
    `\\[(${[...shortcodes.keys()].toSorted((left, right) => right.length - left.length).join('|')})(?=[\\s/\\]])`,
    'gi',
  );
  return (content) =>
    content.includes('[')
      ? [...new Set([...content.matchAll(tag)].map(([, name = '']) => name.toLowerCase()))]
      : [];
}

/** Renders known shortcodes between blocks or paragraphs. Unknown ones stay as they are, as in WordPress. */
async function renderPost(
  parts: PostParts,
  written: string,
  { siteUrl, footnotes, ...place }: PostPlace & { readonly time: ShortcodeTime },
): Promise<string> {
  const content =
    parts.patterns === true ? await expandPatterns(parts.store, written, place.record.language) : written;
  const isBlocks = hasBlocks(content);
  const source = isBlocks ? await renderAllBlocks(parts.blocks, content, { ...place, footnotes }) : content;
  const renderer = new NodeRenderer(parts, {
    ...place,
    siteUrl,
    finish: isBlocks ? (text) => text : (text) => runInTurns(addParagraphsInSteps(text)),
  });
  const html = await renderer.renderFlow(
    parseShortcodes(source, (name) => parts.shortcodes.has(name), { knownOnly: true }),
  );
  // A pattern is as trusted as the post that shows it: inside of an attribute, clean markup is not clean.
  return runInTurns(finish(written, html));
}

/** The shortcodes of the site in the contents of posts. `handlerTimeoutMs`: the time limit of a call. */
export function createPostShortcodes(
  parts: PostParts,
  handlerTimeoutMs: number = HANDLER_TIMEOUT_MS,
): PostShortcodes {
  const times = new WeakMap<object, ShortcodeTime>();
  const timeOf = (call: object): ShortcodeTime => {
    const time = times.get(call) ?? new ShortcodeTime(handlerTimeoutMs);
    times.set(call, time);
    return time;
  };
  const namesIn = createNames(parts.shortcodes);
  const { blocks } = parts;
  return {
    has: (content) =>
      namesIn(content).length > 0 ||
      hasOwnBlocks(blocks, content) ||
      (parts.patterns === true && hasPatterns(content)),
    render: (content, place) => renderPost(parts, content, { ...place, time: timeOf(place.call) }),
    readsOf(content) {
      // A pattern may contain anything that content may contain.
      if (content !== undefined && parts.patterns === true && hasPatterns(content)) return this.readsOf();
      const used =
        content === undefined
          ? [...parts.shortcodes.values(), ...blocks.values()]
          : [
              ...namesIn(content).map((name) => parts.shortcodes.get(name)),
              ...[...blocks.values()].filter((block) => mayHaveBlock(content, block)),
            ];
      const reads = [
        ...used.map((each) => each?.reads),
        ...(content === undefined && parts.patterns === true ? [['posts']] : []),
      ];
      return reads.every((each) => each !== undefined) ? [...new Set(reads.flat())] : null;
    },
  };
}
