import type { Values } from '../../../../lib/store/store.ts';

/** The address of the site in these tests. */
export const OWN_URL = 'https://site.test';

/** Posts that break exactly one rule: [rule, the values that break it]. */
export const PLANTED: readonly (readonly [rule: string, values: Values])[] = [
  ['script-element', { content: '<p>Hello</p><SCRIPT>alert(1)</SCRIPT>' }],
  ['linked-script', { excerpt: '<script src=/own.js></script>' }],
  ['linked-script', { content: '<script async src="https://cdn.unlisted.test/lib.js"></script>' }],

  ['script-element', { title: 'A<script>alert(1)</script>' }],
  ['script-element', { content: '<svg><style><!--</style><script>alert(1)</script>--></svg>' }],
  ['script-element', { content: '<div><title><p title="</title><script>1</script>"></div>' }],
  ['plugin-element', { content: '<object></object>' }],
  ['plugin-element', { content: '<embed>' }],
  ['plugin-element', { content: '<applet></applet>' }],
  ['event-attribute', { content: '<img src="/a.png" onerror="alert(1)">' }],
  ['event-attribute', { content: '<b/onmouseover=alert(1)>x</b>' }],
  ['event-attribute', { content: '<noembed><img src=x onerror=alert(1)></noembed>' }],
  [
    'event-attribute',
    { content: '<textarea><!--</textarea><svg><textarea><img src=x onerror=alert(1)></textarea></svg>-->' },
  ],
  [
    'event-attribute',
    { content: '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>' },
  ],
  ['event-attribute', { content: '<svg><![CDATA[ > <!-- ]]><img src=x onerror=alert(1)>-->' }],
  ['event-attribute', { content: '<p>A tag that the page around it ends: <img src=x onerror=alert(1)' }],
  ['script-address', { content: '<a href="&#xFEFF;javascript:alert(1)">x</a>' }],
  ['script-address', { content: '<a href="java&#x0A;script:alert(1)">x</a>' }],
  ['script-address', { content: '<a href=" &#14; JAVASCRIPT:alert(1)">x</a>' }],
  ['script-address', { content: '<a href="vbscript:x">x</a>' }],
  ['script-address', { content: '<a href="data:text/html,x">x</a>' }],
  ['script-address', { content: '<iframe width=300 height=200 src="data:image/svg+xml,x"></iframe>' }],
  ['script-address', { content: '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>' }],
  ['frame-document', { content: '<iframe width=300 height=200 srcdoc="x"></iframe>' }],
  ['base-element', { content: '<base target="_top">' }],
  ['meta-refresh', { content: '<meta http-equiv="Refresh" content="0">' }],
  ['foreign-form', { content: '<form action="//collect.test/in"><input name=a></form>' }],
  ['foreign-form', { content: '<button formaction="https://collect.test">x</button>' }],
  ['foreign-drawing', { content: '<svg><use href="/sprite.svg#a"></use></svg>' }],
  ['foreign-drawing', { content: '<svg><foreignObject><p>x</p></foreignObject></svg>' }],
  ['unseen-frame', { content: '<iframe src="/x" width="0" height="0"></iframe>' }],
  [
    'unseen-frame',
    {
      content: '<iframe src="/x" width="300" height="200" style="position:absolute; left:-9999px"></iframe>',
    },
  ],
  ['unseen-frame', { content: '<iframe src="/x" style="max-height:1px"></iframe>' }],
  ['blocked-host', { content: '<a href="https://sub.blocked.test/x">x</a>' }],
  ['blocked-host', { content: '<img src="//blocked.test/x.png">' }],
  ['ip-host', { content: '<a href="http://0x5d.1/">x</a>' }],
  ['ip-host', { content: '<a href="https://[2001:db8::1]/">x</a>' }],
  ['look-alike-host', { content: '<a href="https://ѕite.test/">x</a>' }],
  ['look-alike-host', { content: '<a href="https://www.xn--te-doce.test/">x</a>' }],
  ['shortened', { content: '<a href="https://bit.ly/abc">x</a>' }],
  ['credentials', { content: '<a href="https://example.org:pw@example.com/">x</a>' }],
  ['insecure-content', { content: '<img src="http://pictures.test/a.png">' }],
  ['insecure-content', { content: '<img src="/a.png" srcset="/a.png 1x, http://pictures.test/b.png 2x">' }],
  ['brand-host', { content: '<a href="https://paypa1.com/">x</a>' }],
  ['brand-host', { content: '<a href="https://www.rnicrosoft.com/">x</a>' }],
  ['brand-host', { content: '<a href="https://аpple.com/">x</a>' }],
  ['brand-host', { content: '<a href="https://paypal.com.session-check.test/">x</a>' }],
  ['brand-host', { content: '<a href="https://netflix-billing.test/">x</a>' }],
  ['look-alike-host', { content: '<a href="https://s1te.test/">x</a>' }],
  ['program', { content: '<a href="https://files.test/invoice.pdf.exe">x</a>' }],
  ['style-import', { content: '<style>p{} @import url("//styles.test/a.css");</style>' }],
  ['style-script', { content: '<p style="background:url(java\\73 cript:alert(1))">x</p>' }],
  ['style-script', { content: '<div style="width: expression(alert(1))">x</div>' }],
  [
    'unseen-frame',
    {
      content:
        '<div style="position:absolute;left:-9999px"><iframe src="/x" width="300" height="200"></iframe></div>',
    },
  ],
  [
    'unseen-frame',
    { content: '<iframe src="/x" width="300" height="200" style="transform:translateX(-9999px)"></iframe>' },
  ],
  ['block-script', { content: '<!-- cms:button {"url":"javascript:alert(1)"} /--><p>x</p>' }],
  ['block-script', { content: '<!-- cms:html {"x":"\\u003cscript src=//a.test\\u003e"} /--><p>x</p>' }],
  ['comment-script', { content: '<p>x</p><!-- <script src="https://a.test/a.js"></script> -->' }],
  ['shortcode-script', { content: '<p>[button url="javascript:alert(document.cookie)"]Go[/button]</p>' }],
  ['shortcode-script', { content: '<p>[picture id="4" title="x\' onerror=alert(1)"]</p>' }],
  ['server-code', { content: '<?php eval($_GET["x"]); ?><p>x</p>' }],
  ['server-code', { content: '<p>&lt;?php system("id"); ?&gt;</p>' }],
  ['leaked-key', { content: '<p>key AKIAQ3EGRNVT7KLD5WXZ</p>' }],
  [
    'leaked-key',
    {
      content:
        '<pre>-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n-----END OPENSSH PRIVATE KEY-----</pre>',
    },
  ],
  ['spam-phrase', { content: '<p>Buy cheap <b>generic</b> viagra</p>' }],
  ['spam-phrase', { content: '<p>ロレックス スーパーコピー 激安通販</p>' }],
  ['spam-phrase', { content: '<p>Send 0.5 BTC to this address and get 1 BTC back within the hour.</p>' }],
  ['title-phrase', { title: 'The best Online Casino in town' }],
  ['title-phrase', { title: 'HACKED&#32;by somebody' }],
  ['title-invisible', { title: 'Invoice \u202Efdp.exe' }],
  ['title-invisible', { title: 'Bell\u0007' }],
  [
    'many-links',
    {
      content: `<p>${'word '.repeat(400)}</p>${Array.from({ length: 51 }, (_each, index) => `<a href="https://l${index}.test/">x</a>`).join('')}`,
    },
  ],
  [
    'link-share',
    {
      content: `<p>x</p>${Array.from({ length: 5 }, (_each, index) => `<a href="https://s${index}.test/">many words of advertising</a>`).join('')}`,
    },
  ],
  [
    'hidden-link',
    { content: '<div style="display:none">a <p>b</p> <a href="https://hidden.test/">x</a></div>' },
  ],
  [
    'hidden-link',
    { content: '<span style="text-indent:-9999px"><a href="https://hidden2.test/">x</a></span>' },
  ],
  ['hidden-link', { content: '<a style="\\64isplay:/**/none" href="https://hidden3.test/">x</a>' }],
  ['password-empty', { password: '   ' }],
  ['password-short', { password: 'abc12' }],
  ['password-common', { password: 'Password123' }],
  ['password-title', { password: 'Sleutelhanger', title: 'De sleutelhanger van opa' }],
  ['password-title', { password: 'geheimgenootschap', slug: 'ons-geheimgenootschap' }],
];

/** Values that look like a fault but are harmless. */
export const HARMLESS: readonly Values[] = [
  {
    content:
      '<p>Write &lt;script&gt; in code, or <code>javascript:</code></p><!-- cms:html --><p>x</p><!-- /cms:html -->',
  },
  { content: '<img src="data:image/png;base64,AAAA" alt="x"><img src="data:image/svg+xml,x">' },
  {
    content:
      '<iframe src="https://video.test/1" width="560" height="315" style="width:100%;opacity:0.5"></iframe>',
  },
  {
    content: '<iframe src="/x" style="width:0.9em;height:10em"></iframe><svg><use href="#icon"></use></svg>',
  },
  { content: '<form action="/search"><input name="s"></form><form action="https://www.site.test/x"></form>' },
  { content: '<a href="http://plain.test/page">a link over http is no loaded content</a>' },
  { content: '<a href="https://xn--mnchen-3ya.test/">münchen</a><a href="https://notbit.ly.test/">x</a>' },
  {
    content:
      '<p style="display:none">hidden <a href="/own">own</a></p><p style="display:none">open <p>shown <a href="https://shown.test/">x</a></p>',
  },
  {
    content:
      '<a href="mailto:me@example.org">m</a><a href="tel:+31">t</a><a href="#top">top</a><a href="">e</a><a href="http://[bad">b</a>',
  },
  {
    content:
      '<blockquote cite="http://plain.test/">quoted</blockquote><div data-on="x" on="y">attributes that are no events</div>',
  },
  {
    content: `<ul>${Array.from({ length: 60 }, (_each, index) => `<li><a href="/en/page-${index}/">own page</a></li>`).join('')}</ul>`,
  },
  {
    content: Array.from(
      { length: 4 },
      (_each, index) => `<a href="https://few${index}.test/">only links, but few</a>`,
    ).join(''),
  },
  { content: '<meta name="x" content="y"><link rel="stylesheet" href="/a.css"><div hidden>h</div>' },
  {
    content:
      '<script type="application/ld+json">{"@context":"https://schema.org"}</script><script async src="https://platform.twitter.com/widgets.js" charset="utf-8"></script>',
  },
  {
    content:
      '<form action="https://me.us1.list-manage.com/subscribe"><input name="e"></form><iframe src="https://www.googletagmanager.com/ns.html" height="0" width="0" style="display:none"></iframe>',
  },
  {
    content:
      '<a href="http://192.168.1.1/">router</a><a href="http://localhost:8080/">own</a><a href="http://127.0.0.1:3000">own</a><a href="http://[::1]/">own</a>',
  },
  {
    content:
      '<pre><code>&lt;?php eval(base64_decode($x)); ?&gt; &lt;script&gt;alert(1)&lt;/script&gt; [x url="javascript:alert(1)"]</code></pre>',
  },
  {
    content:
      '<pre>-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0\n-----END PUBLIC KEY-----</pre><p>AKIAIOSFODNN7EXAMPLE and sk_live_xxxxxxxxxxxxxxxxxxxxxxxx</p>',
  },
  {
    content:
      '<p>Viagra was an accident of research. The casino in town closed. Order a coffee online, and the price of bitcoin may double again.</p>',
  },
  {
    content:
      '<a href="https://github.com/x/y/releases/download/v1/setup.exe">x</a><a href="https://facebook.github.io/react">x</a><a href="https://apple.stackexchange.com/q/1">x</a>',
  },
  {
    content:
      '<style>@import url("https://fonts.googleapis.com/css2?family=Inter"); p { color: red }</style><!-- see the javascript: notes, and onload = later -->',
  },
  { title: 'مقال \u200Fعن \u200Eأمستردام', content: '<p dir="rtl">نص</p>' },
  { title: "Ann &amp; Bob's family 👨\u200D👩\u200D👧" },
  { password: 'correct horse battery', title: 'Horses' },
  { password: '' },
];
