import { randomUUID } from 'node:crypto';
import { runSteps } from '../../../../lib/core/cooperative.ts';
import { RestError } from '../../../../lib/core/errors.ts';
import type { MaybePromise } from '../../../../lib/core/maybe-promise.ts';
import { kindOf } from '../../../../lib/core/objects.ts';
import { wordSet } from '../../../../lib/core/text.ts';
import { TimeLimit } from '../../../../lib/dispatch/time-limit.ts';
import type { Call } from '../../../../lib/route/call.ts';
import type { Store } from '../../../../lib/store/store.ts';
import { hasBlocks, toStoredBlocks } from '../html/blocks.ts';
import { toStartTag } from '../html/html-tree.ts';
import { type HtmlAttribute, readHtml } from '../html/html.ts';
import { createPlaceTest, listTextPlaces } from '../html/plain-text.ts';
import { renderContent } from '../render/render.ts';
import { sanitiseContent, sanitiseTranslation } from '../sanitise/sanitise.ts';
import { parseShortcodes, shortcodeError, type ShortcodeNode, type TextNode } from './shortcode-parser.ts';
import type { RenderedRecord, Shortcode } from './shortcodes.ts';

/** Shares of the time limit of a call: what one shortcode may take, and all shortcodes of a response together. */
const SHARE = { each: 0.1, all: 0.5 } as const;

/** How long the shortcodes of one response may keep it waiting. */
export class ShortcodeTime {
  readonly #eachMs: number;
  #leftMs: number;
  /** Names of shortcodes that took too long. They are not started again, because a list may have them in each of its posts. */
  readonly #late = new Set<string>();

  constructor(handlerTimeoutMs: number) {
    this.#eachMs = handlerTimeoutMs * SHARE.each;
    this.#leftMs = handlerTimeoutMs * SHARE.all;
  }

  /** Runs a shortcode and waits for its promise. @throws Error if that takes too long, or whatever `run` throws */
  async hold<T>(name: string, run: () => MaybePromise<T>): Promise<T> {
    if (this.#late.has(name))
      throw new Error(`the shortcode [${name}] took too long in another place of the same response`);
    const began = performance.now();
    // Without any time left, shortcodes that need none are still rendered.
    const ms = Math.max(1, Math.min(this.#eachMs, this.#leftMs));
    try {
      return await new TimeLimit(ms, {}).hold(run);
    } catch (error) {
      if (!(error instanceof RestError && error.code === 'rest_handler_timeout')) throw error;
      this.#late.add(name);
      throw new Error(`the shortcode [${name}] did not answer within ${Math.round(ms)} ms`, { cause: error });
    } finally {
      this.#leftMs -= performance.now() - began;
    }
  }
}

const ADDRESSES = wordSet('href src poster cite longdesc');

function toAbsolute(address: string, base: string): string {
  const text = address.trim();
  // A fragment stays within the page, and an address with a scheme is already absolute.
  if (text === '' || text.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(text) || !URL.canParse(text, base))
    return address;
  return new URL(text, base).href;
}

function toAbsoluteSet(set: string, base: string): string {
  return set
    .split(',')
    .map((each) => {
      const [address = '', ...size] = each.trim().split(/\s+/);
      return [toAbsolute(address, base), ...size].join(' ');
    })
    .join(', ');
}

function toAbsoluteAttribute({ name, value }: HtmlAttribute, base: string): HtmlAttribute {
  if (ADDRESSES.has(name)) return { name, value: toAbsolute(value, base) };
  return name === 'srcset' ? { name, value: toAbsoluteSet(value, base) } : { name, value };
}

/** Makes every relative address in clean markup absolute. `base`: address of a page, ending in a slash. */
export function absolutiseLinks(html: string, base: string): string {
  const parts: string[] = [];
  let done = 0;
  readHtml(
    html,
    {
      start: ({ name, attributes, selfClosing, from, to }) => {
        if (!attributes.some((attribute) => ADDRESSES.has(attribute.name) || attribute.name === 'srcset'))
          return;
        parts.push(
          html.slice(done, from),
          toStartTag(
            name,
            attributes.map((attribute) => toAbsoluteAttribute(attribute, base)),
            selfClosing,
          ),
        );
        done = to;
      },
    },
    { positions: true },
  );
  return parts.join('') + html.slice(done);
}

// Nobody can write it into a text, because it differs in each process.
const MARK = `inner-${randomUUID()}`;

/** Whether the mark stands in the text of this markup, and nowhere else. */
function isMarkText(html: string): boolean {
  const isText = createPlaceTest(listTextPlaces(html));
  for (let from = html.indexOf(MARK); from !== -1; from = html.indexOf(MARK, from + MARK.length)) {
    if (!isText({ from, to: from + MARK.length })) return false;
  }
  return true;
}

/** Characters of the content that are looked for, and most places where they stand but the rest does not. */
const SEARCH = { head: 200, misses: 20 } as const;

/** The markup with the mark in place of each `body`; null if that is hard to find: in texts that repeat themselves, looking for one as a whole takes its length for each place. */
function markBody(html: string, body: string): string | null {
  const head = body.slice(0, SEARCH.head);
  const parts: string[] = [];
  let done = 0;
  let misses = 0;
  for (let at = html.indexOf(head); at !== -1; at = html.indexOf(head, at)) {
    if (html.startsWith(body, at)) {
      parts.push(html.slice(done, at));
      done = at + body.length;
      at = done;
    } else {
      misses += 1;
      if (misses > SEARCH.misses) return null;
      at += 1;
    }
  }
  return [...parts, html.slice(done)].join(MARK);
}

/**
 * Cleans what a shortcode or a block adds to its rendered content `inner`. That content stays as it is: it is text of the post, which was cleaned
 * when it was stored unless its author may write everything, and outputs that were cleaned before. What a shortcode adds is made of attributes
 * and encoded texts, which nobody cleaned when they were stored.
 */
export function cleanOutput(html: string, inner: string): string {
  if (html === inner) return inner;
  const body = inner.trim();
  if (!body.includes('<')) return sanitiseContent(html);
  const shell = markBody(html, body);
  const clean = shell === null ? '' : sanitiseContent(shell);
  if (clean.includes(MARK) && isMarkText(clean)) return clean.replaceAll(MARK, () => body);
  return runSteps(sanitiseTranslation(html, inner));
}

/** What rendering needs in addition to the content: the `store`, and the `shortcodes` of the site by name. */
export interface RenderParts {
  readonly store: Store;
  readonly shortcodes: ReadonlyMap<string, Shortcode>;
}

const MAX_BYTES = 1_000_000;

/** `time`: absent if only the time limit of the call counts. */
interface Site {
  readonly siteUrl: string;
  readonly finish: (text: string) => MaybePromise<string>;
  readonly call: Call;
  /** Absent: the content is that of no post. */
  readonly record?: RenderedRecord;
  readonly time?: ShortcodeTime;
}

/** Renders nodes in order. Runs of text become paragraphs, with block shortcodes between them. */
export class NodeRenderer {
  readonly #parts: RenderParts;
  readonly #site: Site;

  constructor(parts: RenderParts, site: Site) {
    this.#parts = parts;
    this.#site = site;
  }

  async renderFlow(nodes: readonly TextNode[]): Promise<string> {
    const output: string[] = [];
    let run = '';
    const flush = async (): Promise<void> => {
      output.push(await this.#site.finish(run));
      run = '';
    };
    for (const node of nodes) {
      if (typeof node === 'string') run += node;
      else if (this.#isBlock(node)) {
        await flush();
        output.push(await this.#renderCode(node, await this.renderFlow(node.children)));
      } else run += await this.#renderInline(node);
    }
    await flush();
    return output.join('');
  }

  /** A block inside an unknown or inline shortcode does not start a paragraph: its content is part of the sentence. */
  async #renderInline(node: ShortcodeNode): Promise<string> {
    let inner = '';
    for (const child of node.children)
      inner += typeof child === 'string' ? child : await this.#renderInline(child);
    return this.#renderCode(node, inner);
  }

  #isBlock({ name, children }: ShortcodeNode): boolean {
    const known = this.#parts.shortcodes.get(name);
    // An unknown wrapper around blocks is removed, and the blocks are kept.
    return known?.block ?? children.some((child) => typeof child !== 'string' && this.#isBlock(child));
  }

  async #renderCode({ name, attributes }: ShortcodeNode, inner: string): Promise<string> {
    const { store, shortcodes } = this.#parts;
    const known = shortcodes.get(name);
    if (known === undefined) return inner;
    const { siteUrl, time, call, record = null } = this.#site;
    const run = (): MaybePromise<string> => known.render({ attributes, inner, store, siteUrl, call, record });
    const html: unknown = (await (time === undefined ? run() : time.hold(name, run))) ?? inner;
    if (typeof html !== 'string')
      throw new TypeError(`the shortcode [${name}] returned ${kindOf(html)}; it must return HTML as a text`);
    return cleanOutput(html, inner);
  }
}

/**
 * Renders content for readers: blocks without their comments, shortcodes as markup, paragraphs and absolute addresses. The result
 * contains only what an author may write. @throws RestError `builder_content_too_large`, `builder_nested_too_deep`, `builder_too_many_shortcodes`
 */
export async function renderBuilt(parts: RenderParts, content: string, call: Call): Promise<string> {
  if (Buffer.byteLength(content) > MAX_BYTES) throw shortcodeError('builder_content_too_large');
  const stored = toStoredBlocks(content, call.site.names.curie);
  const isBlocks = hasBlocks(stored);
  const source = isBlocks ? renderContent(stored) : stored;
  const renderer = new NodeRenderer(parts, {
    siteUrl: call.request.siteUrl,
    call,
    finish: isBlocks ? (text) => text : (text) => renderContent(text),
  });
  const html = await renderer.renderFlow(parseShortcodes(source, (name) => parts.shortcodes.has(name)));
  // Addresses can only be found in sanitised markup, and sanitising must be the last step.
  return sanitiseContent(absolutiseLinks(sanitiseContent(html), `${call.site.home()}/`));
}
