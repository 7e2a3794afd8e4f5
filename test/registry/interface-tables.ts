// The tables of interface.md in their order, copied from the document and not from the descriptors.
// Facts only: descriptions and titles are left out.
import type { ArgSchemas } from '../../lib/schema/schema-dialect.ts';

/** Methods, path as in the document, parameters (none if left out). */
export type Row = readonly [methods: string, path: string, params?: ArgSchemas];

const CONTEXT = { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view' } as const;

const ID_LIST = { type: 'array', items: { type: 'integer' } } as const;

/** Not in the document: the recorded index lists the identifiers of cms/v2 paths (index-058 to index-063). */
const PATH_ID = { type: 'integer' } as const;

// 4.4, list posts
const POST_LIST: ArgSchemas = {
  context: { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view' },
  page: { type: 'integer', default: 1, minimum: 1 },
  per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
  search: { type: 'string' },
  after: { type: 'string', format: 'date-time' },
  modified_after: { type: 'string', format: 'date-time' },
  before: { type: 'string', format: 'date-time' },
  modified_before: { type: 'string', format: 'date-time' },
  author: { type: 'array', items: { type: 'integer' }, default: [] },
  author_exclude: { type: 'array', items: { type: 'integer' }, default: [] },
  exclude: { type: 'array', items: { type: 'integer' }, default: [] },
  include: { type: 'array', items: { type: 'integer' }, default: [] },
  search_semantics: { type: 'string', enum: ['exact'] },
  offset: { type: 'integer' },
  order: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  orderby: {
    type: 'string',
    enum: [
      'author',
      'date',
      'id',
      'include',
      'modified',
      'parent',
      'relevance',
      'slug',
      'include_slugs',
      'title',
    ],
    default: 'date',
  },
  search_columns: {
    type: 'array',
    items: { type: 'string', enum: ['post_title', 'post_content', 'post_excerpt'] },
    default: [],
  },
  slug: { type: 'array', items: { type: 'string' } },
  status: {
    type: 'array',
    default: 'publish',
    items: {
      type: 'string',
      enum: [
        'publish',
        'future',
        'draft',
        'pending',
        'private',
        'trash',
        'auto-draft',
        'inherit',
        'request-pending',
        'request-confirmed',
        'request-failed',
        'request-completed',
        'any',
      ],
    },
  },
  tax_relation: { type: 'string', enum: ['AND', 'OR'] },
  categories: {
    type: ['array', 'object'],
    oneOf: [
      ID_LIST,
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          terms: { type: 'array', items: { type: 'integer' }, default: [] },
          include_children: { type: 'boolean', default: false },
          operator: { type: 'string', enum: ['AND', 'OR'], default: 'OR' },
        },
      },
    ],
  },
  categories_exclude: {
    type: ['array', 'object'],
    oneOf: [
      ID_LIST,
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          terms: { type: 'array', items: { type: 'integer' }, default: [] },
          include_children: { type: 'boolean', default: false },
        },
      },
    ],
  },
  tags: {
    type: ['array', 'object'],
    oneOf: [
      ID_LIST,
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          terms: { type: 'array', items: { type: 'integer' }, default: [] },
          operator: { type: 'string', enum: ['AND', 'OR'], default: 'OR' },
        },
      },
    ],
  },
  tags_exclude: {
    type: ['array', 'object'],
    oneOf: [
      ID_LIST,
      {
        type: 'object',
        additionalProperties: false,
        properties: { terms: { type: 'array', items: { type: 'integer' }, default: [] } },
      },
    ],
  },
  sticky: { type: 'boolean' },
  ignore_sticky: { type: 'boolean', default: true },
  format: {
    type: 'array',
    uniqueItems: true,
    items: {
      type: 'string',
      enum: ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'],
    },
  },
};

// 2.2. The recorded index lists the fields after `excerpt` for autosaves, too (index-063).
const POST_WRITE: ArgSchemas = {
  date: { type: ['string', 'null'], format: 'date-time' },
  date_gmt: { type: ['string', 'null'], format: 'date-time' },
  slug: { type: 'string' },
  status: { type: 'string', enum: ['publish', 'future', 'draft', 'pending', 'private'] },
  password: { type: 'string' },
  title: {
    type: 'object',
    properties: {
      raw: { type: 'string', context: ['edit'] },
      rendered: { type: 'string', readonly: true, context: ['view', 'edit', 'embed'] },
    },
  },
  content: {
    type: 'object',
    properties: {
      raw: { type: 'string', context: ['edit'] },
      rendered: { type: 'string', readonly: true, context: ['view', 'edit'] },
      block_version: { type: 'integer', readonly: true, context: ['edit'] },
      protected: { type: 'boolean', readonly: true, context: ['view', 'edit', 'embed'] },
    },
  },
  author: { type: 'integer' },
  excerpt: {
    type: 'object',
    properties: {
      raw: { type: 'string', context: ['edit'] },
      rendered: { type: 'string', readonly: true, context: ['view', 'edit', 'embed'] },
      protected: { type: 'boolean', readonly: true, context: ['view', 'edit', 'embed'] },
    },
  },
  featured_media: { type: 'integer' },
  comment_status: { type: 'string', enum: ['open', 'closed'] },
  ping_status: { type: 'string', enum: ['open', 'closed'] },
  format: {
    type: 'string',
    enum: ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'],
  },
  meta: { type: 'object', properties: { footnotes: { type: 'string', default: '' } } },
  sticky: { type: 'boolean' },
  template: { type: 'string' },
  categories: { type: 'array', items: { type: 'integer' } },
  tags: { type: 'array', items: { type: 'integer' } },
};

// 4.4, revisions
const REVISION_LIST: ArgSchemas = {
  context: CONTEXT,
  page: { type: 'integer', default: 1, minimum: 1 },
  per_page: { type: 'integer', minimum: 1, maximum: 100 },
  search: { type: 'string' },
  exclude: { type: 'array', items: { type: 'integer' }, default: [] },
  include: { type: 'array', items: { type: 'integer' }, default: [] },
  offset: { type: 'integer' },
  order: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  orderby: {
    type: 'string',
    enum: ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'],
    default: 'date',
  },
};

export const INTERFACE: readonly Row[] = [
  // 4.1 Root and batch
  ['GET', '/', { context: { default: 'view' } }],
  [
    'POST',
    '/batch/v1',
    {
      validation: { type: 'string', default: 'normal', enum: ['require-all-validate', 'normal'] },
      requests: {
        type: 'array',
        required: true,
        maxItems: 25,
        items: {
          type: 'object',
          properties: {
            method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
            path: { type: 'string', required: true },
            body: { type: 'object', properties: {}, additionalProperties: true },
            headers: {
              type: 'object',
              properties: {},
              additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
            },
          },
        },
      },
    },
  ],
  // 4.2 Namespace index routes
  ['GET', '/oembed/1.0', { namespace: { default: 'oembed/1.0' }, context: { default: 'view' } }],
  ['GET', '/ml/v1', { namespace: { default: 'ml/v1' }, context: { default: 'view' } }],
  ['GET', '/secscan/v1', { namespace: { default: 'secscan/v1' }, context: { default: 'view' } }],
  ['GET', '/seo/v1', { namespace: { default: 'seo/v1' }, context: { default: 'view' } }],
  ['GET', '/ml/tm/v1', { namespace: { default: 'ml/tm/v1' }, context: { default: 'view' } }],
  ['GET', '/ml/ate/v1', { namespace: { default: 'ml/ate/v1' }, context: { default: 'view' } }],
  ['GET', '/ml/st/v1', { namespace: { default: 'ml/st/v1' }, context: { default: 'view' } }],
  [
    'GET',
    '/builder/photofeed',
    { namespace: { default: 'builder/photofeed' }, context: { default: 'view' } },
  ],
  ['GET', '/builder', { namespace: { default: 'builder' }, context: { default: 'view' } }],
  ['GET', '/pkg/installer/v1', { namespace: { default: 'pkg/installer/v1' }, context: { default: 'view' } }],
  ['GET', '/cms/v2', { namespace: { default: 'cms/v2' }, context: { default: 'view' } }],
  // 4.3 oEmbed (`oembed/1.0`)
  [
    'GET',
    '/oembed/1.0/embed',
    {
      url: { type: 'string', format: 'uri', required: true },
      format: { default: 'json' },
      maxwidth: { default: 600 },
    },
  ],
  [
    'GET',
    '/oembed/1.0/proxy',
    {
      url: { type: 'string', format: 'uri', required: true },
      format: { type: 'string', default: 'json', enum: ['json', 'xml'] },
      maxwidth: { type: 'integer', default: 600 },
      maxheight: { type: 'integer' },
      discover: { type: 'boolean', default: true },
    },
  ],
  // 4.4 Posts (`cms/v2`)
  ['GET', '/cms/v2/posts', POST_LIST],
  ['POST', '/cms/v2/posts', POST_WRITE],
  [
    'GET',
    '/cms/v2/posts/{id}',
    {
      id: PATH_ID,
      context: CONTEXT,
      excerpt_length: { type: 'integer' },
      password: { type: 'string' },
    },
  ],
  ['POST, PUT, PATCH', '/cms/v2/posts/{id}', { id: PATH_ID, ...POST_WRITE }],
  ['DELETE', '/cms/v2/posts/{id}', { id: PATH_ID, force: { type: 'boolean', default: false } }],
  ['GET', '/cms/v2/posts/{parent}/revisions', { parent: PATH_ID, ...REVISION_LIST }],
  ['GET', '/cms/v2/posts/{parent}/revisions/{id}', { parent: PATH_ID, id: PATH_ID, context: CONTEXT }],
  [
    'DELETE',
    '/cms/v2/posts/{parent}/revisions/{id}',
    { parent: PATH_ID, id: PATH_ID, force: { type: 'boolean', default: false } },
  ],
  ['GET', '/cms/v2/posts/{id}/autosaves', { parent: PATH_ID, context: CONTEXT }],
  ['POST', '/cms/v2/posts/{id}/autosaves', { parent: PATH_ID, ...POST_WRITE }],
  // 4.5 Translation-management routes (`ml/v1`, `ml/tm/v1`, `ml/ate/v1`, `ml/st/v1`)
  ['GET, POST', '/ml/v1/custom-xml-config'],
  ['POST', '/ml/v1/custom-xml-config/validate'],
  [
    'POST',
    '/ml/tm/v1/ate/jobs/store',
    { ml_job_id: { type: 'string', required: true }, ate_job_data: { type: 'array', required: true } },
  ],
  ['GET', '/ml/tm/v1/xliff/fetch/{jobId}'],
  ['POST', '/ml/tm/v1/ams/register_manager'],
  ['GET', '/ml/tm/v1/ams/synchronize/translators'],
  ['GET', '/ml/tm/v1/ams/synchronize/managers'],
  ['GET', '/ml/tm/v1/ams/status'],
  ['GET', '/ml/tm/v1/ams/console'],
  ['GET, POST', '/ml/tm/v1/ams/engines'],
  ['POST', '/ml/tm/v1/ate/jobs'],
  ['GET', '/ml/tm/v1/ate/jobs/{ateJobId}'],
  [
    'GET',
    '/ml/tm/v1/jobs',
    {
      local_job_ids: { type: 'string' },
      scope: { type: 'string' },
      id: { type: 'integer' },
      title: { type: 'string' },
      source_language: { type: 'string' },
      target_language: { type: 'string' },
      status: { type: 'string' },
      needs_update: { type: 'string' },
      limit: { type: 'integer' },
      offset: { type: 'integer' },
      sorting: {},
      translated_by: { type: 'string' },
      sent_from: { type: 'string' },
      sent_to: { type: 'string' },
      deadline_from: { type: 'string' },
      deadline_to: { type: 'string' },
    },
  ],
  [
    'POST',
    '/ml/tm/v1/jobs/assign',
    { jobId: { required: true }, type: {}, translatorId: { required: true } },
  ],
  ['POST', '/ml/tm/v1/jobs/cancel'],
  [
    'GET',
    '/ml/tm/v1/tp/xliff/download/{job_id}/{job_type}',
    {
      job_id: { required: true },
      job_type: { required: true },
      json: { type: 'boolean' },
    },
  ],
  ['POST', '/ml/tm/v1/tp/apply-translations'],
  ['POST', '/ml/tm/v1/tp/batches/sync', { batchId: { required: true } }],
  ['GET', '/ml/tm/v1/tp/batches/status'],
  [
    'POST',
    '/ml/tm/v1/ate/jobs/sync',
    {
      lockKey: { type: 'string' },
      ateToken: { type: 'string' },
      page: { type: 'int' },
      numberOfPages: { type: 'int' },
    },
  ],
  ['POST', '/ml/tm/v1/ate/jobs/download'],
  ['POST', '/ml/tm/v1/ate/jobs/retry'],
  ['GET', '/ml/tm/v1/ate/jobs/receive/{mlJobId}', { mlJobId: { type: 'int', required: true } }],
  ['GET', '/ml/tm/v1/ate/jobs/{ateJobId}/fix'],
  ['GET, POST, PUT, PATCH, DELETE', '/ml/ate/v1/ate/proxy'],
  [
    'POST',
    '/ml/st/v1/import_mo_strings',
    { plugins: { type: 'array' }, themes: { type: 'array' }, other: { type: 'array' } },
  ],
  ['POST', '/ml/st/v1/pre_generate_mo_files'],
  [
    'POST',
    '/ml/st/v1/settings',
    { group: { required: true }, key: { required: true }, data: { required: true } },
  ],
  // 4.6 Security-scan routes (`secscan/v1`)
  ['GET, POST', '/secscan/v1/authenticate'],
  ['POST', '/secscan/v1/authenticate-premium'],
  ['GET, POST, PUT, PATCH', '/secscan/v1/config'],
  ['POST, PUT, PATCH', '/secscan/v1/disconnect'],
  ['POST, PUT, PATCH', '/secscan/v1/premium-connect'],
  ['GET', '/secscan/v1/scan/issues'],
  ['POST, DELETE', '/secscan/v1/scan'],
  ['POST, PUT, PATCH', '/secscan/v1/scan/issue'],
  // 4.7 SEO routes (`seo/v1`)
  ['GET', '/seo/v1/file_size', { url: { type: 'string', required: true } }],
  ['GET', '/seo/v1/statistics'],
  ['POST', '/seo/v1/new-content-type-visibility/dismiss-post-type', { postTypeName: {} }],
  ['POST', '/seo/v1/new-content-type-visibility/dismiss-taxonomy', { taxonomyName: {} }],
  [
    'POST',
    '/seo/v1/introductions/{introduction_id}/seen',
    {
      introduction_id: { type: 'string', required: true },
      is_seen: { type: 'bool', default: true },
    },
  ],
  ['GET', '/seo/v1/videohost_embed_permission'],
  ['POST', '/seo/v1/videohost_embed_permission', { value: { type: 'bool', default: true } }],
  ['POST', '/seo/v1/alerts/dismiss', { key: { required: true } }],
  [
    'POST',
    '/seo/v1/configuration/site_representation',
    {
      company_or_person: { type: 'string', required: true, enum: ['company', 'person'] },
      company_name: { type: 'string' },
      company_logo: { type: 'string' },
      company_logo_id: { type: 'integer' },
      person_logo: { type: 'string' },
      person_logo_id: { type: 'integer' },
      company_or_person_user_id: { type: 'integer' },
      description: { type: 'string' },
    },
  ],
  [
    'POST',
    '/seo/v1/configuration/social_profiles',
    {
      network_a_site: { type: 'string' },
      network_b_site: { type: 'string' },
      other_social_urls: { type: 'array' },
    },
  ],
  ['GET', '/seo/v1/configuration/check_capability', { user_id: { required: true } }],
  ['POST', '/seo/v1/configuration/enable_tracking', { tracking: { type: 'boolean', required: true } }],
  [
    'POST',
    '/seo/v1/configuration/save_configuration_state',
    { finishedSteps: { type: 'array', required: true } },
  ],
  ['GET', '/seo/v1/configuration/get_configuration_state'],
  ['POST', '/seo/v1/import/{plugin}/{type}'],
  ['GET', '/seo/v1/get_head', { url: { required: true } }],
  ['POST', '/seo/v1/indexing/posts'],
  ['POST', '/seo/v1/indexing/terms'],
  ['POST', '/seo/v1/indexing/post-type-archives'],
  ['POST', '/seo/v1/indexing/general'],
  ['POST', '/seo/v1/indexing/prepare'],
  ['POST', '/seo/v1/indexing/indexables-complete'],
  ['POST', '/seo/v1/indexing/complete'],
  ['POST', '/seo/v1/link-indexing/posts'],
  ['POST', '/seo/v1/link-indexing/terms'],
  [
    'POST',
    '/seo/v1/integrations/set_active',
    {
      active: { type: 'boolean', required: true },
      integration: { type: 'string', required: true },
    },
  ],
  ['GET', '/seo/v1/meta/search'],
  ['POST', '/seo/v1/kwtool/authenticate', { code: { required: true } }],
  ['POST', '/seo/v1/kwtool/country_code', { country_code: { required: true } }],
  [
    'GET',
    '/seo/v1/kwtool/related_keyphrases',
    { keyphrase: { required: true }, country_code: { required: true } },
  ],
  ['GET', '/seo/v1/ranktracker/authorization-url'],
  ['POST', '/seo/v1/ranktracker/authenticate', { code: { required: true }, websiteId: { required: true } }],
  ['POST', '/seo/v1/ranktracker/keyphrases/track', { keyphrases: { required: true } }],
  ['POST', '/seo/v1/ranktracker/keyphrases', { keyphrases: {}, permalink: {}, startAt: {} }],
  ['DELETE', '/seo/v1/ranktracker/keyphrases/untrack'],
  ['GET', '/seo/v1/ranktracker/account/limit'],
  ['GET', '/seo/v1/ranktracker/account/upgrade-campaign'],
  ['GET, POST', '/seo/v1/workouts'],
  // 4.8 Page-builder and installer routes
  ['GET', '/builder/photofeed/media'],
  ['GET', '/builder/photofeed/{id}/children'],
  ['POST', '/builder/rendered_content'],
  ['GET', '/pkg/installer/v1/push/fetch-subscription'],
];

/** 4.1: the routes that a batch may call. */
export const BATCH_ALLOWED: readonly string[] = [
  'GET /cms/v2/posts',
  'POST /cms/v2/posts',
  'GET /cms/v2/posts/{id}',
  'POST /cms/v2/posts/{id}',
  'PUT /cms/v2/posts/{id}',
  'PATCH /cms/v2/posts/{id}',
  'DELETE /cms/v2/posts/{id}',
];
