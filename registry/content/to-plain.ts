import { toStartTag } from './html-tree.ts';
import { readHtml, type HtmlPlace, type HtmlTag } from './html.ts';
import { isPlainPart } from './plain-markup.ts';

const ELEMENT = /^[a-z][a-z0-9:-]*$/;
const ATTRIBUTE = /^[a-z_:][a-z0-9_:.-]*$/;

function toPlainStart({ name, attributes, selfClosing }: HtmlTag): string {
  return ELEMENT.test(name) ? toStartTag(name, attributes.filter((each) => ATTRIBUTE.test(each.name)), selfClosing) : '';
}

/**
 * Any text as plain markup: it is read as a browser reads it, parts that are plain stay as they are, tags that are not are written anew.
 * Comments of another form, declarations, and what a text leaves open at its end are left out; a `<` that starts nothing is escaped.
 */
export function toPlain(html: string): string {
  const parts: string[] = [];
  const keep = ({ from, to }: HtmlPlace, instead: string): void => {
    const source = html.slice(from, to);
    parts.push(isPlainPart(source) ? source : instead);
  };
  readHtml(html, {
    start: (tag) => keep(tag, toPlainStart(tag)),
    end: (tag) => keep(tag, ELEMENT.test(tag.name) ? `</${tag.name}>` : ''),
    comment: (_inside, place) => keep(place, ''),
    text: (_decoded, { from, to }) => { parts.push(html.slice(from, to).replaceAll('<', '&lt;')); },
  }, { raw: false, positions: true });
  return parts.join('');
}
