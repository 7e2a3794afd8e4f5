// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
// Rich posts are sent out, handed back untouched and applied: byte for byte the source, whoever applies them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkStatus,
  createJob,
  createMlSite,
  fetchFile,
  readTranslation,
  toReports,
  translateXliff,
  type MlSite,
  type UserName,
} from './ml-site.ts';

interface RichPost {
  readonly content: string;
  readonly title?: string;
  readonly excerpt?: string;
  readonly footnotes?: string;
}

const RICH: Readonly<Record<string, RichPost>> = {
  frames: {
    content:
      '<!-- cms:html -->\n<iframe src="https://maps.example.org/?a=1&amp;b=2" width="600" height="450" style="border:0;" allowfullscreen="" loading="lazy"></iframe>\n<!-- /cms:html -->\n<p>Below</p>',
  },
  forms: {
    content:
      '<form action="https://news.example.org/subscribe" method="post" target="_blank"><label>E-mail <input type="email" name="e" required></label><select name="s"><option value="1" selected>One</option></select><textarea rows=3>Tell us</textarea><button type="submit" onclick="track()">Go</button></form>',
  },
  drawings: {
    content:
      '<p>Before</p><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" role="img"><title>Chart &amp; more</title><defs><linearGradient id="g"/></defs><path d="M0 0L10 10" fill="url(#g)"/><foreignObject><p>in</p></foreignObject></svg>',
  },
  shortcodes: {
    content:
      '[gallery ids="1,2" caption=\'He said "hi"\'] and [note title="A &quot;b&quot; c"]inner [b x=1] text[/note] and [[escaped]] and [sic]',
  },
  blocks: {
    content:
      '<!-- cms:group {"layout":{"type":"flex"},"style":{"spacing":{"padding":"var:preset|spacing|50"}}} -->\n<div class="cms-block-group"><!-- cms:columns -->\n<div><!-- cms:column {"width":"33.33%"} -->\n<div style="flex-basis:33.33%"><!-- cms:image {"id":5,"alt":"\\u003cb\\u003e \\u002d\\u002d"} /--></div>\n<!-- /cms:column --></div>\n<!-- /cms:columns --></div>\n<!-- /cms:group -->',
  },
  footnotes: {
    content:
      '<!-- cms:paragraph -->\n<p>Water<sup data-fn="a-1" class="fn"><a href="#a-1" id="a-1-link">1</a></sup></p>\n<!-- /cms:paragraph -->\n<!-- cms:footnotes /-->',
    footnotes:
      '[{"content":"See <em>H\\u2082O</em> \\u2014 \\"wet\\" <iframe src=\\"https://x.example.org\\"></iframe>","id":"a-1"}]',
  },
  arabic: {
    content:
      '<p dir="rtl" lang="ar">مرحبا\u200f (بالعالم)\u202b عربي\u202c <bdi>abc</bdi></p>\r\n<p>עברית\u00a0&rlm;</p>',
    title: 'مرحبا <em>بالعالم</em>',
    excerpt: '<p style="position:fixed">مرحبا</p>',
  },
  comments: {
    content:
      '<!-- a plain comment --><p>a</p><!--more Go on--><p>b</p><!--nextpage--><!--[if IE]><p>old</p><![endif]--><p>c<!-- <b>in</b> --></p>',
  },
  entities: {
    content:
      '<p>&lt;b&gt; &amp;amp; &nbsp;&#8212;&#x2014; 1 < 2 && 3 > 2 ]]&gt; ]]> &copy &unknown; "q" \'a\'</p>\n\n\t <pre>\n  x &lt; y\r\n</pre>',
    title: 'Q&A: 1 < 2 — “quoted” ',
    excerpt: '&hellip; a  b',
  },
  styles: {
    content:
      '<style>\n.a > .b::before { content: "</p>"; background: url(x.png) }\n</style><script type="application/ld+json">{"@type":"Thing","name":"a < b"}</script><div onclick="go(1)" style="position:absolute;--x:1">Text</div><object data="a.pdf"><embed src="b.swf"></object>',
    title: 'A <svg><path/></svg> title',
  },
};

async function createPost(
  site: MlSite,
  { content, title = 'Rich', excerpt = '', footnotes }: RichPost,
): Promise<void> {
  const meta = footnotes === undefined ? {} : { footnotes };
  await site.ports.store.commit([
    { op: 'update', collection: 'posts', id: 107, values: { content, title, excerpt, meta } },
  ]);
}

const rich = suite('rich posts that are handed back untouched');
for (const [name, post] of Object.entries(RICH)) {
  for (const version of ['1.2', '2.1']) {
    for (const applicant of ['anna', 'manager'] as const satisfies readonly UserName[]) {
      rich(`${name} in ${version}, applied by ${applicant}`, async () => {
        const site = await createMlSite();
        await createPost(site, post);
        const job = await createJob(site, 107, { translator_id: 4 });
        const xliff = translateXliff(await fetchFile(site, job, version), (_id, source) => source);
        const { body } = checkStatus(
          await site.ask('anna', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)),
          200,
        );
        assert.is(body, true);
        const applied = checkStatus(
          await site.ask(applicant, 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
          200,
        );
        assert.equal(
          applied.body.map((each: any) => each.errors),
          [undefined],
        );
        const translation = await readTranslation(site, 107);
        const source = await site.ports.store.get('posts', 107);
        const stored = await site.ports.store.get('posts', translation.id);
        for (const field of ['content', 'title', 'excerpt', 'meta'] as const)
          assert.equal(stored?.[field], source?.[field], field);
      });
    }
  }
}
rich.run();
