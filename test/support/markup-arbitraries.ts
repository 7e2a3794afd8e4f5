// Markup as attackers and as authors write it.
import * as fc from 'fast-check';
import { PIECES, VECTORS } from '../registry/core/content/xss-vectors.ts';
import { INHERITED_NAMES } from './inherited-names.ts';

const one = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const joined = (piece: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength, size: 'max' }).map((pieces) => pieces.join(''));
const row = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((pieces) => pieces.join(''));

const PLAIN = [
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'div',
  'em',
  'figure',
  'h2',
  'hr',
  'i',
  'img',
  'li',
  'ol',
  'p',
  'pre',
  'q',
  'ruby',
  'rt',
  'section',
  'small',
  'span',
  'sup',
  'table',
  'td',
  'tr',
  'ul',
  'video',
];
const ODD = [
  'script',
  'style',
  'svg',
  'math',
  'mtext',
  'mglyph',
  'annotation-xml',
  'foreignObject',
  'desc',
  'noscript',
  'template',
  'textarea',
  'title',
  'xmp',
  'plaintext',
  'iframe',
  'form',
  'input',
  'select',
  'option',
  'base',
  'meta',
  'link',
  'object',
  'embed',
  'frameset',
  'body',
  'html',
  'head',
  'caption',
  'image',
  'x:y',
  'x-y',
  'p\0',
  'b"',
  ...INHERITED_NAMES,
];
const ADDRESSES = [
  'https://a.test/?b=1&amp;c=2',
  '/x',
  '#y',
  'javascript:alert(1)',
  'java&#x73;cript:alert(1)',
  'java&Tab;script:alert(1)',
  'java\nscript:alert(1)',
  '&#1;javascript:alert(1)',
  'javascript&colon;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'data:image/png;base64,AAAA',
  'vbscript:x',
  'feed:javascript:x',
  '&#x2f;&#x2f;a.test',
  'x&#58;y',
  'jav\0ascript:x',
  '//a.test',
];
const LINES = [
  '\nhttp://x/onerror=alert(1)//\n',
  '\n\thttps://a.test/?b=1&amp;c=2 \n',
  '\nhttps://x.test/&quot;onclick=1\n',
  '\n\nhttp://x/`onload=1\n\n',
  '\nhttp://x/<b>\n',
  'http://a.test/x',
];
const VALUES = [
  ...ADDRESSES,
  ...LINES,
  'x',
  '',
  'a b',
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '&quot; onclick=alert(1) x=&quot;',
  '&lt;script&gt;',
  '-->',
  '<!--',
  '--!>',
  '</title>',
  '</p>',
  '\n\n',
  '[gallery ids="1"]',
  '[caption]x[/caption]',
  'color:red',
  'color: red; background:url(javascript:alert(1))',
  'x`onclick=1',
  '\\',
  '&',
  '&#60;b>',
  '<!-- cms:embed -->',
  'a > b',
  'a < b',
];
const NAMES = [
  'alt',
  'href',
  'src',
  'class',
  'title',
  'style',
  'srcset',
  'cite',
  'id',
  'data-x',
  'aria-label',
  'onclick',
  'ONERROR',
  'onerror',
  'srcdoc',
  'formaction',
  'xlink:href',
  'is',
  'action',
  'lang',
  'x"y',
  "x'y",
  'x<y',
  'on\0click',
  'encoding',
  '[x]',
  'constructor',
  '__proto__',
];
const SPACES = [' ', ' ', ' ', '\n', '\t', '\f', '/', '', ' / ', '\r\n', '\u00a0', '\0'];

const value = fc
  .tuple(one('"', '"', "'", '', '`', '\n"'), one(...VALUES), fc.boolean())
  .map(([quote, text, isClosed]) => `${quote}${text}${isClosed || quote === '' ? quote.trim() : ''}`);
const closedValue = fc.tuple(one('"', "'"), one(...VALUES)).map(([quote, text]) => `${quote}${text}${quote}`);
const attribute = row(
  one(...SPACES),
  one(...NAMES),
  fc.oneof(
    { weight: 4, arbitrary: row(one('=', '=', ' = ', '\n='), fc.oneof(closedValue, value)) },
    one('', '='),
  ),
);
const name = fc.oneof(
  { weight: 3, arbitrary: one(...PLAIN) },
  { weight: 2, arbitrary: one(...ODD) },
  one('IMG', 'A', 'ScRiPt'),
);
const tag = row(
  one('<', '<', '<', '<', '</', '< ', '<<'),
  name,
  joined(attribute, 3),
  one('>', '>', '>', '>', '/>', ' />', '', '//>'),
);
const comment = row(
  one('<!--', '<!--', '<!', '<!-', '<!-->', '<!--->', '<?', '<![CDATA[', '<!DOCTYPE '),
  one(' ', '', '-', '>', '[if IE]>'),
  fc.oneof(one('x', 'a -- b', '<b>', '<script>alert(1)</script>', '--!>', '<!--'), one(...VALUES)),
  one('-->', '-->', '--!>', '>', ']]>', '<![endif]-->', '--->', ''),
);
const NAMES_OF_BLOCKS = [
  'embed',
  'core-embed/x',
  'paragraph',
  'html',
  'footnotes',
  'separator',
  'group',
  ...INHERITED_NAMES.map((each) => each.toLowerCase()),
];
const attributes = fc
  .oneof(
    one('', '', '{"a":"<b>"}', '{"a":"--><script>x</script>"}', '{', '{"__proto__":1}'),
    one(...ADDRESSES, ...VALUES).map((url) => JSON.stringify({ url })),
  )
  .map((json) => (json === '' ? '' : `${json} `));
const block = fc
  .tuple(one(...NAMES_OF_BLOCKS), attributes, one('', '/', 'close'))
  .map(([each, json, end]) =>
    end === 'close' ? `<!-- /cms:${each} -->` : `<!-- cms:${each} ${json}${end}-->`,
  );
const shortcode = fc
  .tuple(
    one('gallery', 'caption', 'builder_title', 'builder_text', 'x'),
    one('', ' ids="1"', ' size="3"', ' a="', " a='<b onclick=1>'", ' ids=1'),
    one(']', ' /]', ''),
  )
  .map(([each, given, end]) => `[${each}${given}${end}`);
const text = fc.oneof(
  one(
    'text',
    ' ',
    '\n',
    '\n\n',
    '&amp;',
    '&lt;script&gt;',
    '&#60;',
    '&',
    '<',
    '>',
    '"',
    "'",
    '=',
    '1 < 2',
    '日',
    '[',
    ']',
    '[/caption]',
    '[[x]]',
  ),
  one(...LINES),
);

const piece = fc.oneof(
  { weight: 6, arbitrary: tag },
  { weight: 2, arbitrary: comment },
  { weight: 2, arbitrary: block },
  { weight: 1, arbitrary: shortcode },
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: one(...PIECES) },
  { weight: 1, arbitrary: one(...VECTORS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);
/** A block that renders its content in its own way, around an element with an attribute that looks like that content. */
const embed = fc
  .tuple(one('embed', 'core-embed/x'), joined(piece, 5))
  .map(([each, inside]) => `<!-- cms:${each} -->${inside}<!-- /cms:${each} -->`);

/** Markup of attackers: complete and broken tags, comments, blocks, shortcodes and texts in any order, possibly truncated. */
export const hostileMarkup: fc.Arbitrary<string> = fc
  .tuple(joined(fc.oneof({ weight: 6, arbitrary: piece }, embed), 8), fc.nat(400), fc.nat(20))
  .map(([html, at, length]) =>
    at < html.length && length > 14 ? html.slice(0, at) + html.slice(at + length - 14) : html,
  );

const SOUP = [
  'p',
  'div',
  'b',
  'a',
  'i',
  'span',
  'ul',
  'li',
  'table',
  'tr',
  'td',
  'th',
  'tbody',
  'thead',
  'caption',
  'colgroup',
  'dl',
  'dt',
  'dd',
  'h2',
  'ruby',
  'rt',
  'section',
  'pre',
  'details',
  'summary',
  'q',
  'center',
  'font',
  'ins',
  'audio',
  'map',
  'video',
];

/** Allowed start and end tags in any order. */
export const tagSoup: fc.Arbitrary<string> = joined(
  one(...SOUP.flatMap((each) => [`<${each}>`, `</${each}>`]), 'x', '<br>', '<hr>', '<col>', '<img>', '\n'),
  14,
);

/** An attribute value as authors write it between these quotes. */
const ownValue = (quote: string): fc.Arbitrary<string> =>
  joined(
    one(
      'a',
      'B',
      ' ',
      '&amp;',
      '&quot;',
      '&#39;',
      '&lt;b&gt;',
      '&',
      '>',
      ' < ',
      '\n',
      '\r\n',
      '日',
      '[x y="1"]'.replaceAll('"', quote === '"' ? "'" : '"'),
      quote === '"' ? "'" : '"',
    ),
    4,
  );
const quoted = (content: (quote: string) => fc.Arbitrary<string>): fc.Arbitrary<string> =>
  one('"', "'").chain((quote) => content(quote).map((inside) => `${quote}${inside}${quote}`));
const cased = (word: string): fc.Arbitrary<string> => one(word, word, word.toUpperCase());
const blank = one(' ', ' ', '\n', '\t', '  ', '\r\n');
const is = one('=', '=', ' = ');
const OWN_NAMES = ['class', 'id', 'title', 'data-a', 'aria-label', 'lang', 'dir'];
const ownAttribute = (each: string): fc.Arbitrary<string> =>
  fc.oneof(
    row(blank, cased(each), is, fc.oneof({ weight: 3, arbitrary: quoted(ownValue) }, one('x', 'a-b_c', 'é'))),
    row(blank, cased(each)),
  );
const ownAttributes = fc
  .subarray(OWN_NAMES, { maxLength: 2 })
  .chain((names) => row(...names.map(ownAttribute)));
const address = row(
  blank,
  cased('href'),
  is,
  fc.oneof(
    quoted(() =>
      one(
        'https://a.test/?a=1&amp;b=2',
        '/x?a&b',
        '#y',
        'mailto:a@b.test',
        'tel:+31',
        'https://a.test/&eacute;',
        '',
      ),
    ),
    one('/x', 'https://a.test/b'),
  ),
);
const style = row(
  blank,
  one('style'),
  is,
  quoted(() =>
    one(
      'color:red',
      'color: red; margin : 0 auto;',
      'width:calc(100% - 2px)',
      'background-image:url(https://a.test/b.png)',
      '',
    ),
  ),
);
const ownText = joined(
  one(
    'word',
    ' ',
    '\n',
    '\n\n',
    '&amp;',
    '&nbsp;',
    '&#8217;',
    '&lt;script&gt;',
    '&',
    '>',
    '"',
    "'",
    '\u00a0',
    'é🚀',
    '[contact label="Say &quot;hi&quot;"]',
    '&#91;gallery ids="1"&#93;',
    '[caption]x[/caption]',
  ),
  4,
);
const ownComment = one(
  '<!-- note -->',
  '<!--more-->',
  '<!---->',
  '<!-- a -- b -->',
  '<!-- 1 < 2 & "3" -->',
  '<!-- <b>x</b> -->',
  '<!-- cms:separator /-->',
  '<!-- cms:embed {"url":"https:\\/\\/a.test\\/?a=1\\u0026b=2"} /-->',
  '<!-- wp:x {"a":1} /-->',
  '<!--nextpage-->',
);
const closing = (each: string): fc.Arbitrary<string> =>
  one(`</${each}>`, `</${each}>`, `</${each.toUpperCase()} >`);
const element = (each: string, inside: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  row(one('<'), cased(each), ownAttributes, one('', '', ' ', '\n'), one('>'), inside, closing(each));

const inline = fc.letrec<{ text: string; inline: string }>((tie) => ({
  text: joined(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true, maxDepth: 3 },
      { weight: 3, arbitrary: ownText },
      tie('inline'),
    ),
    3,
  ),
  inline: fc.oneof(
    ...['b', 'em', 'span', 'code', 'sup'].map((each) => element(each, tie('text'))),
    row(one('<a'), address, ownAttributes, one('>'), tie('text'), closing('a')),
    row(one('<span'), style, one('>'), tie('text'), closing('span')),
    row(one('<br', '<IMG src="/a.png"', '<img alt=\'a "b"\' src=/a.png'), one('>', ' />', '\n>')),
    one('<br/>', '<wbr>', '<ruby>漢<rt>kan</ruby>'),
    ownComment,
  ),
})).text;

const flow = fc.letrec<{ flow: string; part: string }>((tie) => ({
  flow: joined(
    fc.oneof({ depthSize: 'small', maxDepth: 3 }, { weight: 3, arbitrary: inline }, tie('part')),
    4,
  ),
  part: fc.oneof(
    element('p', inline),
    element('h2', inline),
    element('pre', inline),
    ...['div', 'blockquote', 'section', 'figure'].map((each) => element(each, tie('flow'))),
    row(one('<!-- cms:paragraph {"align":"left"} -->\n<p>'), inline, one('</p>\n<!-- /cms:paragraph -->')),
    row(one('<!-- cms:group -->'), tie('flow'), one('<!-- /cms:group -->')),
    row(one('<ul><li>'), tie('flow'), one('</li><li>x</ul>', '<li>x</ul>', '</li>\n</ul>')),
    row(
      one('<table><tr><td>'),
      inline,
      one('<td>y<tr><td>z</table>', '</td></tr></table>', '<th scope=row>x</th></table>'),
    ),
    row(one('<p>'), inline, one('<p>next</p>', '<div>next</div>')),
    one('<dl><dt>a<dd>b</dl>', '<hr />'),
  ),
})).flow;

/** Markup of authors: allowed elements, attributes, URLs, styles, comments and blocks, in all spellings that HTML permits. */
export const allowedMarkup: fc.Arbitrary<string> = row(flow, flow, flow);
