import type { StoredRecord } from '../../../../lib/index.ts';
import {
  type HtmlAttribute,
  type HtmlReading,
  type HtmlVisitor,
  IMPLIED_ENDS,
  type Pause,
  VOID_ELEMENTS,
  createHtmlReader,
  own,
} from '../../../plugin.ts';
import type { OwnSite } from './address.ts';
import {
  listAddresses,
  MAX_ADDRESSES,
  MAX_ELEMENTS,
  MAX_TEXT,
  type PostText,
  type ScannedAddress,
  type ScannedElement,
  type ScannedLink,
} from './post-text.ts';
import { isHiding } from './style.ts';

/** Number of characters that are parsed without a pause. */
const PART = 8192;
const MAX_DEPTH = 256;
/** Maximum number of characters of a title that are parsed. */
const MAX_TITLE = 20_000;
/** Elements whose name matters although they have no attributes. */
const ACTIVE: ReadonlySet<string> = new Set(
  'script style object embed applet base meta form iframe use foreignobject'.split(' '),
);
/** Elements whose content a browser parses as text in one place and as markup in another (SVG, MathML, after a mutation). */
const RAW = /<(?:script|style|title|textarea|xmp|iframe|noembed|noframes|noscript|plaintext)/i;
const FOREIGN = /<(?:svg|math)/i;
/** Appended to every text, so that an unfinished tag ends there, as it would end somewhere in the page around the text. */
const TAIL = ' "\'>';
const TAIL_TEXT = TAIL.trimStart();

/** Elements that show code, and elements whose content readers do not see. */
const CODE: ReadonlySet<string> = new Set(['code', 'pre', 'kbd', 'samp', 'tt', 'xmp', 'textarea']);
const NO_TEXT: ReadonlySet<string> = new Set(['script', 'style']);
/** Elements within a line: all others separate words. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite em font i ins mark q s small span strong sub sup u wbr'.split(' '),
);

interface Open {
  readonly name: string;
  readonly hidden: boolean;
  readonly isCode: boolean;
  readonly link: ScannedLink | null;
}

function isWorthKeeping(name: string, attributes: readonly HtmlAttribute[]): boolean {
  return attributes.length > 0 || ACTIVE.has(name);
}

function toElement(name: string, attributes: readonly HtmlAttribute[], hidden: boolean): ScannedElement {
  return { name, attributes: new Map(attributes.map((each) => [each.name, each.value])), text: '', hidden };
}

/** Keeps an element and its addresses up to the limit. @returns the addresses that were kept */
function keep(text: PostText, element: ScannedElement, own: OwnSite): readonly ScannedAddress[] {
  const isFull = text.elements.length >= MAX_ELEMENTS || text.addresses.length >= MAX_ADDRESSES;
  text.crowded ||= isFull;
  if (isFull) return [];
  const addresses = listAddresses(element, own).slice(0, MAX_ADDRESSES);
  text.elements.push(element);
  text.addresses.push(...addresses);
  return addresses;
}

/** Appends to a text, up to the limit. */
function addText(text: string, part: string): string {
  return text.length >= MAX_TEXT ? text : text + part.slice(0, MAX_TEXT - text.length);
}

/** Collects what the rules need while a text is parsed. */
function createNotes(post: PostText, own: OwnSite) {
  const open: Open[] = [];
  /** The script or style that is open. */
  let inside: ScannedElement | null = null;

  function noteLink(element: ScannedElement): ScannedLink | null {
    const target = keep(post, element, own).find(({ link, external }) => link && external)?.url ?? null;
    if (target === null) return null;
    const link = { url: target, hidden: element.hidden, length: 0 };
    post.links.push(link);
    return link;
  }

  return {
    start: ({ name, attributes, selfClosing }) => {
      while (IMPLIED_ENDS.get(open.at(-1)?.name ?? '')?.has(name) === true) open.pop();
      const around = open.at(-1);
      const style = attributes.find((each) => each.name === 'style')?.value;
      const hidden = around?.hidden === true || (style !== undefined && isHiding(style));
      const element = isWorthKeeping(name, attributes) ? toElement(name, attributes, hidden) : null;
      const link = element === null ? null : noteLink(element);
      if (NO_TEXT.has(name)) inside = element;
      if (!INLINE.has(name)) post.words = addText(post.words, ' ');
      if (!VOID_ELEMENTS.has(name) && !selfClosing && open.length < MAX_DEPTH)
        open.push({
          name,
          hidden,
          isCode: around?.isCode === true || CODE.has(name),
          link: link ?? around?.link ?? null,
        });
    },
    end: ({ name }) => {
      if (NO_TEXT.has(name)) inside = null;
      const index = open.findLastIndex((each) => each.name === name);
      if (index !== -1) open.length = index;
    },
    text: (part) => {
      const around = open.at(-1);
      if (inside !== null) inside.text += part;
      else if (around?.isCode === true) post.code = addText(post.code, part);
      else post.words = addText(post.words, part);
      const { length } = part.replaceAll(/\s+/g, '');
      post.length += length;
      const link = around?.link ?? null;
      if (link !== null) link.length += length;
    },
    comment: (text) => {
      // The comments of a style in SVG are read as markup as well; see `readPost`.
      if (inside === null && open.at(-1)?.isCode !== true && post.comments.length < MAX_ELEMENTS)
        post.comments.push(text);
    },
  } satisfies HtmlVisitor;
}

/** Collects tags that the first parse read as text. Tags that it found as well are left out. */
function createMoreNotes(post: PostText, own: OwnSite): HtmlVisitor {
  const known = new Set(post.elements.map(toKey));
  return {
    start: ({ name, attributes }) => {
      if (!isWorthKeeping(name, attributes)) return;
      const element = toElement(name, attributes, false);
      const key = toKey(element);
      if (known.has(key)) return;
      known.add(key);
      keep(post, element, own);
    },
  };
}

function toKey({ name, attributes }: ScannedElement): string {
  return JSON.stringify([name, ...attributes]);
}

async function read(
  html: string,
  visitor: HtmlVisitor,
  { pause, ...reading }: HtmlReading & { pause: Pause },
): Promise<void> {
  if (html === '') return;
  const text: HtmlVisitor['text'] = (part, place) =>
    visitor.text?.(part.endsWith(TAIL_TEXT) ? part.slice(0, -TAIL_TEXT.length) : part, place);
  const reader = createHtmlReader({ ...visitor, text }, reading);
  for (let from = 0; from < html.length; from += PART) {
    reader.write(html.slice(from, from + PART), false);
    await pause();
  }
  reader.write(TAIL, true);
}

function text(record: StoredRecord, field: string): string {
  const value = own(record, field);
  return typeof value === 'string' ? value : '';
}

/**
 * Parses a stored post or revision: content, excerpt and title are parsed as in a browser. Texts with script, style and similar
 * elements are parsed again in other ways, because a text may end up in a different context than expected.
 */
export async function readPost(
  record: StoredRecord,
  kind: PostText['kind'],
  { own, pause }: { own: OwnSite; pause: Pause },
): Promise<PostText> {
  const post: PostText = {
    id: record.id,
    kind,
    slug: text(record, 'slug'),
    password: text(record, 'password'),
    title: '',
    elements: [],
    addresses: [],
    links: [],
    words: '',
    code: '',
    comments: [],
    length: 0,
    crowded: false,
  };
  const title = text(record, 'title').slice(0, MAX_TITLE);
  const texts = [text(record, 'content'), text(record, 'excerpt')];
  const { start, end } = createNotes(post, own);
  const toTitle = (part: string): void => {
    post.title += part;
  };
  await read(title, { start, end, text: toTitle }, { pause, raw: 'place' });
  post.title = post.title.trimEnd();
  for (const html of texts) await read(html, createNotes(post, own), { pause, raw: 'place' });
  for (const html of [...texts, title]) {
    if (!RAW.test(html)) continue;
    await read(html, createMoreNotes(post, own), { pause, raw: false });
    if (FOREIGN.test(html)) await read(html, createMoreNotes(post, own), { pause, raw: true });
  }
  return post;
}
