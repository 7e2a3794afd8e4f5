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
export type { ShownRecord } from './core/plugin/shown-record.ts';
export type { AskOptions, SiteRecords } from './core/plugin/plugin-site.ts';
export type {
  DocumentRequest,
  DocumentWrite,
  FieldValue,
  FieldWrite,
  PluginBlock,
  PluginDocument,
  PluginField,
  PluginReaction,
  PluginRewrite,
  PluginShortcode,
  PluginTask,
  ReactionRun,
  Render,
  RenderPlace,
  RewriteRun,
  TaskRun,
  WrittenDocument,
  WrittenRecord,
} from './core/plugin/plugin.ts';
