import type { Steps } from '../../../../lib/core/cooperative.ts';
import { wordSet } from '../../../../lib/core/text.ts';
import { CLOSED_ELEMENTS, type HtmlPlace, type HtmlTag, readHtmlSteps } from './html.ts';
import { isPlainPart, type PlainStart, readPlainStart, rewriteAttributes } from './plain-markup.ts';

/** The markup of a text, which its translation may repeat. Tags are kept as written, without the values of `TEXTS`. */
export interface OwnMarkup {
  readonly tags: ReadonlySet<string>;
  readonly comments: ReadonlySet<string>;
  /** Complete elements of `WHOLE`, and complete comments of another form, such as `<?php … ?>`. */
  readonly wholes: ReadonlySet<string>;
}

export const NO_MARKUP: OwnMarkup = { tags: new Set(), comments: new Set(), wholes: new Set() };

/** Elements whose content browsers do not parse as the HTML around them. Their tags mean something else around another content. */
const WHOLE: ReadonlySet<string> = new Set([...CLOSED_ELEMENTS, 'frameset', 'listing', 'object', 'select']);
const FOREIGN = wordSet('math svg');

/** Attributes that hold plain text for readers and are translated. */
const TEXTS = wordSet(
  'abbr alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext ' +
    'label placeholder summary title',
);

/** A tag as written, without the values of translated attributes. */
function toSignature({ name, attributes, selfClosing }: PlainStart): string {
  const kept = rewriteAttributes(attributes, (attribute) =>
    TEXTS.has(attribute.name.toLowerCase()) ? ` ${attribute.name}` : attribute.source,
  );
  return `<${name}${kept}${selfClosing ? '/' : ''}>`;
}

/** What a text in an attribute must not contain, so that no program takes it for markup. */
const hasMarkup = ({ attributes }: PlainStart): boolean => {
  let found = false;
  rewriteAttributes(attributes, ({ name, source }) => {
    found ||= TEXTS.has(name.toLowerCase()) && source.includes('<');
    return '';
  });
  return found;
};

const signatureAt = (html: string, { from, to }: HtmlTag): string | null => {
  const tag = readPlainStart(html.slice(from, to));
  return tag === null ? null : toSignature(tag);
};

/** A complete element of `WHOLE`. `start`: its start tag, '' for a comment that is not plain; `rest`: everything behind it. */
interface WholeElement {
  readonly from: number;
  readonly to: number;
  readonly start: string;
  readonly rest: string;
}

interface OpenWhole {
  readonly tag: HtmlTag;
  depth: number;
}

interface PartVisitor {
  readonly onTag?: (tag: HtmlTag) => void;
  readonly onEnd?: (tag: HtmlTag) => void;
  readonly onComment?: (source: string, place: HtmlPlace) => void;
  readonly onWhole: (whole: WholeElement) => void;
}

/** Whether a comment ends by itself, not with the text. */
const isClosed = (comment: string): boolean => (comment.startsWith('<!--') ? /--!?>$/ : />$/).test(comment);

/** Reads the tags and plain comments outside of the elements of `WHOLE`, and these elements as far as they are closed. @returns where an element that stays open begins */
export function* readParts(html: string, { onTag, onEnd, onComment, onWhole }: PartVisitor): Steps<number> {
  let open = null as OpenWhole | null;
  const finish = (tag: HtmlTag, to: number): void => {
    open = null;
    onWhole({ from: tag.from, to, start: html.slice(tag.from, tag.to), rest: html.slice(tag.to, to) });
  };
  yield* readHtmlSteps(
    html,
    {
      start: (tag) => {
        if (open !== null) open.depth += tag.name === open.tag.name && !tag.selfClosing ? 1 : 0;
        else if (!WHOLE.has(tag.name)) onTag?.(tag);
        else if (tag.selfClosing && FOREIGN.has(tag.name)) finish(tag, tag.to);
        else open = { tag, depth: 1 };
      },
      end: (tag) => {
        if (open === null) onEnd?.(tag);
        if (open === null || tag.name !== open.tag.name) return;
        open.depth -= 1;
        if (open.depth === 0) finish(open.tag, tag.to);
      },
      comment: (_text, { from, to }) => {
        const source = html.slice(from, to);
        if (open !== null) return;
        if (isPlainPart(source) || !isClosed(source)) onComment?.(source, { from, to });
        else onWhole({ from, to, start: '', rest: source });
      },
    },
    { raw: 'place', positions: true },
  );
  return open === null ? Infinity : open.tag.from;
}

/** The complete elements of a text whose content browsers do not parse as the HTML around them, and its complete comments that are not plain. */
export function* listWholes(html: string): Steps<readonly WholeElement[]> {
  const wholes: WholeElement[] = [];
  yield* readParts(html, {
    onWhole: (whole) => {
      wholes.push(whole);
    },
  });
  return wholes;
}

function toKey({ start, rest }: WholeElement): string | null {
  if (start === '') return rest;
  const tag = readPlainStart(start);
  return tag === null ? null : toSignature(tag) + rest;
}

/** Lists the markup of the source of a translation. */
export function* readOwnMarkup(source: string): Steps<OwnMarkup> {
  if (!source.includes('<')) return NO_MARKUP;
  const own = { tags: new Set<string>(), comments: new Set<string>(), wholes: new Set<string>() };
  const add = (set: Set<string>, key: string | null): void => {
    if (key !== null) set.add(key);
  };
  yield* readParts(source, {
    onTag: (tag) => add(own.tags, signatureAt(source, tag)),
    onComment: (comment) => own.comments.add(comment),
    onWhole: (whole) => add(own.wholes, toKey(whole)),
  });
  return own;
}

/** Whether the source has this tag, apart from the texts in its attributes. */
export const isOwnTag = ({ tags }: OwnMarkup, tag: PlainStart): boolean =>
  tags.has(toSignature(tag)) && !hasMarkup(tag);

/** The element, if the source has it; otherwise null. */
export function toOwnWhole({ wholes }: OwnMarkup, whole: WholeElement): string | null {
  if (whole.start === '') return wholes.has(whole.rest) ? whole.rest : null;
  const tag = readPlainStart(whole.start);
  return tag === null || hasMarkup(tag) || !wholes.has(toSignature(tag) + whole.rest)
    ? null
    : whole.start + whole.rest;
}
