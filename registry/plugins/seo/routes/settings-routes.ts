import type { ArgSchema, NamespaceDescriptor } from '../../../../lib/index.ts';
import { BOOLEAN, closed, STRING } from './answers.ts';

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
