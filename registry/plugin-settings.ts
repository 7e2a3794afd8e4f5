import { checkDocument, findFaults, objectOf, type DocumentRule } from '../lib/core/check-document.ts';
import { SHORTCODE_SETTINGS } from './core/content/shortcodes/shortcodes.ts';
import { CMS_SETTINGS } from './core/files/cms-settings.ts';
import { PHOTOFEED_SETTINGS } from './plugins/builder/photofeed.ts';
import { TRANSLATION_SETTINGS } from './plugins/ml/services/service-options.ts';
import { OEMBED_SETTINGS } from './plugins/oembed/providers.ts';
import { PKG_SETTINGS } from './plugins/pkg/host.ts';
import { SECSCAN_SETTINGS } from './plugins/secscan/connection/host.ts';
import { SEO_SETTINGS } from './plugins/seo/values/config.ts';

const NAMESPACES = {
  cms: objectOf(CMS_SETTINGS),
  oembed: objectOf(OEMBED_SETTINGS),
  ml: objectOf(TRANSLATION_SETTINGS),
  secscan: objectOf(SECSCAN_SETTINGS),
  seo: objectOf(SEO_SETTINGS),
  builder: objectOf(SHORTCODE_SETTINGS),
  photofeed: objectOf(PHOTOFEED_SETTINGS),
  pkg: objectOf(PKG_SETTINGS),
} as const satisfies Readonly<Record<string, DocumentRule>>;

/** Namespaces that read settings from the `config` of `createSite`. */
export const CONFIGURED_NAMESPACES: readonly string[] = Object.keys(NAMESPACES);

/** Services that the namespaces call if the host connects them. */
export const CONNECTED_SERVICES: readonly string[] = [
  'kwtool',
  'ranktracker',
  'ate',
  'ams',
  'tp',
  'photofeed',
  'pkg',
  'deepl',
  'libretranslate',
];

/**
 * Validates the settings of namespaces, which come from the `config` of `createSite` or from a file. `place`: what messages call them.
 * @throws TypeError `config.seo.mediaHosts: "x" is not a list`
 */
export function checkSettings(place: string, settings: unknown): void {
  checkDocument(place, settings, objectOf(NAMESPACES));
}

/** The mistakes that `checkSettings` finds, all of them. */
export function listSettingFaults(place: string, settings: unknown): readonly string[] {
  return [...findFaults(place, settings, objectOf(NAMESPACES))];
}
