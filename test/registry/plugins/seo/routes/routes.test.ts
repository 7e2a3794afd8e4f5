import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Upstream } from '../../../../../lib/ports/upstream.ts';
import { seoDescriptor } from '../../../../../registry/plugins/seo/routes/routes.ts';
import { SEO_ERRORS } from '../../../../../registry/plugins/seo/values/errors.ts';
import { createSeoSite, SITE_URL, type SeoSite } from '../seo-site.ts';

/** A valid call of each endpoint, a role that may make it, and a role that just may not; '' is an anonymous caller. */
const ROWS: readonly (readonly [target: string, body: unknown, allowed: string, refused: string])[] = [
  [`GET /seo/v1/file_size?url=${SITE_URL}/uploads/a.png`, undefined, 'administrator', 'editor'],
  ['GET /seo/v1/statistics', undefined, 'subscriber', ''],
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-post-type',
    { postTypeName: 'post' },
    'contributor',
    'subscriber',
  ],
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-taxonomy',
    { taxonomyName: 'post_tag' },
    'contributor',
    'subscriber',
  ],
  ['POST /seo/v1/introductions/welcome/seen', {}, 'contributor', 'subscriber'],
  ['GET /seo/v1/videohost_embed_permission', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/videohost_embed_permission', {}, 'contributor', 'subscriber'],
  ['POST /seo/v1/alerts/dismiss', { key: 'webinar-promo' }, 'contributor', 'subscriber'],
  [
    'POST /seo/v1/configuration/site_representation',
    { company_or_person: 'company' },
    'administrator',
    'editor',
  ],
  ['POST /seo/v1/configuration/social_profiles', {}, 'administrator', 'editor'],
  ['GET /seo/v1/configuration/check_capability?user_id=1', undefined, 'administrator', 'editor'],
  ['POST /seo/v1/configuration/enable_tracking', { tracking: true }, 'administrator', 'editor'],
  ['POST /seo/v1/configuration/save_configuration_state', { finishedSteps: [] }, 'administrator', 'editor'],
  ['GET /seo/v1/configuration/get_configuration_state', undefined, 'administrator', 'editor'],
  ['POST /seo/v1/import/file/posts', undefined, 'administrator', 'editor'],
  [`GET /seo/v1/get_head?url=${SITE_URL}/en/alpha/`, undefined, '', 'none'],
  ['POST /seo/v1/indexing/posts', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/indexing/terms', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/indexing/post-type-archives', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/indexing/general', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/indexing/prepare', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/indexing/indexables-complete', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/indexing/complete', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/link-indexing/posts', undefined, 'contributor', 'subscriber'],
  ['POST /seo/v1/link-indexing/terms', undefined, 'contributor', 'subscriber'],
  [
    'POST /seo/v1/integrations/set_active',
    { active: true, integration: 'kwtool' },
    'administrator',
    'editor',
  ],
  ['GET /seo/v1/meta/search?post_id=102', undefined, 'author', 'contributor'],
  ['POST /seo/v1/kwtool/authenticate', { code: 'x' }, 'contributor', 'subscriber'],
  ['POST /seo/v1/kwtool/country_code', { country_code: 'nl' }, 'contributor', 'subscriber'],
  [
    'GET /seo/v1/kwtool/related_keyphrases?keyphrase=a&country_code=nl',
    undefined,
    'contributor',
    'subscriber',
  ],
  ['GET /seo/v1/ranktracker/authorization-url', undefined, 'author', 'contributor'],
  ['POST /seo/v1/ranktracker/authenticate', { code: 'x', websiteId: 9 }, 'author', 'contributor'],
  ['POST /seo/v1/ranktracker/keyphrases/track', { keyphrases: 'a' }, 'author', 'contributor'],
  ['POST /seo/v1/ranktracker/keyphrases', { keyphrases: ['a'] }, 'author', 'contributor'],
  ['DELETE /seo/v1/ranktracker/keyphrases/untrack', { keyphraseID: 5 }, 'author', 'contributor'],
  ['GET /seo/v1/ranktracker/account/limit', undefined, 'author', 'contributor'],
  ['GET /seo/v1/ranktracker/account/upgrade-campaign', undefined, 'author', 'contributor'],
  ['GET /seo/v1/workouts', undefined, 'editor', 'author'],
  ['POST /seo/v1/workouts', { cornerstone: { finishedSteps: ['chooseCornerstones'] } }, 'editor', 'author'],
];

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/oauth/token': { access_token: 'a', refresh_token: 'b', expires_in: 60 },
  '/keyphrases/related': { columnNames: ['a', 'b', 'c', 'd', 'e'], rows: [] },
  '/websites/9/limits': { limit: null, usage: 0, historyDays: 1 },
  '/campaign': { discount: null, months: null },
};

const upstream: Upstream = {
  origin: () => 'https://service.example',
  request: async (_service, { path }) => ({
    status: 200,
    headers: {},
    body: new TextEncoder().encode(JSON.stringify(ANSWERS[path] ?? { results: {} })),
  }),
};

async function createConnectedSite(): Promise<SeoSite> {
  const site = await createSeoSite({
    ports: {
      upstream,
      media: { size: async () => 5 },
      imports: {
        lines: async () =>
          (async function* () {
            yield '{"id":101}';
          })(),
      },
    },
    settings: {
      ranktracker: { authorizeUrl: 'https://t.example/', clientId: 'x', redirectUrl: 'https://b.example/' },
    },
  });
  for (const [target, body] of [
    ['POST /seo/v1/kwtool/authenticate', { code: 'x' }],
    ['GET /seo/v1/ranktracker/authorization-url', undefined],
    ['POST /seo/v1/ranktracker/authenticate', { code: 'x', websiteId: 9 }],
    ['GET /seo/v1/ranktracker/authorization-url', undefined],
  ] as const) {
    await site.call(target, body);
  }
  return site;
}

const routes = suite('seo/v1');

for (const [target, body, allowed, refused] of ROWS) {
  routes(`${target} as ${allowed}, not as ${refused === '' ? 'anonymous caller' : refused}`, async () => {
    const site = await createConnectedSite();
    const revision = await site.store.revision(['options', 'seo_meta', 'seo_indexables', 'seo_links']);
    if (refused !== 'none') {
      for (const [role, status] of [['', 401], ...(refused === '' ? [] : [[refused, 403]])] as const) {
        const answer = await site.call(target, body, String(role));
        assert.equal([answer.status, answer.body['code']], [status, 'rest_forbidden']);
      }
      assert.is(await site.store.revision(['options', 'seo_meta', 'seo_indexables', 'seo_links']), revision);
    }
    assert.is((await site.call(target, body, allowed)).status, 200);
  });
}

routes('covers every endpoint', () => {
  const rows = ROWS.map(([target]) => target.replace(/\?.*/, ''));
  const paths: readonly string[] = seoDescriptor.routes.flatMap(({ pattern, endpoints }) =>
    endpoints.map(({ methods }) => `${methods[0]} ${pattern}`),
  );
  const missing = paths.filter(
    (path) => !rows.some((row) => new RegExp(`^${path.replaceAll('(?P<', '(?<')}$`).test(row)),
  );
  assert.equal(missing, []);
  assert.is(rows.length, paths.length);
});

routes('every error code has a status and a message', () => {
  for (const [code, [status, message]] of Object.entries(SEO_ERRORS)) {
    assert.match(code, /^[a-z]+(?:_[a-z]+)+$/);
    assert.ok(status >= 400 && status < 600 && message.endsWith('.'));
  }
});

routes.run();
