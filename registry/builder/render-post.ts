import { hasBlocks } from '../content/blocks.ts';
import { addParagraphs } from '../content/paragraphs.ts';
import { finish, renderBlocks } from '../content/render.ts';
import { sanitiseContent } from '../content/sanitise.ts';
import { NodeRenderer, type RenderParts } from './render.ts';
import { parseShortcodes } from './shortcode-parser.ts';

/** What the content of a post is rendered for. */
export interface PostPlace {
  readonly siteUrl: string;
  /** As in `Rendering`. */
  readonly footnotes: string;
}

/** Shortcodes in the contents of posts. */
export interface PostShortcodes {
  /** Whether the content may have a shortcode that the site renders. */
  has(content: string): boolean;
  /** `content.rendered` of such a content. @throws RestError `builder_nested_too_deep`, `builder_too_many_shortcodes`, and what a shortcode throws */
  render(content: string, place: PostPlace): Promise<string>;
  /** The collections on which the shortcodes of a content depend; null if that is not known. undefined: of any content. */
  readsOf(content?: string): readonly string[] | null;
}

/** The names of the shortcodes whose tags the content may have. */
function createNames(shortcodes: RenderParts['shortcodes']): (content: string) => readonly string[] {
  // Names are letters, digits, hyphens and underscores.
  const tag = new RegExp(`\\[(${[...shortcodes.keys()].toSorted((left, right) => right.length - left.length).join('|')})(?=[\\s/\\]])`, 'gi');
  return (content) => (content.includes('[') ? [...new Set([...content.matchAll(tag)].map(([, name = '']) => name.toLowerCase()))] : []);
}

/** Renders known shortcodes between blocks or paragraphs. Unknown ones stay as they are, as in WordPress. */
async function renderPost(parts: RenderParts, content: string, { siteUrl, footnotes }: PostPlace): Promise<string> {
  const isBlocks = hasBlocks(content);
  const source = isBlocks ? renderBlocks(content, { footnotes }) : content;
  const renderer = new NodeRenderer(parts, { siteUrl, finish: isBlocks ? (text) => text : addParagraphs });
  const html = await renderer.renderFlow(parseShortcodes(source, (name) => parts.shortcodes.has(name), { knownOnly: true }));
  return finish(content, html, sanitiseContent);
}

/** The shortcodes of the site in the contents of posts. */
export function createPostShortcodes(parts: RenderParts): PostShortcodes {
  const namesIn = createNames(parts.shortcodes);
  return {
    has: (content) => namesIn(content).length > 0,
    render: (content, place) => renderPost(parts, content, place),
    readsOf(content) {
      const reads = (content === undefined ? [...parts.shortcodes.keys()] : namesIn(content)).map((name) => parts.shortcodes.get(name)?.reads);
      return reads.every((each) => each !== undefined) ? [...new Set(reads.flat())] : null;
    },
  };
}
