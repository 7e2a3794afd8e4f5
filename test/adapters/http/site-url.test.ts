import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../../adapters/fetch.ts';
import { readSiteUrl } from '../../../adapters/http/host-options.ts';
import { createEchoHost } from '../../support/echo-host.ts';
import { countUnhandled } from '../../support/unhandled.ts';

const urls = suite('the function siteUrl');

urls('must return the absolute URL of a site', () => {
  assert.is(
    readSiteUrl(() => 'https://site.example/a'),
    'https://site.example/a',
  );
  const rows = [
    ['', '""'],
    ['site.example', '"site.example"'],
    ['https://site.example/', '"https://site.example/"'],
    [null, 'null'],
    [5, 'a number'],
    [new URL('https://site.example'), 'an instance of URL'],
  ] as const;
  for (const [told, named] of rows) {
    assert.throws(
      () => readSiteUrl((() => told) as () => string),
      (error: Error) =>
        error.message ===
        `siteUrl must return the absolute URL of the site without a trailing slash, such as "https://example.org", but returned ${named}`,
    );
  }
});

urls('is refused if it returns a promise, whose rejection does not end the program', async () => {
  const handle = createFetchHandler(createEchoHost(), {
    siteUrl: (async () => {
      throw new Error('no database');
    }) as never,
  });
  assert.is(
    await countUnhandled(async () =>
      assert.is((await handle(new Request('http://a/en/cms-json'))).status, 500),
    ),
    0,
  );
});

urls.run();
