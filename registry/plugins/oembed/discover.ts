import { type HtmlTag, readHtml } from '../../plugin.ts';

interface DiscoveredLink {
  readonly url: string;
  readonly isXml: boolean;
}

/** In order of preference. */
const TYPES = [
  ['application/json+oembed', false],
  ['text/xml+oembed', true],
  ['application/xml+oembed', true],
] as const;
/** Maximum number of oEmbed links to read; a page has one or two. */
const MAX_LINKS = 50;

function attribute({ attributes }: HtmlTag, name: string): string {
  return attributes.find((each) => each.name === name)?.value ?? '';
}

function typeOf(tag: HtmlTag): string {
  return attribute(tag, 'type').trim().toLowerCase();
}

function isAlternate(tag: HtmlTag): boolean {
  return (
    tag.name === 'link' &&
    attribute(tag, 'rel').toLowerCase().split(/\s+/).includes('alternate') &&
    TYPES.some(([type]) => type === typeOf(tag))
  );
}

/** The oEmbed address in the head of a page, JSON before XML; null if there is none. `page`: the address of the page. */
export function discoverLink(html: string, page: string): DiscoveredLink | null {
  const links: HtmlTag[] = [];
  let inHead = true;
  readHtml(html, {
    // Links in the body do not count: someone who can write into the body must not speak for the page.
    start: (tag) => {
      if (tag.name === 'body') inHead = false;
      else if (inHead && links.length < MAX_LINKS && isAlternate(tag)) links.push(tag);
    },
    end: ({ name }) => {
      if (name === 'head') inHead = false;
    },
  });
  for (const [type, isXml] of TYPES) {
    const hrefs = links.filter((link) => typeOf(link) === type).map((link) => attribute(link, 'href').trim());
    const href = hrefs.find((each) => each !== '' && URL.canParse(each, page));
    if (href !== undefined) return { url: new URL(href, page).href, isXml };
  }
  return null;
}
