import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readOption } from '../../../../registry/core/settings/options.ts';
import { createSeoSite, SITE_URL } from './seo-site.ts';

const DONE = { success: true, status: 200 };

const GOOD: readonly (readonly [
  target: string,
  body: unknown,
  answer: unknown,
  group: string,
  key: string,
  stored: unknown,
])[] = [
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-post-type',
    { post_type_name: 'post' },
    { message: '"post" is not new.', ...DONE },
    'seo',
    'visibility',
    { post_types: [] },
  ],
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-post-type',
    { postTypeName: 'post' },
    { message: '"post" is not new.', ...DONE },
    'seo',
    'visibility',
    { post_types: [] },
  ],
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-taxonomy',
    { taxonomy_name: 'category' },
    { message: '"category" is not new.', ...DONE },
    'seo',
    'visibility',
    { taxonomies: [] },
  ],
  [
    'POST /seo/v1/introductions/welcome/seen',
    {},
    { json: { success: true } },
    'user:1',
    'seo_introductions',
    { welcome: { is_seen: true, seen_on: '2025-01-15T12:00:00+00:00' } },
  ],
  [
    'POST /seo/v1/introductions/welcome/seen',
    { is_seen: false },
    { json: { success: true } },
    'user:1',
    'seo_introductions',
    { welcome: { is_seen: false, seen_on: '' } },
  ],
  [
    'POST /seo/v1/videohost_embed_permission',
    {},
    { json: { success: true } },
    'user:1',
    'seo_videohost',
    true,
  ],
  [
    'POST /seo/v1/videohost_embed_permission',
    { value: false },
    { json: { success: true } },
    'user:1',
    'seo_videohost',
    false,
  ],
  ['POST /seo/v1/alerts/dismiss', { key: 'webinar-promo' }, DONE, 'user:1', 'seo_alerts', ['webinar-promo']],
  [
    'POST /seo/v1/configuration/site_representation',
    {
      company_or_person: 'company',
      website_name: 'Mine',
      company_logo_id: 301,
      company_or_person_user_id: 0,
    },
    DONE,
    'seo',
    'representation',
    {
      company_or_person: 'company',
      website_name: 'Mine',
      company_logo_id: 301,
      company_or_person_user_id: 0,
    },
  ],
  [
    'POST /seo/v1/configuration/social_profiles',
    {
      network_a_site: 'https://a.example/me',
      network_b_site: 'https://b.example/@handle',
      other_social_urls: ['https://c.example/', ' '],
    },
    { json: DONE },
    'seo',
    'profiles',
    {
      network_a_site: 'https://a.example/me',
      network_b_site: 'handle',
      other_social_urls: ['https://c.example/'],
    },
  ],
  [
    'POST /seo/v1/configuration/enable_tracking',
    { tracking: false },
    DONE,
    'seo',
    'tracking',
    { tracking: false, toggled: true },
  ],
  [
    'POST /seo/v1/configuration/save_configuration_state',
    { finishedSteps: ['a', 'b', 'c'] },
    DONE,
    'seo',
    'configuration',
    { steps: ['a', 'b', 'c'], first_time: false },
  ],
  [
    'POST /seo/v1/integrations/set_active',
    { integration: 'kwtool', active: false },
    { json: DONE },
    'seo',
    'integrations',
    { kwtool: false },
  ],
  ['POST /seo/v1/kwtool/country_code', { country_code: 'nl' }, DONE, 'seo', 'country', 'nl'],
];

const good = suite('settings are stored');
for (const [target, body, answer, group, key, stored] of GOOD) {
  good(`${target} ${JSON.stringify(body)}`, async () => {
    const site = await createSeoSite();
    assert.equal((await site.call(target, body)).body, answer);
    assert.equal(await readOption(site.store, group, key), stored);
    // Sending it again changes nothing.
    assert.equal((await site.call(target, body)).body, answer);
    assert.equal(await readOption(site.store, group, key), stored);
  });
}
good('dismissing a notice removes the content type from its list', async () => {
  const site = await createSeoSite({ settings: { postTypes: ['post', 'book'] } });
  await site.store.commit([
    {
      op: 'create',
      collection: 'options',
      values: { group: 'seo', key: 'visibility', value: { post_types: ['book'], taxonomies: ['genre'] } },
    },
  ]);
  assert.is(
    (
      await site.call('POST /seo/v1/new-content-type-visibility/dismiss-post-type', {
        post_type_name: 'book',
      })
    ).body['message'],
    'The notice about "book" was dismissed.',
  );
  assert.equal(await readOption(site.store, 'seo', 'visibility'), {
    post_types: [],
    dismissed_post_types: ['book'],
    taxonomies: ['genre'],
  });
});
good("personal settings are the caller's own", async () => {
  const site = await createSeoSite();
  await site.call('POST /seo/v1/videohost_embed_permission', {}, 'author');
  assert.equal((await site.call('GET /seo/v1/videohost_embed_permission', undefined, 'author')).body, {
    json: { value: true },
  });
  assert.equal((await site.call('GET /seo/v1/videohost_embed_permission', undefined, 'editor')).body, {
    json: { value: false },
  });
});
good('finished steps are read back', async () => {
  const site = await createSeoSite();
  assert.equal((await site.call('GET /seo/v1/configuration/get_configuration_state')).body, {
    ...DONE,
    data: [],
  });
  await site.call('POST /seo/v1/configuration/save_configuration_state', { finishedSteps: ['a'] });
  assert.equal((await site.call('GET /seo/v1/configuration/get_configuration_state')).body, {
    ...DONE,
    data: ['a'],
  });
});
good('reports whether the caller may edit a user', async () => {
  const site = await createSeoSite();
  const ask = async (id: number) =>
    (await site.call(`GET /seo/v1/configuration/check_capability?user_id=${id}`)).body;
  assert.equal(await ask(1), DONE);
  assert.equal(await ask(3), DONE);
  assert.equal(await ask(999), { success: false, status: 403 });
});
good('settings appear in the head and survive a restart', async () => {
  const first = await createSeoSite();
  await first.call('POST /seo/v1/configuration/site_representation', {
    company_or_person: 'person',
    company_or_person_user_id: 3,
    person_logo: 'https://a.example/me.png',
    website_name: 'Named',
  });
  await first.call('POST /seo/v1/configuration/social_profiles', {
    network_a_site: 'https://a.example/me',
    network_b_site: '@me',
  });
  const second = await createSeoSite({ ports: { store: first.store } });
  const { json } = (await second.call(`GET /seo/v1/get_head?url=${SITE_URL}/en/`)).body as {
    json: { title: string; twitter_site: string; schema: { '@graph': Record<string, unknown>[] } };
  };
  const owner = json.schema['@graph'].find((piece) => piece['@type'] === 'Person');
  assert.equal(
    [json.title, json.twitter_site, owner?.['name'], owner?.['sameAs']],
    ['Named - Just a site', '@me', 'The author', ['https://a.example/me']],
  );
});
good.run();

const BAD: readonly (readonly [target: string, body: unknown, status: number, code: string])[] = [
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-post-type',
    { post_type_name: 'nope' },
    400,
    'rest_invalid_param',
  ],
  ['POST /seo/v1/new-content-type-visibility/dismiss-post-type', {}, 400, 'rest_missing_callback_param'],
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-taxonomy',
    { taxonomyName: 'nope' },
    400,
    'rest_invalid_param',
  ],
  ['POST /seo/v1/introductions/nope/seen', {}, 404, 'introduction_not_found'],
  ['POST /seo/v1/introductions/welcome/seen', { is_seen: 'perhaps' }, 400, 'rest_invalid_param'],
  ['POST /seo/v1/alerts/dismiss', { key: 'nope' }, 400, 'rest_invalid_param'],
  ['POST /seo/v1/alerts/dismiss', {}, 400, 'rest_missing_callback_param'],
  ['POST /seo/v1/configuration/site_representation', {}, 400, 'rest_missing_callback_param'],
  [
    'POST /seo/v1/configuration/site_representation',
    { company_or_person: 'club' },
    400,
    'rest_invalid_param',
  ],
  [
    'POST /seo/v1/configuration/site_representation',
    { company_or_person: 'company', company_logo: 'javascript:alert(1)' },
    400,
    'seo_representation_failed',
  ],
  [
    'POST /seo/v1/configuration/site_representation',
    { company_or_person: 'company', company_logo_id: 999 },
    400,
    'seo_representation_failed',
  ],
  [
    'POST /seo/v1/configuration/site_representation',
    { company_or_person: 'person', company_or_person_user_id: 999 },
    400,
    'seo_representation_failed',
  ],
  ['POST /seo/v1/configuration/social_profiles', { other_social_urls: [{}] }, 400, 'rest_invalid_param'],
  ['GET /seo/v1/configuration/check_capability?user_id=x', undefined, 400, 'rest_invalid_param'],
  ['GET /seo/v1/configuration/check_capability', undefined, 400, 'rest_missing_callback_param'],
  ['POST /seo/v1/configuration/enable_tracking', { tracking: 'x' }, 400, 'rest_invalid_param'],
  [
    'POST /seo/v1/configuration/save_configuration_state',
    { finishedSteps: ['a', 'a'] },
    400,
    'rest_invalid_param',
  ],
  [
    'POST /seo/v1/configuration/save_configuration_state',
    { finishedSteps: Array.from({ length: 21 }, (_each, index) => `${index}`) },
    400,
    'rest_invalid_param',
  ],
  [
    'POST /seo/v1/integrations/set_active',
    { integration: 'nope', active: true },
    404,
    'integration_not_found',
  ],
  ['POST /seo/v1/kwtool/country_code', { country_code: 'NL' }, 400, 'rest_invalid_param'],
];

const bad = suite('settings are refused');
for (const [target, body, status, code] of BAD) {
  bad(`${target} ${JSON.stringify(body)}`, async () => {
    const site = await createSeoSite();
    const answer = await site.call(target, body);
    assert.equal([answer.status, answer.body['code']], [status, code]);
    assert.is((await site.store.find({ collection: 'options', total: true })).total, 2);
  });
}
bad('invalid profile URLs are listed, and none is stored', async () => {
  const site = await createSeoSite();
  const { status, body } = await site.call('POST /seo/v1/configuration/social_profiles', {
    network_a_site: 'nope',
    network_b_site: 'a b',
    other_social_urls: ['https://ok.example/', 'javascript:alert(1)'],
  });
  assert.is(status, 400);
  const { json } = body as { json: Record<string, unknown> };
  assert.equal(
    [json['success'], json['status'], json['failures']],
    [false, 400, ['network_a_site', 'network_b_site', 'other_social_urls-1']],
  );
  assert.is(await readOption(site.store, 'seo', 'profiles'), undefined);
});
bad.run();
