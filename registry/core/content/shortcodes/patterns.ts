import { and, eq, oneOf } from '../../../../lib/store/query.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { SYNCED_PATTERN } from '../../model/built-in.ts';
import { BLOCK_PREFIX, readBlocks, toBlockAttributes, type BlockPiece } from '../html/blocks.ts';

/** The block that shows a pattern, by both of its names. */
const NAMES: ReadonlySet<string> = new Set(['block', 'core/block']);
const MARK = new RegExp(`<!--\\s+${BLOCK_PREFIX}:(?:core/)?block\\s`);

/** Most levels of patterns in patterns, and most characters of a content with its patterns. What is beyond is not shown. */
const MOST_LEVELS = 10;
const MOST_CHARACTERS = 2_000_000;
/** Patterns that are read at once, because each may have a megabyte. */
const AT_ONCE = 10;

/** Whether the content shows patterns. */
export const hasPatterns = (content: string): boolean => MARK.test(content);

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
export async function expandPatterns(store: Store, content: string, language: string): Promise<string> {
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
