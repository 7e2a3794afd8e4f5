import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WORDPRESS_NAMES } from '../../../../registry/core/host/names.ts';
import { readOption } from '../../../../registry/core/settings/options.ts';
import { createSeoSite } from './seo-site.ts';

const names = suite('seo/v1 with other names');

names('integrations have the names of their routes', async () => {
  const site = await createSeoSite({ names: WORDPRESS_NAMES });
  assert.is(
    (await site.call('POST /yoast/v1/integrations/set_active', { integration: 'semrush', active: false }))
      .status,
    200,
  );
  assert.equal(await readOption(site.store, 'seo', 'integrations'), { kwtool: false });
  assert.is(
    (await site.call('POST /yoast/v1/integrations/set_active', { integration: 'kwtool', active: false }))
      .body['code'],
    'integration_not_found',
  );
});
names('failures name parameters as they were sent', async () => {
  const site = await createSeoSite({ names: WORDPRESS_NAMES });
  const { body } = await site.call('POST /yoast/v1/configuration/social_profiles', {
    facebook_site: 'nope',
    twitter_site: 'a b',
  });
  assert.equal((body['json'] as { failures: unknown }).failures, ['facebook_site', 'twitter_site']);
});
names('the language parameter is not an unknown workout', async () => {
  const site = await createSeoSite({ names: WORDPRESS_NAMES });
  assert.is((await site.call('POST /yoast/v1/workouts', { wpml_language: 'fr', orphaned: {} })).status, 200);
  assert.is((await site.call('POST /yoast/v1/workouts', { ml_language: 'fr' })).status, 400);
});
names('next_url uses the names of the site', async () => {
  const lines = () =>
    (async function* () {
      for (let line = 0; line < 60; line += 1) yield '{"id":101}';
    })();
  const site = await createSeoSite({
    names: WORDPRESS_NAMES,
    ports: { imports: { lines: async () => lines() } },
  });
  assert.is(
    (await site.call('POST /yoast/v1/link-indexing/posts')).body['next_url'],
    'http://site.test/en/wp-json/yoast/v1/link-indexing/posts',
  );
  assert.is(
    (await site.call('POST /yoast/v1/import/file/posts')).body['next_url'],
    'yoast/v1/import/file/posts',
  );
});
names.run();
