import type { ErrorTable } from '../../../lib/index.ts';

/** Errors of themes. */
export const THEME_ERRORS = { rest_theme_not_found: [404, 'Theme not found.'] } as const satisfies ErrorTable;

/** A text that people read, as WordPress shows it. */
const toText = (text: string) => ({ raw: text, rendered: text });

/**
 * What the block editor asks of the theme of a site. This site has no theme: its front end is elsewhere. The record says which
 * controls of the editor make sense: featured images, formats, wide blocks and embeds, and free choice of colours and sizes.
 */
export const THEME = {
  stylesheet: 'headless',
  stylesheet_uri: '',
  template: 'headless',
  template_uri: '',
  author: toText(''),
  author_uri: toText(''),
  description: toText('The front end of the site is a program of its own.'),
  is_block_theme: false,
  name: toText('Headless'),
  requires_php: '',
  requires_wp: '',
  screenshot: '',
  status: 'active',
  tags: { raw: [], rendered: '' },
  textdomain: 'headless',
  theme_uri: toText(''),
  version: '1.0',
  default_template_types: [],
  default_template_part_areas: [],
  theme_supports: {
    'align-wide': true,
    'automatic-feed-links': false,
    'block-templates': false,
    'block-template-parts': false,
    'custom-background': false,
    'custom-header': false,
    'custom-logo': false,
    'customize-selective-refresh-widgets': false,
    'dark-editor-style': false,
    'disable-custom-colors': false,
    'disable-custom-font-sizes': false,
    'disable-custom-gradients': false,
    'disable-layout-styles': false,
    'editor-color-palette': false,
    'editor-font-sizes': false,
    'editor-gradient-presets': false,
    'editor-spacing-sizes': false,
    'editor-styles': false,
    formats: ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio'],
    html5: false,
    'post-thumbnails': true,
    'responsive-embeds': true,
    'title-tag': false,
    'wp-block-styles': false,
  },
} as const;
