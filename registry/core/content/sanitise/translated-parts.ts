import type { Steps } from '../../../../lib/core/cooperative.ts';
import type { HtmlPlace } from '../html/html.ts';
import { readParts } from '../html/own-markup.ts';
import { OpenElements } from './open-elements.ts';

/** A part of a text (`source`) and its translation (`target`). A part that was not translated equals its source. */
export interface TranslatedPart {
  readonly source: string;
  readonly target: string;
}

/** What the tags of a text close outside of it, and which of its elements they leave open. */
export interface Balance {
  /** Names of the end tags that end no element of the text, in order. */
  readonly ended: readonly string[];
  /** The end tags that are missing at the end. */
  readonly missing: string;
}

export function* readBalance(html: string): Steps<Balance> {
  const open = new OpenElements();
  const ended: string[] = [];
  yield* readParts(html, {
    onTag: ({ name }) => {
      open.start(name);
    },
    onEnd: ({ name }) => {
      if (open.end(name) === null) ended.push(name);
    },
    onWhole: () => {},
  });
  return { ended, missing: open.finish() };
}

/** Read behind a text, it shows whether the text ends in a tag or a comment. */
const SENTINEL = '<i>';

/** The tags, comments and elements of a text in which it must not be cut, because a part of them reads differently. In order. */
function* listClosed(html: string): Steps<readonly HtmlPlace[]> {
  const places: HtmlPlace[] = [];
  const add = ({ from, to }: HtmlPlace): void => {
    places.push({ from, to });
  };
  const open = yield* readParts(html + SENTINEL, {
    onTag: add,
    onEnd: add,
    onWhole: add,
    onComment: (_source, place) => add(place),
  });
  if (open !== Infinity) return [...places, { from: open, to: Infinity }];
  const last = places.at(-1);
  if (last?.from === html.length) return places.slice(0, -1);
  // A tag that is not finished is not read at all.
  return [...places, { from: last?.to ?? 0, to: Infinity }];
}

/** Joins parts that are translated with those that are not, unless the source can be cut between them: outside of all tags and comments. */
export function* joinParts(parts: readonly TranslatedPart[]): Steps<readonly TranslatedPart[]> {
  const whole = parts.map(({ source }) => source).join('');
  const closed = yield* listClosed(whole);
  const joined: { source: string; target: string; isKept: boolean }[] = [];
  let offset = 0;
  let index = 0;
  for (const { source, target } of parts) {
    while ((closed[index]?.to ?? Infinity) <= offset) index += 1;
    // With another text behind it, a lone `<` begins a tag.
    const isCut = (closed[index]?.from ?? Infinity) >= offset && whole[offset - 1] !== '<';
    const isKept = source === target;
    const last = joined.at(-1);
    offset += source.length;
    if (last === undefined || (isCut && last.isKept !== isKept)) {
      joined.push({ source, target, isKept });
      continue;
    }
    last.source += source;
    last.target += target;
    last.isKept &&= isKept;
  }
  return joined;
}
