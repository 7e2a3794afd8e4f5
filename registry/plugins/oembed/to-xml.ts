import { escapeXml } from '../../../lib/core/escape.ts';

/** Members to write: texts, numbers and nested records. */
export type XmlMembers = Readonly<Record<string, unknown>>;

function toElements(members: XmlMembers): string {
  return Object.entries(members)
    .map(([name, value]) => {
      const content =
        typeof value === 'object' && value !== null
          ? toElements(value as XmlMembers)
          : escapeXml(String(value));
      return `<${name}>${content}</${name}>`;
    })
    .join('');
}

/** An oEmbed response, or the body of an error, as the XML of oembed.com 2.3.4.2. Names are not escaped, because they are our own. */
export function toOembedXml(members: XmlMembers): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<oembed>${toElements(members)}</oembed>\n`;
}
