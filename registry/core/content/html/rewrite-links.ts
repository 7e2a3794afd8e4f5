import type { Steps } from '../../../../lib/core/cooperative.ts';
import { escapeQuotesOnce } from '../../../../lib/core/escape.ts';
import { type HtmlTag, readHtmlSteps } from './html.ts';
import { readPlainStart, rewriteAttributes } from './plain-markup.ts';

/** A link. `address`: decoded. `written`: as in the text, without quotes. */
export interface Link {
  readonly address: string;
  readonly written: string;
}

/** Returns the new address, in which `&` and quotes may be written as in HTML; null to leave the link as it is. */
type RewriteLink = (link: Link) => string | null;

const LINKS: ReadonlySet<string> = new Set(['a', 'area']);

/** A tag with its first `href` rewritten; null if nothing changed, and for a tag that parsers may read differently. */
function rewriteTag(source: string, address: string, rewrite: RewriteLink): string | null {
  const tag = readPlainStart(source);
  if (tag === null) return null;
  let isFirst = true;
  const attributes = rewriteAttributes(tag.attributes, (attribute) => {
    if (!isFirst || attribute.name.toLowerCase() !== 'href' || attribute.value === '')
      return attribute.source;
    isFirst = false;
    const quote = /^["']/.exec(attribute.value)?.[0] ?? '';
    const changed = rewrite({
      address,
      written: quote === '' ? attribute.value : attribute.value.slice(1, -1),
    });
    if (changed === null) return attribute.source;
    return `${attribute.source.slice(0, -attribute.value.length)}${quote || '"'}${changed.replaceAll(/["'<>]/g, escapeQuotesOnce)}${quote || '"'}`;
  });
  return attributes === tag.attributes
    ? null
    : `<${tag.name}${attributes}${source.slice(1 + tag.name.length + tag.attributes.length)}`;
}

/** Rewrites the `href` of the links of a text. Everything else stays byte for byte. */
export function* rewriteLinks(html: string, rewrite: RewriteLink): Steps<string> {
  if (!/href/i.test(html)) return html;
  const parts: string[] = [];
  let copied = 0;
  const start = (tag: HtmlTag): void => {
    const href = LINKS.has(tag.name) ? tag.attributes.find(({ name }) => name === 'href') : undefined;
    const written = href === undefined ? null : rewriteTag(html.slice(tag.from, tag.to), href.value, rewrite);
    if (written === null) return;
    parts.push(html.slice(copied, tag.from), written);
    copied = tag.to;
  };
  yield* readHtmlSteps(html, { start }, { raw: 'place', positions: true });
  return copied === 0 ? html : parts.join('') + html.slice(copied);
}
