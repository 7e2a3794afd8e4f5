import type { Plugin } from './core/plugin/plugin.ts';
import { CORE_PLUGINS, SEED_PLUGINS } from './load-plugin.ts';
import { abilities } from './plugins/abilities/plugin.ts';
import { builder } from './plugins/builder/plugin.ts';
import { changes } from './plugins/changes/plugin.ts';
import { editor } from './plugins/editor/plugin.ts';
import { menus } from './plugins/menus/plugin.ts';
import { ml } from './plugins/ml/plugin.ts';
import { oembed } from './plugins/oembed/plugin.ts';
import { pkg } from './plugins/pkg/plugin.ts';
import { secscan } from './plugins/secscan/plugin.ts';
import { seo } from './plugins/seo/plugin.ts';

export { abilities, builder, changes, editor, menus, ml, oembed, pkg, secscan, seo };

/** Every plugin of this package by its name. */
export const builtInPlugins: ReadonlyMap<string, Plugin> = new Map(
  [oembed, ml, secscan, seo, builder, pkg, editor, menus, changes, abilities].map((plugin) => [
    plugin.descriptor.name,
    plugin,
  ]),
);

const toPlugins = (names: readonly string[]): readonly Plugin[] =>
  names.flatMap((name) => builtInPlugins.get(name) ?? []);

/** Every plugin of the recorded site. The default of a site with the content `seed`. */
export const seedPlugins: readonly Plugin[] = toPlugins(SEED_PLUGINS);

/** The default of a site with the core controllers. */
export const corePlugins: readonly Plugin[] = toPlugins(CORE_PLUGINS);
