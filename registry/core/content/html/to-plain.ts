import type { Steps } from '../../../../lib/core/cooperative.ts';
import { toStartTag } from './html-tree.ts';
import { readHtmlSteps, type HtmlPlace, type HtmlTag } from './html.ts';
import { isPlainPart } from './plain-markup.ts';

const ELEMENT = /^[a-z][a-z0-9:-]*$/;
const ATTRIBUTE = /^[a-z_:][a-z0-9_:.-]*$/;

function toPlainStart({ name, attributes, selfClosing }: HtmlTag): string {
  return ELEMENT.test(name)
    ? toStartTag(
        name,
        attributes.filter((each) => ATTRIBUTE.test(each.name)),
        selfClosing,
      )
    : '';
}

/**
 * Converts any text to plain markup. It is parsed as in a browser: plain parts stay unchanged, other tags are written again. Comments of
 * another form, declarations, and anything that is unfinished at the end of the text are removed; a stray `<` is escaped.
 */
export function* toPlain(html: string): Steps<string> {
  const parts: string[] = [];
  const keep = ({ from, to }: HtmlPlace, instead: string): void => {
    const source = html.slice(from, to);
    parts.push(isPlainPart(source) ? source : instead);
  };
  yield* readHtmlSteps(
    html,
    {
      start: (tag) => keep(tag, toPlainStart(tag)),
      end: (tag) => keep(tag, ELEMENT.test(tag.name) ? `</${tag.name}>` : ''),
      comment: (_inside, place) => keep(place, ''),
      text: (_decoded, { from, to }) => {
        parts.push(html.slice(from, to).replaceAll('<', '&lt;'));
      },
    },
    { raw: false, positions: true },
  );
  return parts.join('');
}
