import apiFetch from '@wordpress/api-fetch';
import * as blocks from '@wordpress/blocks';
import * as data from '@wordpress/data';
import { getSettings, setSettings } from '@wordpress/date';
import { initializeEditor } from '@wordpress/edit-post';
import { takeLock } from './lock.js';

/** What a theme would say: which controls blocks have. */
const FEATURES = {
  appearanceTools: true,
  border: { color: true, radius: true, style: true, width: true },
  color: {
    custom: true,
    customGradient: true,
    defaultPalette: true,
    background: true,
    text: true,
    link: true,
  },
  layout: { contentSize: '44rem', wideSize: '64rem' },
  spacing: { margin: true, padding: true, blockGap: true, units: ['px', 'em', 'rem', '%'] },
  typography: { customFontSize: true, lineHeight: true, dropCap: true, fontStyle: true, fontWeight: true },
};
const SIZES = ['thumbnail', 'medium', 'large', 'full'];

const SETTINGS = {
  __experimentalFeatures: FEATURES,
  __unstableResolvedAssets: { styles: '<link rel="stylesheet" href="/edit/canvas.css">' },
  alignWide: true,
  supportsLayout: true,
  richEditingEnabled: true,
  codeEditingEnabled: true,
  canLockBlocks: true,
  imageEditing: true,
  imageDefaultSize: 'large',
  imageSizes: SIZES.map((slug) => ({ slug, name: slug })),
  autosaveInterval: 60,
  titlePlaceholder: 'Title',
  bodyPlaceholder: 'Type / to choose a block',
  availableTemplates: {},
  styles: [{ css: 'body { font-family: Georgia, serif; padding: 1rem }' }],
};

/** Blocks that PHP renders, which the site does not. */
const UNSUPPORTED = ['archives', 'breadcrumbs', 'calendar', 'latest-comments', 'rss', 'tag-cloud'];

// As in WordPress, for the console and for scripts of people.
window.wp = { blocks, data };

/** Dates are those of the site, wherever the browser is. */
async function readZone() {
  const { timezone_string: string, gmt_offset: offset } = await apiFetch({
    path: '/?_fields=timezone_string,gmt_offset',
  });
  setSettings({
    ...getSettings(),
    timezone: { string, offset: Number(offset), offsetFormatted: '', abbr: '' },
  });
}

/** Opens a record in the element `editor`. */
export async function edit(type, id) {
  const [lock] = await Promise.all([takeLock(id), readZone()]);
  const { set, setDefaults } = data.dispatch('core/preferences');
  setDefaults('core/media', { requireApproval: false });
  initializeEditor('editor', type, id, { ...SETTINGS, ...lock });
  for (const name of UNSUPPORTED) blocks.unregisterBlockType(`core/${name}`);
  set('core/edit-post', 'welcomeGuide', false);
}
