// What a reader of Markdown shows of a text is what the HTML said.
import { marked } from 'marked';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  parseFragment,
  type HtmlElement,
  type HtmlNode,
} from '../../../../../registry/core/content/html/html-tree.ts';
import { toMarkdown } from '../../../../../registry/core/content/html/to-markdown.ts';

/** Blocks of the editor as posts show them. */
const BLOCKS: Readonly<Record<string, string>> = {
  paragraph:
    '<p class="has-drop-cap">Tides <strong>rise </strong>and <em>fall</em>, 2 * 3 * 4, a_b_c, <s>never</s> &lt;em&gt; <code>a|`b`</code><br>and <a href="/x y">a <b>link</b></a>.</p>',
  addresses:
    '<p><b>Tide:</b>high x<i>(y)</i>z, www.e.org/a_b, www.). See https://e.org/a_b*c?d=1&amp;e=2, (http://e.org/x) and [src="https://e.org/a.mp3"].</p>',
  heading: '<h2 id="a">One <mark>two</mark></h2><h3><a href="#a">Three</a></h3>',
  list: '<ul><li>a<ul><li>b<ol start="3"><li>c</li><li>d</li></ol></li></ul></li><li><p>e</p><p>f</p></li></ul>',
  quote: '<blockquote><p>A<br>B</p><p>- not a list</p><cite>Team<br></cite></blockquote>',
  pullquote: '<figure><blockquote><p># C</p><cite>1. D</cite></blockquote></figure>',
  code: '<pre class="wp-block-code"><code lang="js">if (a &lt; b) {\n  `c`;\n}\n\n```\n</code></pre>',
  preformatted: '<pre>a  b\n   *c*</pre>',
  verse: '<pre class="wp-block-verse">Two roads<br>diverged</pre>',
  table:
    '<figure><table><thead><tr><th>A|B</th><th>C</th></tr></thead><tbody><tr><td>1<br>2</td><td><a href="/t">t</a> https://e.org/|x</td></tr><tr><td></td><td><code>d|e</code></td></tr></tbody></table><figcaption>Tides</figcaption></figure>',
  buttons:
    '<div><div class="wp-block-button"><a href="/b">Left<br></a></div><div><a href="/c">Right</a></div></div>',
  columns: '<div><div><p>One</p></div><div><h4>Two</h4><p>+ three</p></div></div>',
  cover: '<div><span></span><img alt="" src="/c.jpg"><div><p>Cover</p></div></div>',
  gallery:
    '<figure><figure><a href="/i"><img src="/1.jpg" alt="One [x]"></a><figcaption>First <em>one</em></figcaption></figure></figure>',
  file: '<div><a href="/f.pdf">File_1</a><a href="/f.pdf" download>Download</a></div>',
  audio: '<figure><audio controls src="/a.mp3"></audio><figcaption>Sound</figcaption></figure>',
  embed: '<figure><div><iframe title="A [film]" src="https://e.org/f"></iframe></div></figure>',
  separator: '<hr><div style="height:9px"></div><p>---</p><p>===</p>',
  details: '<details><summary>More</summary><p>Less</p></details>',
  terms: '<dl><dt>High</dt><dd>Water</dd></dl>',
  footnotes: '<p>a<sup><a href="#n">1</a></sup></p><ol><li id="n">Note <a href="#r">↩︎</a></li></ol>',
};

const MEDIA: ReadonlySet<string> = new Set(['iframe', 'audio', 'video', 'embed']);
const INLINE: ReadonlySet<string> = new Set([
  'a',
  'b',
  'code',
  'del',
  'em',
  'i',
  'mark',
  's',
  'strong',
  'sup',
]);
const BARE = /\b(?:https?:\/\/|www\.)[^\s<>|]*[^\s<>|.,:;!?'")\]]/g;

const attribute = ({ attributes }: HtmlElement, name: string): string =>
  attributes.find((each) => each.name === name)?.value ?? '';
const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const toHref = (address: string): string => (address.startsWith('www.') ? `http://${address}` : address);

/** The text; that of a film or a sound is its title or address. */
function textOf(node: HtmlNode): string {
  if (node.kind !== 'element') return node.kind === 'text' ? node.text : '';
  if (node.name === 'br') return '\n';
  if (MEDIA.has(node.name)) return attribute(node, 'title') || attribute(node, 'src');
  const text = node.children.map(textOf).join('');
  return INLINE.has(node.name) ? text : ` ${text} `;
}

/** What readers see, by kind: `h2 One`, `a One /x`. Addresses in a text are links. */
function listParts(node: HtmlNode, depth = 0, inLink = false): readonly string[] {
  if (node.kind === 'text' && !inLink)
    return (node.text.match(BARE) ?? []).map((url) => `a ${url} ${toHref(url)}`);
  if (node.kind !== 'element') return [];
  const { name, children } = node;
  const text = tidy(textOf(node));
  if (name === 'pre') return [`pre ${textOf(node).replace(/^ \n?/, '').trimEnd()}`];
  if (name === 'code') return [`code ${text}`];
  if (name === 'img') return [`img ${tidy(attribute(node, 'alt'))} ${attribute(node, 'src')}`];
  if (MEDIA.has(name)) return [`a ${text} ${attribute(node, 'src')}`];
  const isList = name === 'ul' || name === 'ol';
  const inner = children.flatMap((child) =>
    listParts(child, depth + (isList ? 1 : 0), inLink || name === 'a'),
  );
  if (name === 'a') return [`a ${text} ${decodeURI(attribute(node, 'href'))}`, ...inner];
  if (/^(?:h[1-6]|t[hd]|blockquote)$/.test(name)) return [`${name} ${text}`, ...inner];
  if (isList) return [`${name} ${attribute(node, 'start')}`, ...inner];
  return name === 'li' ? [`li ${depth} ${text}`, ...inner] : inner;
}

const read = (html: string): { readonly text: string; readonly parts: readonly string[] } => {
  const nodes = parseFragment(html);
  return { text: tidy(nodes.map(textOf).join(' ')), parts: nodes.flatMap((node) => listParts(node)) };
};

const roundTrip = suite('Markdown and back');

roundTrip('shows the text, links, headings, lists, tables and code of each block of the editor', () => {
  for (const [name, html] of [
    ...Object.entries(BLOCKS),
    ['all', Object.values(BLOCKS).join('\n\n')] as const,
  ]) {
    const markdown = toMarkdown(html);
    assert.equal(
      read(marked.parse(markdown, { async: false }) as string),
      read(html),
      `${name}\n${markdown}`,
    );
  }
});

roundTrip.run();
