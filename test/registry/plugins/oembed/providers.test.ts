import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkDocument } from '../../../../lib/core/check-document.ts';
import { findEndpoint, OEMBED_SETTINGS, PROVIDERS } from '../../../../registry/plugins/oembed/providers.ts';

const providers = suite('PROVIDERS');

providers('hold what the host would have to hold', () => {
  checkDocument('providers', JSON.parse(JSON.stringify(PROVIDERS)), OEMBED_SETTINGS.providers);
  assert.ok(PROVIDERS.length >= 15);
  assert.ok(PROVIDERS.every(({ endpoint }) => endpoint.startsWith('https://')));
});

providers.run();

const find = suite('findEndpoint');

for (const [url, endpoint] of [
  ['https://vimeo.com/1', 'https://vimeo.com/api/oembed.json'],
  ['http://player.vimeo.com/video/1', 'https://vimeo.com/api/oembed.json'],
  ['https://YOUTU.BE/x', 'https://www.youtube.com/oembed'],
  ['https://open.spotify.com/track/1', 'https://open.spotify.com/oembed'],
  ['https://www.ted.com/talks/x', 'https://www.ted.com/services/v1/oembed.json'],
  ['https://www.ted.com/about', null],
  ['https://notvimeo.com/1', null],
  ['https://vimeo.com.evil.test/1', null],
  ['https://evil.test/vimeo.com/1', null],
  ['https://tumblr.com/x', null],
] as const) {
  find(url, () => assert.is(findEndpoint(PROVIDERS, new URL(url)), endpoint));
}

find.run();
