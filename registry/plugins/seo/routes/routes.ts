import type { Handlers, NamespaceDescriptor, RouteDescriptor } from '../../../../lib/index.ts';
import type { Ports } from '../../../plugin.ts';
import type { SeoConfig } from '../values/config.ts';
import { connectedRoutes } from './connected-routes.ts';
import {
  ADDRESS,
  BATCH,
  CAPABILITY,
  DISMISSED,
  DONE,
  DONE_JSON,
  DONE_STATUS_JSON,
  FILE_SIZE,
  HEAD,
  ID,
  IMPORTED,
  META,
  NAME,
  STATISTICS,
  STEPS,
  TEXT,
  VIDEOHOST,
  WORKOUT,
  WORKOUTS,
} from './schemas.ts';

/** A step of a run of indexing. `path`: below the namespace. */
const describeStep = <const P extends string, const H extends string>(
  path: P,
  handler: H,
  [summary, description]: readonly [summary: string, description: string],
) =>
  ({
    pattern: `/seo/v1/${path}`,
    endpoints: [
      {
        methods: ['POST'],
        handler,
        permission: 'edit_posts',
        summary,
        description,
        args: {},
        answers: { 200: BATCH },
      },
    ],
  }) as const satisfies RouteDescriptor;

/** Routes of `seo/v1`. */
export const seoDescriptor = {
  namespace: 'seo/v1',
  routes: [
    {
      pattern: '/seo/v1/file_size',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.fileSize',
          permission: 'manage_options',
          summary: 'Get the size of an uploaded file',
          description: 'Returns the number of bytes of a media file of this site, found by its URL.',
          args: { url: { description: 'URL of the file.', type: 'string', required: true } },
          body: { url: { type: 'string', required: true, minLength: 1, maxLength: 2048 } },
          answers: { 200: FILE_SIZE },
        },
      ],
    },
    {
      pattern: '/seo/v1/statistics',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.statistics',
          permission: 'read',
          summary: 'Summarise the SEO scores of the posts',
          description:
            'Counts posts by the quality of their search optimisation: those of the whole site for editors, their own for other users.',
          args: {},
          answers: { 200: STATISTICS },
        },
      ],
    },
    {
      pattern: '/seo/v1/new-content-type-visibility/dismiss-post-type',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.visibility.dismissPostType',
          permission: 'edit_posts',
          summary: 'Dismiss the notice about a new post type',
          description:
            'Removes a post type from the list of those that have newly become public and, with the last one, the notice about them.',
          args: { postTypeName: { description: 'Name of the post type whose notice to dismiss.' } },
          body: { postTypeName: NAME, post_type_name: NAME },
          answers: { 200: DISMISSED },
        },
      ],
    },
    {
      pattern: '/seo/v1/new-content-type-visibility/dismiss-taxonomy',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.visibility.dismissTaxonomy',
          permission: 'edit_posts',
          summary: 'Dismiss the notice about a new taxonomy',
          description:
            'Removes a taxonomy from the list of those that have newly become public and, with the last one, the notice about them.',
          args: { taxonomyName: { description: 'Name of the taxonomy whose notice to dismiss.' } },
          body: { taxonomyName: NAME, taxonomy_name: NAME },
          answers: { 200: DISMISSED },
        },
      ],
    },
    {
      pattern: '/seo/v1/introductions/(?P<introduction_id>[\\w-]+)/seen',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.introductions.seen',
          permission: 'edit_posts',
          summary: 'Record that an introduction was seen',
          description:
            'Remembers for the calling user whether an introduction has been seen, so that it is not shown again.',
          args: {
            introduction_id: { description: 'ID of the introduction.', type: 'string', required: true },
            is_seen: {
              description: 'Whether the user has seen the introduction.',
              type: 'bool',
              default: true,
            },
          },
          answers: { 200: DONE_JSON },
        },
      ],
    },
    {
      pattern: '/seo/v1/videohost_embed_permission',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.videohost.read',
          permission: 'edit_posts',
          summary: 'Ask whether videos may be embedded',
          description: 'Tells whether the calling user has allowed videos of the video host to be embedded.',
          args: {},
          answers: { 200: VIDEOHOST },
        },
        {
          methods: ['POST'],
          handler: 'seo.videohost.write',
          permission: 'edit_posts',
          summary: 'Allow or forbid embedded videos',
          description: 'Saves for the calling user whether videos of the video host may be embedded.',
          args: {
            value: {
              description: 'Whether videos of the video host may be embedded.',
              type: 'bool',
              default: true,
            },
          },
          answers: { 200: DONE_JSON },
        },
      ],
    },
    {
      pattern: '/seo/v1/alerts/dismiss',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.alerts.dismiss',
          permission: 'edit_posts',
          summary: 'Dismiss an alert',
          description: 'Hides an alert of the administration from the calling user for good.',
          args: { key: { description: 'Key of the alert to dismiss.', required: true } },
          body: { key: { ...NAME, required: true } },
          answers: { 200: DONE },
        },
      ],
    },
    {
      pattern: '/seo/v1/configuration/site_representation',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.configuration.representation',
          permission: 'seo_manage_options',
          summary: 'Say whom the site represents',
          description:
            'Saves whether the site represents a company or a person, with the name, logo and tagline that search engines are given.',
          args: {
            company_or_person: {
              description: 'Whether the site represents a company or a person.',
              type: 'string',
              enum: ['company', 'person'],
              required: true,
            },
            company_name: { description: 'Name of the company.', type: 'string' },
            company_logo: { description: 'URL of the company logo.', type: 'string' },
            company_logo_id: { description: 'ID of the media item with the company logo.', type: 'integer' },
            person_logo: { description: 'URL of the picture of the person.', type: 'string' },
            person_logo_id: {
              description: 'ID of the media item with the picture of the person.',
              type: 'integer',
            },
            company_or_person_user_id: {
              description: 'ID of the user that the site represents.',
              type: 'integer',
            },
            description: { description: 'Tagline of the site.', type: 'string' },
          },
          body: {
            website_name: TEXT,
            company_name: TEXT,
            description: TEXT,
            company_logo: ADDRESS,
            person_logo: ADDRESS,
            company_logo_id: ID,
            person_logo_id: ID,
            company_or_person_user_id: ID,
          },
          answers: { 200: DONE },
        },
      ],
    },
    {
      pattern: '/seo/v1/configuration/social_profiles',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.configuration.profiles',
          permission: 'seo_manage_options',
          summary: 'Save the social profiles of the site',
          description:
            'Saves the addresses of the site on social networks together, or none of them if one is not valid.',
          args: {
            network_a_site: { description: 'URL of the page on the first social network.', type: 'string' },
            network_b_site: {
              description: 'Account name or profile URL on the second social network.',
              type: 'string',
            },
            other_social_urls: { description: 'URLs of profiles on other social networks.', type: 'array' },
          },
          body: {
            network_a_site: ADDRESS,
            network_b_site: ADDRESS,
            other_social_urls: { type: 'array', items: ADDRESS, maxItems: 50 },
          },
          answers: { 200: DONE_STATUS_JSON },
        },
      ],
    },
    {
      pattern: '/seo/v1/configuration/check_capability',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.configuration.capability',
          permission: 'seo_manage_options',
          summary: 'Ask whether the caller may edit a user',
          description:
            'Tells in the body of the response whether the calling user may edit the profile of the given user.',
          args: { user_id: { description: 'ID of the user to edit.', required: true } },
          body: { user_id: { type: 'integer', required: true, minimum: 0 } },
          answers: { 200: CAPABILITY },
        },
      ],
    },
    {
      pattern: '/seo/v1/configuration/enable_tracking',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.configuration.tracking',
          permission: 'seo_manage_options',
          summary: 'Allow or forbid tracking',
          description: 'Saves whether usage data may be collected, although the site itself never sends any.',
          args: {
            tracking: { description: 'Whether tracking is allowed.', type: 'boolean', required: true },
          },
          answers: { 200: DONE },
        },
      ],
    },
    {
      pattern: '/seo/v1/configuration/save_configuration_state',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.configuration.saveState',
          permission: 'seo_manage_options',
          summary: 'Save the progress of the first-time configuration',
          description:
            'Stores which steps of the first-time configuration are finished, so that it can be continued later.',
          args: {
            finishedSteps: {
              description: 'Names of the finished first-time configuration steps.',
              type: 'array',
              required: true,
            },
          },
          body: {
            finishedSteps: { type: 'array', items: NAME, uniqueItems: true, maxItems: 20, required: true },
          },
          answers: { 200: DONE },
        },
      ],
    },
    {
      pattern: '/seo/v1/configuration/get_configuration_state',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.configuration.readState',
          permission: 'seo_manage_options',
          summary: 'Read the progress of the first-time configuration',
          description: 'Returns the names of the finished steps of the first-time configuration.',
          args: {},
          answers: { 200: STEPS },
        },
      ],
    },
    {
      pattern: '/seo/v1/import/(?P<plugin>[\\w-]+)/(?P<type>[\\w-]+)',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.import',
          permission: 'activate_plugins',
          summary: 'Import SEO data from another source',
          description:
            'Takes over one batch of titles, descriptions and other SEO fields, fills only fields that still have their defaults, and returns the address of the next batch.',
          args: {},
          answers: { 200: IMPORTED },
        },
      ],
    },
    {
      pattern: '/seo/v1/get_head',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.head',
          permission: 'public',
          summary: 'Get the head markup of a page',
          description:
            'Returns the title, meta tags, links to translations and structured data of a page, as HTML and as JSON, for a front end that renders the page itself.',
          cache: ['posts', 'terms', 'users', 'media', 'options', 'seo_meta'],
          args: { url: { description: 'URL of the page.', required: true } },
          body: { url: { type: 'string', required: true, minLength: 1, maxLength: 2048 } },
          answers: { 200: HEAD },
        },
      ],
    },
    describeStep('indexing/posts', 'seo.indexing.posts', [
      'Index the next posts',
      'Builds the SEO records of up to 25 posts for which they are missing or out of date, and returns the address of the next batch.',
    ]),
    describeStep('indexing/terms', 'seo.indexing.terms', [
      'Index the next terms',
      'Builds the SEO records of up to 25 categories and tags for which they are missing or out of date, and returns the address of the next batch.',
    ]),
    describeStep('indexing/post-type-archives', 'seo.indexing.archives', [
      'Index the archives of post types',
      'Builds the SEO records of the archive of each post type in each language, up to 25 at a time.',
    ]),
    describeStep('indexing/general', 'seo.indexing.general', [
      'Index the general pages',
      'Builds the SEO records of the home page, the date archive, the search page and the error page in each language.',
    ]),
    describeStep('indexing/prepare', 'seo.indexing.prepare', [
      'Begin an indexing run',
      'Records that an indexing run has started and how much there is to index, so that its progress can be shown.',
    ]),
    describeStep('indexing/indexables-complete', 'seo.indexing.indexablesComplete', [
      'Mark the SEO records as complete',
      'Records that all SEO records are built and that only the links remain to be counted.',
    ]),
    describeStep('indexing/complete', 'seo.indexing.complete', [
      'End an indexing run',
      'Records that the indexing run has finished, when it did and how much was indexed.',
    ]),
    describeStep('link-indexing/posts', 'seo.linkIndexing.posts', [
      'Count the links of the next posts',
      'Finds the links in the content of up to 5 posts, matches them to pages of the site and updates the link counts of both ends.',
    ]),
    describeStep('link-indexing/terms', 'seo.linkIndexing.terms', [
      'Count the links of the next terms',
      'Finds the links in the descriptions of up to 5 categories and tags, matches them to pages of the site and updates the link counts of both ends.',
    ]),
    {
      pattern: '/seo/v1/integrations/set_active',
      endpoints: [
        {
          methods: ['POST'],
          handler: 'seo.integrations.activate',
          permission: 'seo_manage_options',
          summary: 'Switch an integration on or off',
          description:
            'Activates or deactivates a connected tool, such as the keyword tool or the rank tracker.',
          args: {
            active: { description: 'Whether the integration is active.', type: 'boolean', required: true },
            integration: { description: 'Name of the integration.', type: 'string', required: true },
          },
          answers: { 200: DONE_STATUS_JSON },
        },
      ],
    },
    {
      pattern: '/seo/v1/meta/search',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.meta.search',
          permission: 'seo.meta.search',
          summary: 'Search the custom fields of a post',
          description:
            'Lists up to 25 custom fields of a post whose names begin with the given text, with their values.',
          args: {},
          body: {
            post_id: { type: 'integer', required: true, minimum: 1 },
            query: { type: 'string', maxLength: 100 },
          },
          answers: { 200: META },
        },
      ],
    },
    ...connectedRoutes,
    {
      pattern: '/seo/v1/workouts',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.workouts.read',
          permission: 'edit_others_posts',
          summary: 'Read the SEO workouts',
          description:
            'Returns the progress of the workouts on cornerstone content and orphaned posts, with the posts that each step concerns.',
          args: {},
          answers: { 200: WORKOUTS },
        },
        {
          methods: ['POST'],
          handler: 'seo.workouts.write',
          permission: 'edit_others_posts',
          summary: 'Save the progress of the SEO workouts',
          description:
            'Merges the given steps and posts into the saved progress of the workouts and returns the result.',
          args: {},
          body: { cornerstone: WORKOUT, orphaned: WORKOUT },
          answers: { 200: WORKOUTS },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;

/** All handlers of the namespace by id. */
type SeoHandlers = Handlers<typeof seoDescriptor>;

/** The handlers of one concern: `P`, or those whose ids begin with it. */
export type HandlerGroup<P extends string> = Pick<
  SeoHandlers,
  Extract<keyof SeoHandlers, P | `${P}.${string}`>
>;

/** Dependencies of each concern. */
export interface SeoDeps {
  readonly ports: Ports;
  readonly config: SeoConfig;
}
