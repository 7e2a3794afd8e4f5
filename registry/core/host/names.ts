import type { Names } from '../../../lib/core/names.ts';
import { freezeGiven } from '../../../lib/core/objects.ts';

/** The neutral names. Descriptors and handlers are written with them, so nothing is renamed. */
export const NEUTRAL_NAMES: Names = freezeGiven({
  apiSegment: 'cms-json',
  headerPrefix: 'X-CMS',
  apiRelation: 'cms:api',
  segments: {},
  curie: { neutral: 'cms', wire: 'cms', href: 'https://api.cms.example/{rel}' },
  params: {},
});

/** The names that unmodified WordPress clients send and read. */
export const WORDPRESS_NAMES: Names = freezeGiven({
  apiSegment: 'wp-json',
  headerPrefix: 'X-WP',
  apiRelation: 'https://api.w.org/',
  segments: {
    cms: 'wp',
    'cms-site-health': 'wp-site-health',
    'cms-block-editor': 'wp-block-editor',
    'cms-abilities': 'wp-abilities',
    ml: 'wpml',
    secscan: 'wordfence',
    seo: 'yoast',
    builder: 'fusion-builder',
    photofeed: 'instagram',
    pkg: 'otgs',
    kwtool: 'semrush',
    ranktracker: 'wincher',
    videohost_embed_permission: 'wistia_embed_permission',
  },
  curie: { neutral: 'cms', wire: 'wp', href: 'https://api.w.org/{rel}' },
  params: {
    _nonce: '_wpnonce',
    ml_language: 'wpml_language',
    ml_fallback: 'wpml_fallback',
    ml_fallback_of: 'wpml_fallback_of',
    ml_translation_of: 'wpml_translation_of',
    ml_translations: 'wpml_translations',
    ml_job_id: 'wpml_job_id',
    network_a_site: 'facebook_site',
    network_b_site: 'twitter_site',
  },
});
