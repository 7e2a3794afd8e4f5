import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import {
  AUTHORIZATION, BATCH, CAMPAIGN, CAPABILITY, DISMISSED, DONE, DONE_JSON, DONE_STATUS_JSON, FILE_SIZE, HEAD, IMPORTED, LIMIT, META, RELATED, RESULTS,
  STATISTICS, STATUS, STEPS, TOKENS, VIDEOHOST, WORKOUTS,
} from './answers.ts';
import { ADDRESS, CODE, COUNTRY, ID, NAME, PHRASE, PHRASES, TEXT, WORKOUT } from './members.ts';

/** Routes of `seo/v1`. */
export const seoDescriptor = {
  namespace: 'seo/v1',
  routes: [
    {
      pattern: '/seo/v1/file_size',
      endpoints: [{
        methods: ['GET'], handler: 'seo.fileSize', permission: 'manage_options',
        args: { url: { description: 'URL of the file.', type: 'string', required: true } },
        body: { url: { type: 'string', required: true, minLength: 1, maxLength: 2048 } }, answer: FILE_SIZE,
      }],
    },
    {
      pattern: '/seo/v1/statistics',
      endpoints: [{ methods: ['GET'], handler: 'seo.statistics', permission: 'read', args: {}, answer: STATISTICS }],
    },
    {
      pattern: '/seo/v1/new-content-type-visibility/dismiss-post-type',
      endpoints: [{
        methods: ['POST'], handler: 'seo.visibility.dismissPostType', permission: 'edit_posts',
        args: { postTypeName: { description: 'Name of the post type whose notice to dismiss.' } },
        body: { postTypeName: NAME, post_type_name: NAME }, answer: DISMISSED,
      }],
    },
    {
      pattern: '/seo/v1/new-content-type-visibility/dismiss-taxonomy',
      endpoints: [{
        methods: ['POST'], handler: 'seo.visibility.dismissTaxonomy', permission: 'edit_posts',
        args: { taxonomyName: { description: 'Name of the taxonomy whose notice to dismiss.' } },
        body: { taxonomyName: NAME, taxonomy_name: NAME }, answer: DISMISSED,
      }],
    },
    {
      pattern: '/seo/v1/introductions/(?P<introduction_id>[\\w-]+)/seen',
      endpoints: [{
        methods: ['POST'], handler: 'seo.introductions.seen', permission: 'edit_posts',
        args: {
          introduction_id: { description: 'ID of the introduction.', type: 'string', required: true },
          is_seen: { description: 'Whether the user has seen the introduction.', type: 'bool', default: true },
        },
        answer: DONE_JSON,
      }],
    },
    {
      pattern: '/seo/v1/videohost_embed_permission',
      endpoints: [
        { methods: ['GET'], handler: 'seo.videohost.read', permission: 'edit_posts', args: {}, answer: VIDEOHOST },
        {
          methods: ['POST'], handler: 'seo.videohost.write', permission: 'edit_posts',
          args: { value: { description: 'Whether videos of the video host may be embedded.', type: 'bool', default: true } },
          answer: DONE_JSON,
        },
      ],
    },
    {
      pattern: '/seo/v1/alerts/dismiss',
      endpoints: [{
        methods: ['POST'], handler: 'seo.alerts.dismiss', permission: 'edit_posts',
        args: { key: { description: 'Key of the alert to dismiss.', required: true } },
        body: { key: { ...NAME, required: true } }, answer: DONE,
      }],
    },
    {
      pattern: '/seo/v1/configuration/site_representation',
      endpoints: [{
        methods: ['POST'], handler: 'seo.configuration.representation', permission: 'seo_manage_options',
        args: {
          company_or_person: { description: 'Whether the site represents a company or a person.', type: 'string', enum: ['company', 'person'], required: true },
          company_name: { description: 'Name of the company.', type: 'string' },
          company_logo: { description: 'URL of the company logo.', type: 'string' },
          company_logo_id: { description: 'ID of the media item with the company logo.', type: 'integer' },
          person_logo: { description: 'URL of the picture of the person.', type: 'string' },
          person_logo_id: { description: 'ID of the media item with the picture of the person.', type: 'integer' },
          company_or_person_user_id: { description: 'ID of the user that the site represents.', type: 'integer' },
          description: { description: 'Tagline of the site.', type: 'string' },
        },
        body: {
          website_name: TEXT, company_name: TEXT, description: TEXT, company_logo: ADDRESS, person_logo: ADDRESS,
          company_logo_id: ID, person_logo_id: ID, company_or_person_user_id: ID,
        },
        answer: DONE,
      }],
    },
    {
      pattern: '/seo/v1/configuration/social_profiles',
      endpoints: [{
        methods: ['POST'], handler: 'seo.configuration.profiles', permission: 'seo_manage_options',
        args: {
          network_a_site: { description: 'URL of the page on the first social network.', type: 'string' },
          network_b_site: { description: 'Account name or profile URL on the second social network.', type: 'string' },
          other_social_urls: { description: 'URLs of profiles on other social networks.', type: 'array' },
        },
        body: { network_a_site: ADDRESS, network_b_site: ADDRESS, other_social_urls: { type: 'array', items: ADDRESS, maxItems: 50 } }, answer: DONE_STATUS_JSON,
      }],
    },
    {
      pattern: '/seo/v1/configuration/check_capability',
      endpoints: [{
        methods: ['GET'], handler: 'seo.configuration.capability', permission: 'seo_manage_options',
        args: { user_id: { description: 'ID of the user to edit.', required: true } },
        body: { user_id: { type: 'integer', required: true, minimum: 0 } }, answer: CAPABILITY,
      }],
    },
    {
      pattern: '/seo/v1/configuration/enable_tracking',
      endpoints: [{
        methods: ['POST'], handler: 'seo.configuration.tracking', permission: 'seo_manage_options',
        args: { tracking: { description: 'Whether tracking is allowed.', type: 'boolean', required: true } },
        answer: DONE,
      }],
    },
    {
      pattern: '/seo/v1/configuration/save_configuration_state',
      endpoints: [{
        methods: ['POST'], handler: 'seo.configuration.saveState', permission: 'seo_manage_options',
        args: { finishedSteps: { description: 'Names of the finished first-time configuration steps.', type: 'array', required: true } },
        body: { finishedSteps: { type: 'array', items: NAME, uniqueItems: true, maxItems: 20, required: true } }, answer: DONE,
      }],
    },
    {
      pattern: '/seo/v1/configuration/get_configuration_state',
      endpoints: [{ methods: ['GET'], handler: 'seo.configuration.readState', permission: 'seo_manage_options', args: {}, answer: STEPS }],
    },
    {
      pattern: '/seo/v1/import/(?P<plugin>[\\w-]+)/(?P<type>[\\w-]+)',
      endpoints: [{ methods: ['POST'], handler: 'seo.import', permission: 'activate_plugins', args: {}, answer: IMPORTED }],
    },
    {
      pattern: '/seo/v1/get_head',
      endpoints: [{
        methods: ['GET'], handler: 'seo.head', permission: 'public', cache: ['posts', 'terms', 'users', 'media', 'options', 'seo_meta'],
        args: { url: { description: 'URL of the page.', required: true } },
        body: { url: { type: 'string', required: true, minLength: 1, maxLength: 2048 } }, answer: HEAD,
      }],
    },
    {
      pattern: '/seo/v1/indexing/posts',
      endpoints: [{ methods: ['POST'], handler: 'seo.indexing.posts', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/indexing/terms',
      endpoints: [{ methods: ['POST'], handler: 'seo.indexing.terms', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/indexing/post-type-archives',
      endpoints: [{ methods: ['POST'], handler: 'seo.indexing.archives', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/indexing/general',
      endpoints: [{ methods: ['POST'], handler: 'seo.indexing.general', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/indexing/prepare',
      endpoints: [{ methods: ['POST'], handler: 'seo.indexing.prepare', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/indexing/indexables-complete',
      endpoints: [{ methods: ['POST'], handler: 'seo.indexing.indexablesComplete', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/indexing/complete',
      endpoints: [{ methods: ['POST'], handler: 'seo.indexing.complete', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/link-indexing/posts',
      endpoints: [{ methods: ['POST'], handler: 'seo.linkIndexing.posts', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/link-indexing/terms',
      endpoints: [{ methods: ['POST'], handler: 'seo.linkIndexing.terms', permission: 'edit_posts', args: {}, answer: BATCH }],
    },
    {
      pattern: '/seo/v1/integrations/set_active',
      endpoints: [{
        methods: ['POST'], handler: 'seo.integrations.activate', permission: 'seo_manage_options',
        args: {
          active: { description: 'Whether the integration is active.', type: 'boolean', required: true },
          integration: { description: 'Name of the integration.', type: 'string', required: true },
        },
        answer: DONE_STATUS_JSON,
      }],
    },
    {
      pattern: '/seo/v1/meta/search',
      endpoints: [{ methods: ['GET'], handler: 'seo.meta.search', permission: 'seo.meta.search', args: {}, body: { post_id: { type: 'integer', required: true, minimum: 1 }, query: { type: 'string', maxLength: 100 } }, answer: META }],
    },
    {
      pattern: '/seo/v1/kwtool/authenticate',
      endpoints: [{
        methods: ['POST'], handler: 'seo.kwtool.authenticate', permission: 'edit_posts',
        args: { code: { description: 'Authorization code of the keyword tool.', required: true } },
        body: { code: CODE }, answer: TOKENS,
      }],
    },
    {
      pattern: '/seo/v1/kwtool/country_code',
      endpoints: [{
        methods: ['POST'], handler: 'seo.kwtool.country', permission: 'edit_posts',
        args: { country_code: { description: 'Two-letter country code in lower case.', required: true } },
        body: { country_code: COUNTRY }, answer: DONE,
      }],
    },
    {
      pattern: '/seo/v1/kwtool/related_keyphrases',
      endpoints: [{
        methods: ['GET'], handler: 'seo.kwtool.related', permission: 'edit_posts',
        args: {
          keyphrase: { description: 'Keyphrase to find related keyphrases for.', required: true },
          country_code: { description: 'Two-letter country code in lower case.', required: true },
        },
        body: { keyphrase: { ...PHRASE, required: true }, country_code: COUNTRY }, answer: RELATED,
      }],
    },
    {
      pattern: '/seo/v1/ranktracker/authorization-url',
      endpoints: [{ methods: ['GET'], handler: 'seo.ranktracker.authorization', permission: 'publish_posts', args: {}, answer: AUTHORIZATION }],
    },
    {
      pattern: '/seo/v1/ranktracker/authenticate',
      endpoints: [{
        methods: ['POST'], handler: 'seo.ranktracker.authenticate', permission: 'publish_posts',
        args: {
          code: { description: 'Authorization code of the rank tracker.', required: true },
          websiteId: { description: 'ID of the website in the rank tracker.', required: true },
        },
        body: { code: CODE, websiteId: { type: 'integer', required: true, minimum: 1 }, state: { type: 'string', maxLength: 200 } }, answer: TOKENS,
      }],
    },
    {
      pattern: '/seo/v1/ranktracker/keyphrases/track',
      endpoints: [{
        methods: ['POST'], handler: 'seo.ranktracker.track', permission: 'publish_posts',
        args: { keyphrases: { description: 'Keyphrases to track.', required: true } },
        body: { keyphrases: { ...PHRASES, required: true } }, answer: RESULTS,
      }],
    },
    {
      pattern: '/seo/v1/ranktracker/keyphrases',
      endpoints: [{
        methods: ['POST'], handler: 'seo.ranktracker.keyphrases', permission: 'publish_posts',
        args: {
          keyphrases: { description: 'Keyphrases to get the ranking of. Default: those of all posts.' },
          permalink: { description: 'URL of the page to get the ranking of.' },
          startAt: { description: 'Start date of the ranking.' },
        },
        body: { keyphrases: PHRASES, permalink: ADDRESS, startAt: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}', maxLength: 32 } }, answer: RESULTS,
      }],
    },
    {
      pattern: '/seo/v1/ranktracker/keyphrases/untrack',
      endpoints: [{ methods: ['DELETE'], handler: 'seo.ranktracker.untrack', permission: 'publish_posts', args: {}, body: { keyphraseID: { type: 'integer', required: true, minimum: 1 } }, answer: STATUS }],
    },
    {
      pattern: '/seo/v1/ranktracker/account/limit',
      endpoints: [{ methods: ['GET'], handler: 'seo.ranktracker.limit', permission: 'publish_posts', args: {}, answer: LIMIT }],
    },
    {
      pattern: '/seo/v1/ranktracker/account/upgrade-campaign',
      endpoints: [{ methods: ['GET'], handler: 'seo.ranktracker.campaign', permission: 'publish_posts', args: {}, answer: CAMPAIGN }],
    },
    {
      pattern: '/seo/v1/workouts',
      endpoints: [
        { methods: ['GET'], handler: 'seo.workouts.read', permission: 'edit_others_posts', args: {}, answer: WORKOUTS },
        { methods: ['POST'], handler: 'seo.workouts.write', permission: 'edit_others_posts', args: {}, body: { cornerstone: WORKOUT, orphaned: WORKOUT }, answer: WORKOUTS },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
