import { own } from '../../../lib/core/objects.ts';
import { textOf, XmlError, type XmlElement } from '../../core/content/xml.ts';
import type { ReadResult } from '../items/item.ts';
import type { ReadContext } from '../items/read-context.ts';
import { decodeXml, type DecodedText } from './decode.ts';
import { FragmentSplitter, type Fragment } from './fragments.ts';
import { parseChild, readNamespaces } from './wxr-element.ts';
import { readAuthor, TERM_ELEMENTS, TermReader } from './wxr-head.ts';
import { readItem } from './wxr-item.ts';
import { found, leftOut, WxrState } from './wxr-state.ts';

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
