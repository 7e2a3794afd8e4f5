import type { StoredRecord } from '../../../../lib/index.ts';
import {
  type HtmlAttribute,
  type HtmlReading,
  type HtmlTag,
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
class Notes implements HtmlVisitor {
  readonly #text: PostText;
  readonly #own: OwnSite;
  readonly #open: Open[] = [];
  /** The script or style that is open. */
  #inside: ScannedElement | null = null;

  constructor(text: PostText, own: OwnSite) {
    this.#text = text;
    this.#own = own;
  }

  readonly start = ({ name, attributes, selfClosing }: HtmlTag): void => {
    while (IMPLIED_ENDS.get(this.#open.at(-1)?.name ?? '')?.has(name) === true) this.#open.pop();
    const style = attributes.find((each) => each.name === 'style')?.value;
    const hidden = this.#open.at(-1)?.hidden === true || (style !== undefined && isHiding(style));
    const element = isWorthKeeping(name, attributes) ? toElement(name, attributes, hidden) : null;
    const link = element === null ? null : this.#note(element, hidden);
    if (NO_TEXT.has(name)) this.#inside = element;
    if (!INLINE.has(name)) this.#text.words = addText(this.#text.words, ' ');
    if (!VOID_ELEMENTS.has(name) && !selfClosing && this.#open.length < MAX_DEPTH) {
      const around = this.#open.at(-1);
      this.#open.push({
        name,
        hidden,
        isCode: around?.isCode === true || CODE.has(name),
        link: link ?? around?.link ?? null,
      });
    }
  };

  readonly end = ({ name }: HtmlTag): void => {
    if (NO_TEXT.has(name)) this.#inside = null;
    const index = this.#open.findLastIndex((open) => open.name === name);
    if (index !== -1) this.#open.length = index;
  };

  readonly text = (part: string): void => {
    if (this.#inside !== null) this.#inside.text += part;
    else if (this.#open.at(-1)?.isCode === true) this.#text.code = addText(this.#text.code, part);
    else this.#text.words = addText(this.#text.words, part);
    const { length } = part.replaceAll(/\s+/g, '');
    this.#text.length += length;
    const link = this.#open.at(-1)?.link;
    if (link !== null && link !== undefined) link.length += length;
  };

  readonly comment = (text: string): void => {
    // The comments of a style in SVG are read as markup as well; see `readPost`.
    if (
      this.#inside === null &&
      this.#open.at(-1)?.isCode !== true &&
      this.#text.comments.length < MAX_ELEMENTS
    )
      this.#text.comments.push(text);
  };

  #note(element: ScannedElement, hidden: boolean): ScannedLink | null {
    const addresses = keep(this.#text, element, this.#own);
    const target = addresses.find((address) => address.link && address.external)?.url;
    if (target === undefined || target === null) return null;
    const link = { url: target, hidden, length: 0 };
    this.#text.links.push(link);
    return link;
  }
}

/** Collects tags that the first parse read as text. Tags that it found as well are left out. */
class MoreNotes implements HtmlVisitor {
  readonly #text: PostText;
  readonly #own: OwnSite;
  readonly #known: Set<string>;

  constructor(text: PostText, own: OwnSite) {
    this.#text = text;
    this.#own = own;
    this.#known = new Set(text.elements.map(toKey));
  }

  readonly start = ({ name, attributes }: HtmlTag): void => {
    if (!isWorthKeeping(name, attributes)) return;
    const element = toElement(name, attributes, false);
    const key = toKey(element);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    keep(this.#text, element, this.#own);
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
  const titleNotes = new Notes(post, own);
  await read(
    text(record, 'title').slice(0, MAX_TITLE),
    {
      start: titleNotes.start,
      end: titleNotes.end,
      text: (part) => {
        post.title += part;
      },
    },
    { pause, raw: 'place' },
  );
  post.title = post.title.trimEnd();
  for (const html of [text(record, 'content'), text(record, 'excerpt')])
    await read(html, new Notes(post, own), { pause, raw: 'place' });
  for (const html of [
    text(record, 'content'),
    text(record, 'excerpt'),
    text(record, 'title').slice(0, MAX_TITLE),
  ]) {
    if (!RAW.test(html)) continue;
    await read(html, new MoreNotes(post, own), { pause, raw: false });
    if (FOREIGN.test(html)) await read(html, new MoreNotes(post, own), { pause, raw: true });
  }
  return post;
}
