// The public entry for authors of plugins.
export { definePlugin } from './core/plugin/define-plugin.ts';
export type {
  BoundPlugin,
  FunctionsOf,
  Plugin,
  PluginContext,
  PluginDescriptor,
  PluginExtension,
  PluginFunction,
  PluginFunctions,
  PluginHost,
  SettingCheck,
} from './core/plugin/plugin.ts';
export type { PluginSite } from './core/plugin/plugin-site.ts';
