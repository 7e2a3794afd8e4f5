// What a cleaned translation has beyond its source and what everybody may write, in the words of an independent judge.
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { readHtml } from '../../registry/core/content/html/html.ts';
import { listFaults } from './markup-judge.ts';

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.DocumentFragment;

const RAW: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'script',
  'style',
  'xmp',
]);

/** The contents of elements that a browser does not parse as markup. */
function listRawTexts(html: string): readonly string[] {
  const texts: string[] = [];
  const visit = (node: Node): void => {
    if ('tagName' in node && RAW.has(node.tagName) && node.namespaceURI === 'http://www.w3.org/1999/xhtml') {
      texts.push(node.childNodes.map((each) => ('value' in each ? each.value : '')).join(''));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
    if ('content' in node) visit(node.content);
  };
  visit(parseFragment(html));
  return texts;
}

/** Everything that the tags of a text say, in the words of the judge: browsers may parse a tag in one place and ignore it in another. */
function listTagWords(html: string): ReadonlySet<string> {
  const words = new Set<string>(listFaults(html));
  for (const raw of [true, false, 'place'] as const) {
    readHtml(
      html,
      {
        start: ({ name, attributes }) => {
          words.add(`<${name}>`);
          for (const each of attributes)
            words.add(`${each.name}=${each.value}`).add(`${each.name.replace(/^xlink:/, '')}=${each.value}`);
        },
      },
      { raw },
    );
  }
  return words;
}

/** The faults and the unparsed texts of a result that its source does not have. */
export function listAdded(source: string, result: string): readonly string[] {
  const own = listTagWords(source);
  const faults = listFaults(result).filter((fault) => !own.has(fault) && !own.has(fault.toLowerCase()));
  const texts = listRawTexts(result).filter(
    (text) =>
      !source.includes(text.replaceAll('\n', '')) &&
      !source.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD').includes(text),
  );
  return [...faults, ...texts];
}
