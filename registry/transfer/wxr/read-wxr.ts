import { own } from '../../../lib/core/objects.ts';
import { textOf, type XmlElement, XmlError } from '../../core/content/xml.ts';
import { found, leftOut, type ReadResult } from '../items/item.ts';
import type { ReadContext } from '../items/read-context.ts';
import { type DecodedText, decodeXml } from './decode.ts';
import { readAuthor, TERM_ELEMENTS, TermReader } from './wxr-head.ts';
import { readItem } from './wxr-item.ts';
import { parseChild, readNamespaces, WxrState } from './wxr-state.ts';

/** A child of the channel: its source text, or why it cannot be read. */
interface Fragment {
  /** Name as written, with its prefix: `item`, `wp:author`. */
  readonly name: string;
  readonly text: string;
  /** Line on which it begins, from 1. */
  readonly line: number;
  readonly fault?: string | undefined;
}

/** Elements that contain the children: their start tags declare the namespaces. */
const WRAPPERS: ReadonlySet<string> = new Set(['rss', 'channel']);
/** Largest child, in characters. */
export const MOST_FRAGMENT = 32 * 1024 * 1024;
const TOO_LARGE = `it is larger than ${MOST_FRAGMENT} characters`;
const GROWTH = 0.25;
const MOST_WRAPPERS = 65_536;
const NAME = String.raw`[A-Za-z_][\w.:-]*`;
/** Between the children: sections that contain text only, the document type, and tags. */
const BETWEEN = new RegExp(String.raw`<!\[CDATA\[|<!--|<\?|<!|<(/?)(${NAME})`, 'g');
const ENDS: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>', '<!': '>' };

interface Open {
  readonly name: string;
  readonly line: number;
  readonly marks: RegExp;
}

/** Within a child: sections, its end tag, and the start of an item, which shows that the child was never closed. */
const marksOf = (name: string): RegExp =>
  new RegExp(String.raw`<!\[CDATA\[|<!--|</${name}\s*>|<item[\s>]`, 'g');

/**
 * Splits the text of a WXR file into the children of its channel, while the text arrives. It looks only for the ends of the children
 * outside of CDATA sections, so that a child that is not well-formed does not affect the next one.
 */
class FragmentSplitter {
  /** Start tags of the elements that contain the children, as written. */
  wrappers = '';
  #rest = '';
  #waiting: string[] = [];
  #waitingLength = 0;
  /** How far `#rest` was searched. */
  #at = 0;
  #line = 1;
  #open: Open | null = null;
  /** The end that the section at `#at` waits for; '' outside of sections. */
  #section = '';
  #isOver = false;

  /** Adds text and yields the children that it completes. */
  *push(text: string): Generator<Fragment> {
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    // Joining and searching costs as much as the text is long, so a long child is searched only when it has grown by a part of its length.
    if (this.#waitingLength >= this.#rest.length * GROWTH) yield* this.#split();
  }

  *#split(): Generator<Fragment> {
    this.#rest += this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    for (;;) {
      const step = this.#section === '' ? this.#step() : this.#skipSection();
      if (step === 'more') break;
      if (step !== 'next') yield step;
    }
    if (this.#open === null) this.#drop(this.#at);
    else if (this.#rest.length > MOST_FRAGMENT) yield this.#giveUp(TOO_LARGE, this.#at);
  }

  /** Yields the last children, and one in which the text ends. Returns whether the channel was closed. */
  *finish(): Generator<Fragment, boolean> {
    yield* this.#split();
    const isOpen = this.#open !== null;
    if (isOpen) yield this.#giveUp('the file ends within it', this.#rest.length);
    return this.#isOver && !isOpen;
  }

  #drop(end: number): void {
    for (let at = this.#rest.indexOf('\n'); at !== -1 && at < end; at = this.#rest.indexOf('\n', at + 1))
      this.#line += 1;
    this.#rest = this.#rest.slice(end);
    this.#at -= end;
  }

  #close(end: number, fault?: string): Fragment {
    const { name, line } = this.#open as Open;
    const text = this.#rest.slice(0, end);
    this.#open = null;
    this.#at = end;
    this.#drop(end);
    return { name, line, text, fault };
  }

  #giveUp(fault: string, end: number): Fragment {
    this.#section = '';
    return { ...this.#close(end, fault), text: '' };
  }

  #skipSection(): 'more' | 'next' {
    const end = this.#rest.indexOf(this.#section, this.#at);
    if (end === -1) {
      this.#at = Math.max(this.#at, this.#rest.length - this.#section.length + 1);
      return 'more';
    }
    this.#at = end + this.#section.length;
    this.#section = '';
    return 'next';
  }

  /** A mark that may continue in text that has not arrived yet. */
  #isPartial(mark: number): boolean {
    const LONGEST = 512;
    return (
      this.#rest.length - mark < LONGEST &&
      this.#rest.indexOf('>', mark) === -1 &&
      !this.#rest.startsWith('<![CDATA[', mark)
    );
  }

  #find(marks: RegExp): RegExpExecArray | null {
    // Text before the last `<` cannot begin a mark that is still incomplete.
    marks.lastIndex = this.#at;
    const found = marks.exec(this.#rest);
    if (found === null) {
      const last = this.#rest.lastIndexOf('<');
      this.#at = last >= this.#at && this.#isPartial(last) ? last : this.#rest.length;
    } else if (found[0] !== '<!--' && this.#isPartial(found.index)) {
      this.#at = found.index;
      return null;
    }
    return found;
  }

  #step(): Fragment | 'more' | 'next' {
    const found = this.#find(this.#open?.marks ?? BETWEEN);
    if (found === null) return 'more';
    const [mark] = found;
    const section = own(ENDS, mark);
    if (section !== undefined) {
      this.#section = section;
      this.#at = found.index + mark.length;
      return 'next';
    }
    return this.#open === null ? this.#tag(found) : this.#inner(found);
  }

  #inner({ 0: mark, index }: RegExpExecArray): Fragment | 'next' {
    const { name } = this.#open as Open;
    if (mark.startsWith('</'))
      return index > MOST_FRAGMENT
        ? this.#giveUp(TOO_LARGE, index + mark.length)
        : this.#close(index + mark.length);
    if (index === 0) {
      this.#at = mark.length;
      return 'next';
    }
    return { ...this.#close(index, `<${name}> is not closed before the next item`), text: '' };
  }

  #tag({ 1: slash, 2: name = '', index }: RegExpExecArray): Fragment | 'next' {
    const end = this.#rest.indexOf('>', index) + 1;
    if (slash === '/' || WRAPPERS.has(name)) {
      if (slash === '/' && name === 'channel') this.#isOver = true;
      if (slash === '' && this.wrappers.length < MOST_WRAPPERS) this.wrappers += this.#rest.slice(index, end);
      this.#at = end;
      return 'next';
    }
    this.#at = index;
    this.#drop(index);
    this.#open = { name, line: this.#line, marks: marksOf(name) };
    this.#at = end - index;
    return this.#rest[this.#at - 2] === '/' ? this.#close(this.#at) : 'next';
  }
}

const END = ']]>';
/** How `]]>` is written within a section: it is divided between two. */
const DIVIDED = ']]]]><![CDATA[>';
/** Elements without an end after which the rest of the text is left as it is, so that the time stays in proportion to its length. */
const MOST_OPEN = 16;
const OPENED = /<([\w.:-]+)(?:\s[^<>]*)?>\s*<!\[CDATA\[/g;

/** Where the element that begins with this section ends: at a section's end followed by its end tag. -1: nowhere. */
function findEnd(text: string, name: string, from: number): number {
  const tag = `</${name}>`;
  for (let end = text.indexOf(tag, from); end !== -1; end = text.indexOf(tag, end + 1)) {
    const before = text.slice(from, end).trimEnd();
    if (before.endsWith(END)) return from + before.length - END.length;
  }
  return -1;
}

/**
 * Divides each `]]>` that stands within a text. Old versions and plugins write it as it is, so that the section ends too early. An element
 * is believed to reach from the beginning of its section to the first end of one that its end tag follows.
 */
export function splitSections(text: string): string {
  let repaired = '';
  let done = 0;
  let open = 0;
  OPENED.lastIndex = 0;
  for (let found = OPENED.exec(text); found !== null && open < MOST_OPEN; found = OPENED.exec(text)) {
    const from = found.index + found[0].length;
    const end = findEnd(text, found[1] ?? '', from);
    if (end === -1) {
      open += 1;
      continue;
    }
    repaired +=
      text.slice(done, from) + text.slice(from, end).replaceAll(DIVIDED, END).replaceAll(END, DIVIDED);
    done = end;
    OPENED.lastIndex = end;
  }
  return repaired + text.slice(done);
}

/** Settings that the channel names, by element. They are written only where the site has none. */
const SETTINGS: Readonly<Record<string, string>> = { title: 'name', description: 'description' };

/** What the decoder writes for bytes that are not of the encoding. */
const REPLACED = '\u{FFFD}';

/** Reads one WXR file. */
class WxrReader {
  readonly #splitter = new FragmentSplitter();
  readonly #state: WxrState;
  readonly #terms: TermReader;
  #namespaces: Readonly<Record<string, string>> | null = null;
  #items = 0;
  /** All bytes so far are of the encoding. */
  #isExact = true;

  constructor(context: ReadContext) {
    this.#state = new WxrState(context);
    this.#terms = new TermReader(this.#state);
  }

  *push({ text, isExact }: DecodedText): Generator<ReadResult> {
    this.#isExact = isExact;
    for (const fragment of this.#splitter.push(text)) yield* this.#read(fragment);
  }

  *finish(): Generator<ReadResult> {
    const rest = this.#splitter.finish();
    let step = rest.next();
    for (; step.done !== true; step = rest.next()) yield* this.#read(step.value);
    yield* this.#terms.take();
    if (this.#splitter.wrappers === '')
      throw new TypeError('the file is not a WXR file: it has no <channel>');
    if (!step.value)
      yield leftOut(
        'end of the file',
        'the rest of the file',
        'the file ends before </channel>; it was cut off',
      );
  }

  #toPlace({ name, line }: Fragment): string {
    if (name === 'item') this.#items += 1;
    return name === 'item' ? `item ${this.#items} (line ${line})` : `<${name}> (line ${line})`;
  }

  #parse({ text, fault }: Fragment): XmlElement | string {
    if (fault !== undefined) return fault;
    this.#namespaces ??= readNamespaces(this.#splitter.wrappers);
    try {
      return parseChild(text, this.#namespaces);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      return this.#parseRepaired(text) ?? `it is not well-formed: ${error.message} (its line ${error.line})`;
    }
  }

  /** null: it cannot be repaired. */
  #parseRepaired(text: string): XmlElement | null {
    const repaired = splitSections(text);
    if (repaired === text) return null;
    try {
      return parseChild(repaired, this.#namespaces ?? {});
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      return null;
    }
  }

  *#read(fragment: Fragment): Generator<ReadResult> {
    const place = this.#toPlace(fragment);
    const element = this.#parse(fragment);
    if (typeof element === 'string') yield leftOut(place, fragment.name, element);
    else if (!this.#isExact && fragment.text.includes(REPLACED))
      yield leftOut(
        place,
        `characters of <${fragment.name}>`,
        'its bytes are not of the encoding that the file declares; U+FFFD stands for them',
      );
    if (typeof element === 'string') return;
    yield* this.#readElement(element, place);
  }

  *#readElement(element: XmlElement, place: string): Generator<ReadResult> {
    if (element.name === 'item') {
      yield* this.#terms.take();
      yield* readItem(this.#state, element, place);
    } else if (element.name === 'wp:author') {
      yield readAuthor(this.#state, element, place);
    } else if (own(TERM_ELEMENTS, element.name) !== undefined) {
      this.#terms.declare(element, place);
    } else {
      const key = own(SETTINGS, element.name);
      if (key !== undefined)
        yield found({
          place,
          collection: 'options',
          id: this.#state.makeId('option', key),
          values: { group: 'site', key, value: textOf(element) },
        });
    }
  }
}

/**
 * Reads an export of WordPress (WXR 1.0 to 1.2) while it arrives. An item that cannot be read is left out, and does not affect the others.
 * @throws TypeError if the file is not WXR, or its encoding is not known
 */
export async function* readWxr(
  bytes: AsyncIterable<Uint8Array>,
  context: ReadContext,
): AsyncGenerator<ReadResult> {
  const reader = new WxrReader(context);
  for await (const text of decodeXml(bytes)) yield* reader.push(text);
  yield* reader.finish();
}
