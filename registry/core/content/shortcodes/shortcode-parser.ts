import { runSteps, type Steps } from '../../../../lib/core/cooperative.ts';
import { createErrors, type ErrorTable } from '../../../../lib/core/errors.ts';
import { createPlaceTest, findTextPlaces } from '../html/plain-text.ts';

/** The errors of content with shortcodes. */
export const SHORTCODE_ERRORS = {
  builder_content_too_large: [413, 'The content is larger than 1,000,000 bytes.'],
  builder_nested_too_deep: [400, 'The shortcodes of the content are nested deeper than 20 levels.'],
  builder_too_many_shortcodes: [400, 'The content has more than 4,000 shortcode tags.'],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
export const shortcodeError = createErrors(SHORTCODE_ERRORS);

/** A shortcode in a text: `[name a="1"]…[/name]`, or `[name a="1" /]`. */
export interface ShortcodeNode {
  readonly name: string;
  /** Names are in lower case. An attribute without a value has the value ''. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly TextNode[];
}

export type TextNode = string | ShortcodeNode;

/** Maximum nesting depth of shortcodes. */
const MAX_DEPTH = 20;
/** Maximum number of opening and closing tags in one text. */
const MAX_TAGS = 4000;

// Name, attributes and an optional slash. Only quoted values may contain brackets.
const TAG =
  /\[(\/?)([a-z][\w-]{0,60})((?:\s+(?:[\w-]{1,60}\s*=\s*(?:"[^"[\]]{0,2000}"|'[^'[\]]{0,2000}'|[^\s"'[\]/]{1,2000})|[\w-]{1,60}))*)\s*(\/?)\]/gi;
/** Tags that are read between two places where the work may be interrupted. */
const STEP = 500;
const ATTRIBUTE = /([\w-]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;

interface Tag {
  readonly kind: 'open' | 'close' | 'single';
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly from: number;
  readonly to: number;
}

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: TextNode[];
}

function toAttributes(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => [
      name.toLowerCase(),
      values.find((value) => value !== undefined) ?? '',
    ]),
  );
}

/** Tags that begin in the text. Anything inside a tag or comment of the markup belongs to that markup. */
function* readTags(text: string): Steps<readonly Tag[]> {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(TAG)) {
    found.push(match);
    if (found.length % STEP === 0) yield;
  }
  const isText = createPlaceTest(found.length === 0 ? [] : yield* findTextPlaces(text));
  return found
    .filter(({ index }) => isText({ from: index, to: index + 1 }))
    .map((match) => {
      const [whole, close, name = '', attributes = '', single] = match;
      const kind = close === '/' ? 'close' : single === '/' ? 'single' : 'open';
      return {
        kind,
        name: name.toLowerCase(),
        attributes: toAttributes(attributes),
        from: match.index,
        to: match.index + whole.length,
      };
    });
}

/** The opening tags that have a closing tag. All others are self-contained. */
function findPairs(tags: readonly Tag[]): ReadonlySet<Tag> {
  const paired = new Set<Tag>();
  const open = new Map<string, Tag[]>();
  for (const tag of tags) {
    if (tag.kind === 'open') open.set(tag.name, [...(open.get(tag.name) ?? []).slice(-MAX_DEPTH), tag]);
    const start = tag.kind === 'close' ? open.get(tag.name)?.pop() : undefined;
    if (start === undefined) continue;
    paired.add(start);
    paired.add(tag);
  }
  return paired;
}

/** Whether a tag in brackets is a shortcode. Other words in brackets are text. */
const isShortcode = (tag: Tag, paired: ReadonlySet<Tag>, isKnown: (name: string) => boolean): boolean =>
  paired.has(tag) || isKnown(tag.name) || Object.values(tag.attributes).some((value) => value !== '');

const isEscaped = (text: string, { from, to }: Tag): boolean => text[from - 1] === '[' && text[to] === ']';

/** The tags of the shortcodes in a text, in order. */
function* listTags(text: string, isKnown: (name: string) => boolean): Steps<readonly Tag[]> {
  const tags = yield* readTags(text);
  const paired = findPairs(tags);
  return tags.filter((tag) => !isEscaped(text, tag) && isShortcode(tag, paired, isKnown));
}

/** The names of the shortcodes in a text in their order; that of a closing tag begins with a slash. */
export function* listShortcodes(text: string, isKnown: (name: string) => boolean): Steps<readonly string[]> {
  return (yield* listTags(text, isKnown)).map(({ kind, name }) => (kind === 'close' ? `/${name}` : name));
}

/** Where the tags of the shortcodes in a text are, in order. */
export function placeShortcodes(
  text: string,
  isKnown: (name: string) => boolean,
): readonly { readonly from: number; readonly to: number }[] {
  return runSteps(listTags(text, isKnown)).map(({ from, to }) => ({ from, to }));
}

/**
 * Splits a text at its shortcodes. `isKnown`: whether a name is a shortcode even without a closing tag. `[word]` with another name
 * is text unless it is closed later or has attributes, because people also write in brackets. `[[name]]` is the text `[name]`. One pass.
 * `knownOnly`: every other name is text.
 * @throws RestError `builder_nested_too_deep`, `builder_too_many_shortcodes`
 */
export function parseShortcodes(
  text: string,
  isKnown: (name: string) => boolean,
  { knownOnly = false }: { readonly knownOnly?: boolean } = {},
): readonly TextNode[] {
  const all = runSteps(readTags(text));
  const tags = knownOnly ? all.filter(({ name }) => isKnown(name)) : all;
  if (tags.length > MAX_TAGS) throw shortcodeError('builder_too_many_shortcodes');
  const paired = findPairs(tags);
  const stack: Open[] = [{ name: '', attributes: {}, children: [] }];
  const top = (): Open => stack[stack.length - 1] as Open;
  const add = (node: TextNode): void => {
    if (node !== '') top().children.push(node);
  };
  const close = (): void => {
    const node = stack.pop();
    if (node !== undefined) add(node);
  };
  let done = 0;
  for (const tag of tags) {
    if (isEscaped(text, tag)) {
      add(text.slice(done, tag.from - 1) + text.slice(tag.from, tag.to));
      done = tag.to + 1;
      continue;
    }
    if (!isShortcode(tag, paired, isKnown)) continue;
    add(text.slice(done, tag.from));
    done = tag.to;
    if (tag.kind === 'close') {
      const index = stack.findLastIndex((open) => open.name === tag.name);
      for (let left = index > 0 ? stack.length - index : 0; left > 0; left -= 1) close();
    } else if (tag.kind === 'open' && paired.has(tag)) {
      if (stack.length > MAX_DEPTH) throw shortcodeError('builder_nested_too_deep');
      stack.push({ name: tag.name, attributes: tag.attributes, children: [] });
    } else add({ name: tag.name, attributes: tag.attributes, children: [] });
  }
  add(text.slice(done));
  while (stack.length > 1) close();
  return top().children;
}
