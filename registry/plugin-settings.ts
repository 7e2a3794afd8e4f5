import { findFaults, objectOf } from '../lib/core/check-document.ts';
import { CMS_SETTINGS } from './core/files/cms-settings.ts';
import { listFaultsOfSettings, type SettingChecks } from './core/plugin/plugin-list.ts';
import type { Plugin } from './core/plugin/plugin.ts';
import { findSettingOwner } from './load-plugin.ts';

const CORE: SettingChecks = { cms: (place, settings) => findFaults(place, settings, objectOf(CMS_SETTINGS)) };

/** Members of the `config` of `createSite` that belong to no plugin. */
export const CORE_SETTINGS: readonly string[] = Object.keys(CORE);

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

/** The mistakes of settings, all of them. Settings come from the `config` of `createSite` or from a file. `place`: what messages call their object. */
export function listSettingFaults(
  place: string,
  settings: unknown,
  plugins: readonly Plugin[],
): readonly string[] {
  return [...listFaultsOfSettings(place, settings, { core: CORE, plugins, ownerOf: findSettingOwner })];
}

/**
 * Validates the settings of the core and of plugins.
 * @throws TypeError `config.seo.mediaHosts: "x" is not a list`
 */
export function checkSettings(place: string, settings: unknown, plugins: readonly Plugin[]): void {
  const [fault] = listSettingFaults(place, settings, plugins);
  if (fault !== undefined) throw new TypeError(fault);
}
