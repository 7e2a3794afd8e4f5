import type { ArgSchema, NamespaceDescriptor, RouteDescriptor } from '../../../../lib/index.ts';
import {
  ADDRESS,
  AUTHORIZATION,
  BOOLEAN,
  CAMPAIGN,
  closed,
  CODE,
  COUNTRY,
  DONE,
  LIMIT,
  PHRASE,
  PHRASES,
  RELATED,
  RESULTS,
  STATUS,
  STRING,
  TOKENS,
} from './schemas.ts';

/** Routes of the connected tools: the keyword tool and the rank tracker. */
export const connectedRoutes = [
  {
    pattern: '/seo/v1/kwtool/authenticate',
    endpoints: [
      {
        methods: ['POST'],
        handler: 'seo.kwtool.authenticate',
        permission: 'edit_posts',
        summary: 'Connect the keyword tool',
        description:
          'Exchanges an authorization code for the tokens of the keyword tool, which are stored and never returned.',
        args: { code: { description: 'Authorization code of the keyword tool.', required: true } },
        body: { code: CODE },
        answers: { 200: TOKENS },
      },
    ],
  },
  {
    pattern: '/seo/v1/kwtool/country_code',
    endpoints: [
      {
        methods: ['POST'],
        handler: 'seo.kwtool.country',
        permission: 'edit_posts',
        summary: 'Choose the country of keyword searches',
        description: 'Saves the country in which related keyphrases are looked up.',
        args: { country_code: { description: 'Two-letter country code in lower case.', required: true } },
        body: { country_code: COUNTRY },
        answers: { 200: DONE },
      },
    ],
  },
  {
    pattern: '/seo/v1/kwtool/related_keyphrases',
    endpoints: [
      {
        methods: ['GET'],
        handler: 'seo.kwtool.related',
        permission: 'edit_posts',
        summary: 'Find related keyphrases',
        description:
          'Asks the keyword tool for phrases that people search for in the same context, with the volume, trend, intent and difficulty of each.',
        args: {
          keyphrase: { description: 'Keyphrase to find related keyphrases for.', required: true },
          country_code: { description: 'Two-letter country code in lower case.', required: true },
        },
        body: { keyphrase: { ...PHRASE, required: true }, country_code: COUNTRY },
        answers: { 200: RELATED },
      },
    ],
  },
  {
    pattern: '/seo/v1/ranktracker/authorization-url',
    endpoints: [
      {
        methods: ['GET'],
        handler: 'seo.ranktracker.authorization',
        permission: 'publish_posts',
        summary: 'Start to connect the rank tracker',
        description:
          'Returns the address at which a user allows this site to use their account of the rank tracker.',
        args: {},
        answers: { 200: AUTHORIZATION },
      },
    ],
  },
  {
    pattern: '/seo/v1/ranktracker/authenticate',
    endpoints: [
      {
        methods: ['POST'],
        handler: 'seo.ranktracker.authenticate',
        permission: 'publish_posts',
        summary: 'Connect the rank tracker',
        description:
          'Exchanges an authorization code for the tokens of the rank tracker and stores the ID of the tracked website.',
        args: {
          code: { description: 'Authorization code of the rank tracker.', required: true },
          websiteId: { description: 'ID of the website in the rank tracker.', required: true },
        },
        body: {
          code: CODE,
          websiteId: { type: 'integer', required: true, minimum: 1 },
          state: { type: 'string', maxLength: 200 },
        },
        answers: { 200: TOKENS },
      },
    ],
  },
  {
    pattern: '/seo/v1/ranktracker/keyphrases/track',
    endpoints: [
      {
        methods: ['POST'],
        handler: 'seo.ranktracker.track',
        permission: 'publish_posts',
        summary: 'Track keyphrases',
        description:
          'Adds keyphrases to the account of the rank tracker, unless its limit would be exceeded.',
        args: { keyphrases: { description: 'Keyphrases to track.', required: true } },
        body: { keyphrases: { ...PHRASES, required: true } },
        answers: { 200: RESULTS },
      },
    ],
  },
  {
    pattern: '/seo/v1/ranktracker/keyphrases',
    endpoints: [
      {
        methods: ['POST'],
        handler: 'seo.ranktracker.keyphrases',
        permission: 'publish_posts',
        summary: 'Get the rankings of keyphrases',
        description:
          'Returns the positions of tracked keyphrases over time, for the whole site or for one page.',
        args: {
          keyphrases: { description: 'Keyphrases to get the ranking of. Default: those of all posts.' },
          permalink: { description: 'URL of the page to get the ranking of.' },
          startAt: { description: 'Start date of the ranking.' },
        },
        body: {
          keyphrases: PHRASES,
          permalink: ADDRESS,
          startAt: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}', maxLength: 32 },
        },
        answers: { 200: RESULTS },
      },
    ],
  },
  {
    pattern: '/seo/v1/ranktracker/keyphrases/untrack',
    endpoints: [
      {
        methods: ['DELETE'],
        handler: 'seo.ranktracker.untrack',
        permission: 'publish_posts',
        summary: 'Stop tracking a keyphrase',
        description: 'Removes a keyphrase from the account of the rank tracker.',
        args: {},
        body: { keyphraseID: { type: 'integer', required: true, minimum: 1 } },
        answers: { 200: STATUS },
      },
    ],
  },
  {
    pattern: '/seo/v1/ranktracker/account/limit',
    endpoints: [
      {
        methods: ['GET'],
        handler: 'seo.ranktracker.limit',
        permission: 'publish_posts',
        summary: 'Get the limit of the rank tracker account',
        description:
          'Tells how many keyphrases the account may track, how many it tracks, and whether one more can be added.',
        args: {},
        answers: { 200: LIMIT },
      },
    ],
  },
  {
    pattern: '/seo/v1/ranktracker/account/upgrade-campaign',
    endpoints: [
      {
        methods: ['GET'],
        handler: 'seo.ranktracker.campaign',
        permission: 'publish_posts',
        summary: 'Get the current upgrade offer',
        description:
          'Returns the discount on a larger account of the rank tracker and its duration in months, or nulls if there is none.',
        args: {},
        answers: { 200: CAMPAIGN },
      },
    ],
  },
] as const satisfies readonly RouteDescriptor[];

const MEMBERS = { type: 'object', required: true } as const satisfies ArgSchema;
const TEXTS = { type: 'array', items: { type: 'string' }, required: true } as const satisfies ArgSchema;

/** `website`: id of the site at the service; 0 if it has none. `expires`: seconds since 1970, 0 if the site is not authorized. */
const CONNECTION = closed({
  connected: BOOLEAN,
  authorized: BOOLEAN,
  website: { type: 'integer', required: true },
  expires: { type: 'integer', required: true },
});

/** Routes that show what the other routes of `seo/v1` have stored. Served only if the host wants them, so that the recorded index stays as it is. */
export const seoSettingsDescriptor = {
  namespace: 'seo/v1',
  routes: [
    {
      pattern: '/seo/v1/settings',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.settings.site',
          permission: 'seo_manage_options',
          summary: 'Read the SEO settings of the site',
          description:
            'Returns what was stored about the owner of the site, its profiles, tracking, the configuration, integrations, whether they are connected and authorized, the country of keyphrases, and new content types.',
          args: {},
          answers: {
            200: closed({
              site_representation: MEMBERS,
              social_profiles: MEMBERS,
              tracking: BOOLEAN,
              finished_steps: TEXTS,
              first_time_configuration: BOOLEAN,
              integrations: MEMBERS,
              connections: { type: 'object', required: true, additionalProperties: CONNECTION },
              country_code: STRING,
              new_post_types: TEXTS,
              new_taxonomies: TEXTS,
            }),
          },
        },
      ],
    },
    {
      pattern: '/seo/v1/personal-settings',
      endpoints: [
        {
          methods: ['GET'],
          handler: 'seo.settings.personal',
          permission: 'edit_posts',
          summary: 'Read the SEO settings of the caller',
          description:
            'Returns which introductions the caller has seen, which alerts are dismissed, and whether videos may be embedded.',
          args: {},
          answers: {
            200: closed({
              introductions: {
                type: 'object',
                required: true,
                additionalProperties: closed({ is_seen: BOOLEAN, seen_on: STRING }),
              },
              alerts: {
                type: 'object',
                required: true,
                additionalProperties: closed({ dismissed: BOOLEAN }),
              },
              videohost_embed_permission: BOOLEAN,
            }),
          },
        },
      ],
    },
  ],
} as const satisfies NamespaceDescriptor;
