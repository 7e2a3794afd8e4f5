import { toStartTag } from '../html/html-tree.ts';
import { readHtml, type HtmlAttribute } from '../html/html.ts';

const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'poster', 'cite', 'longdesc']);

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
