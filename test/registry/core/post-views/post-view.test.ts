import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWholeSite } from '../../../support/whole-site.ts';

const DATES = {
  date: '2024-07-01T10:00:00',
  date_gmt: '2024-07-01T10:00:00',
  modified: '2024-07-01T10:00:00',
  modified_gmt: '2024-07-01T10:00:00',
};

const link = suite('permalink');

for (const [slug, expected] of [
  ['lamp', 'lamp'],
  ['%e6%97%a5', '%e6%97%a5'],
  ['日', '%e6%97%a5'],
  ['a\r\nX-Bad: 1', 'a%0d%0ax-bad%3a%201'],
  ['a>b"<', 'a%3eb%22%3c'],
  ['é', '%c3%a9'],
  ['\uD800', '%ef%bf%bd'],
] as const) {
  link(`contains only what a header can carry: ${JSON.stringify(slug)}`, async () => {
    const site = await createWholeSite({
      fixture: {
        site: { name: 'Links' },
        posts: [{ ...DATES, id: 11, status: 'publish', slug: 'lamp', title: 'Lamp' }],
      },
    });
    // Written directly to the store, because the site would normalise it.
    await site.store.commit([{ op: 'update', collection: 'posts', id: 11, values: { slug } }]);
    const { status, headers } = await site.ask({ target: '/cms/v2/posts/11' });
    assert.is(status, 200);
    assert.ok(String(headers['Link']).includes(`<http://site.test/en/${expected}/>;`), headers['Link']);
    assert.match(String(headers['Link']), /^[ -~]*$/);
    await site.close();
  });
}

link.run();
