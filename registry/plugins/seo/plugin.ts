import { defineHostPlugin, type Plugin } from '../../plugin.ts';
import { seoDescriptor } from './routes/routes.ts';
import { seoCollections } from './values/collections.ts';
import { SEO_SETTINGS } from './values/config.ts';

const SCHEMA = { type: ['object', 'null'], context: ['view', 'edit'] } as const;
const HEAD = {
  ...SCHEMA,
  description:
    'Head of the page of the record as `get_head` shows it, null if it is not public. Present if `_fields` names it.',
} as const;
const CHECKS = {
  ...SCHEMA,
  description:
    'What the SEO scores of the post are made from, null if the caller may not edit it. Present if `_fields` names it.',
} as const;

/** Search engine optimisation: heads, the index of objects and links, sitemaps, redirects. */
export const seo: Plugin = defineHostPlugin(
  {
    name: 'seo',
    summary: 'Heads, links and scores for search engines',
    namespaces: [seoDescriptor],
    collections: seoCollections,
    fields: [
      { of: ['type'], name: 'seo_head_json', schema: HEAD, value: 'seo.head', asked: true },
      { of: ['term'], name: 'seo_head_json', schema: HEAD, value: 'seo.termHead', asked: true },
      { of: ['type'], name: 'seo_checks', schema: CHECKS, value: 'seo.checks', asked: true },
    ],
    documents: [
      { path: '/robots.txt', write: 'seo.file' },
      { path: '/llms.txt', write: 'seo.file' },
      { path: '/sitemap.xml', write: 'seo.file' },
      { path: '/sitemap-{part}.xml', write: 'seo.file' },
    ],
    rewrites: [{ run: 'seo.redirect' }],
  },
  { seo: SEO_SETTINGS },
  async () => (await import('./index.ts')).createSeo,
);
