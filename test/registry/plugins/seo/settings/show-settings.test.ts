import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSeoSite } from '../seo-site.ts';

const shown = suite('settings are read back');
const open = () =>
  createSeoSite({
    settings: {
      extraRoutes: true,
      postTypes: ['post', 'book'],
      introductions: ['welcome', 'tour'],
      alerts: ['one', 'two'],
    },
  });

const NOWHERE = { connected: false, authorized: false, website: 0, expires: 0 };

shown('those of the site', async () => {
  const site = await open();
  const read = async () => (await site.call('GET /seo/v1/settings')).body;
  assert.equal(await read(), {
    site_representation: {},
    social_profiles: {},
    tracking: false,
    finished_steps: [],
    first_time_configuration: true,
    integrations: { kwtool: true, ranktracker: true, 'site-search': true },
    country_code: 'us',
    new_post_types: ['book'],
    new_taxonomies: [],
    connections: { kwtool: NOWHERE, ranktracker: NOWHERE },
  });
  for (const [target, body] of [
    ['configuration/site_representation', { company_or_person: 'company', company_name: 'Harbour' }],
    ['configuration/social_profiles', { network_b_site: '@harbour' }],
    ['configuration/enable_tracking', { tracking: true }],
    ['configuration/save_configuration_state', { finishedSteps: ['a', 'b', 'c'] }],
    ['integrations/set_active', { integration: 'kwtool', active: false }],
    ['kwtool/country_code', { country_code: 'nl' }],
    ['new-content-type-visibility/dismiss-post-type', { postTypeName: 'book' }],
  ] as const)
    assert.is((await site.call(`POST /seo/v1/${target}`, body)).status, 200, target);
  assert.equal(await read(), {
    site_representation: { company_or_person: 'company', company_name: 'Harbour' },
    social_profiles: { network_b_site: 'harbour' },
    tracking: true,
    finished_steps: ['a', 'b', 'c'],
    first_time_configuration: false,
    integrations: { kwtool: false, ranktracker: true, 'site-search': true },
    country_code: 'nl',
    new_post_types: [],
    new_taxonomies: [],
    connections: { kwtool: NOWHERE, ranktracker: NOWHERE },
  });
});
shown('those of the caller, and of nobody else', async () => {
  const site = await open();
  for (const [target, body] of [
    ['introductions/tour/seen', {}],
    ['alerts/dismiss', { key: 'two' }],
    ['videohost_embed_permission', { value: true }],
  ] as const)
    await site.call(`POST /seo/v1/${target}`, body, 'author');
  assert.equal((await site.call('GET /seo/v1/personal-settings', undefined, 'author')).body, {
    introductions: {
      welcome: { is_seen: false, seen_on: '' },
      tour: { is_seen: true, seen_on: '2025-01-15T12:00:00+00:00' },
    },
    alerts: { one: { dismissed: false }, two: { dismissed: true } },
    videohost_embed_permission: true,
  });
  assert.equal((await site.call('GET /seo/v1/personal-settings', undefined, 'editor')).body['alerts'], {
    one: { dismissed: false },
    two: { dismissed: false },
  });
  assert.is((await site.call('GET /seo/v1/settings', undefined, 'author')).status, 403);
});
shown('a seed has no such routes', async () => {
  assert.is((await (await createSeoSite()).call('GET /seo/v1/settings')).status, 404);
});
shown('workouts name their posts, and what was read can be sent back', async () => {
  const site = await open();
  const read = async () =>
    (await site.call('GET /seo/v1/workouts')).body as {
      json: Record<
        string,
        {
          finishedSteps: string[];
          indexablesByStep: Record<string, number[]>;
          posts: Record<string, unknown>[];
        }
      >;
    };
  const { json } = await read();
  const [first] = json['orphaned']?.posts ?? [];
  assert.ok(
    first !== undefined && String(first['title']).length > 0 && String(first['link']).startsWith('http'),
    JSON.stringify(json['orphaned']).slice(0, 400),
  );
  assert.equal(
    json['orphaned']?.posts.map(({ id }) => id),
    json['orphaned']?.indexablesByStep['improveRemove'],
  );
  assert.is(
    (
      await site.call('POST /seo/v1/workouts', {
        orphaned: { ...json['orphaned'], finishedSteps: ['improveRemove'] },
      })
    ).status,
    200,
  );
  assert.equal((await read()).json['orphaned'], { ...json['orphaned'], finishedSteps: ['improveRemove'] });
});
shown.run();
