import { own } from '../lib/core/objects.ts';
import type { Plugin } from './core/plugin/plugin.ts';

/** A plugin of this package. Nothing of it is loaded before a site names it. */
interface BuiltIn {
  readonly load: () => Promise<Plugin>;
  /** Members of the configuration that hold its settings. Default: that of its name. */
  readonly settings?: readonly string[];
}

const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  oembed: { load: async () => (await import('./plugins/oembed/plugin.ts')).oembed },
  ml: { load: async () => (await import('./plugins/ml/plugin.ts')).ml },
  secscan: { load: async () => (await import('./plugins/secscan/plugin.ts')).secscan },
  seo: { load: async () => (await import('./plugins/seo/plugin.ts')).seo },
  builder: {
    load: async () => (await import('./plugins/builder/plugin.ts')).builder,
    settings: ['builder', 'photofeed'],
  },
  pkg: { load: async () => (await import('./plugins/pkg/plugin.ts')).pkg },
  editor: { load: async () => (await import('./plugins/editor/plugin.ts')).editor, settings: [] },
  menus: { load: async () => (await import('./plugins/menus/plugin.ts')).menus },
  changes: { load: async () => (await import('./plugins/changes/plugin.ts')).changes, settings: [] },
  abilities: { load: async () => (await import('./plugins/abilities/plugin.ts')).abilities, settings: [] },
};

/** Names of the plugins of this package. */
export const PLUGIN_NAMES: readonly string[] = Object.keys(BUILT_IN);

/** The plugins of the recorded site: the default of a site with the content `seed`. */
export const SEED_PLUGINS: readonly string[] = ['oembed', 'ml', 'secscan', 'seo', 'builder', 'pkg'];

/** The default of a site with the core controllers. */
export const CORE_PLUGINS: readonly string[] = ['oembed', 'ml', 'seo'];

/** Loads a plugin of this package; null: it has none of this name. */
export const loadPlugin = async (name: string): Promise<Plugin | null> =>
  (await own(BUILT_IN, name)?.load()) ?? null;

/** Loads plugins of this package. Default: all. */
export const loadPlugins = async (names: readonly string[] = PLUGIN_NAMES): Promise<readonly Plugin[]> =>
  (await Promise.all(names.map(loadPlugin))).filter((plugin) => plugin !== null);

/** The plugin of this package whose settings a member of the configuration holds. */
export const findSettingOwner = (member: string): string | undefined =>
  PLUGIN_NAMES.find((name) => (own(BUILT_IN, name)?.settings ?? [name]).includes(member));
