// The public entry of the registry with its default plugins: what a host needs to serve a site, to fill it and to extend it.
export * from './site.ts';
export {
  checkSettings,
  collections,
  collectionsOf,
  CONFIGURED_NAMESPACES,
  createRegistry,
  createSite,
  defaultPluginsOf,
  describeRegistry,
  listSettingFaults,
  registryDescriptors,
} from './defaults.ts';
export {
  abilities,
  builder,
  builtInPlugins,
  changes,
  corePlugins,
  editor,
  menus,
  ml,
  oembed,
  pkg,
  secscan,
  seedPlugins,
  seo,
} from './plugins.ts';
// What a host can put into `config`, by namespace: oembed, photofeed, ml, pkg.
export type { Provider as OembedProvider } from './plugins/oembed/providers.ts';
export type {
  FeedEntry,
  FeedPage,
  FeedQuery,
  Photo,
  PhotoProvider,
} from './plugins/builder/photo-provider.ts';
export type {
  EngineJob,
  EngineRecord,
  EngineSite,
  EngineState,
  EngineUser,
  TranslationEngine,
} from './plugins/ml/engine/engine.ts';
export type {
  Job,
  JobMatch,
  JobMatches,
  JobRow,
  JobTarget,
  JobTargets,
} from './plugins/ml/records/job-record.ts';
export type { JobField } from './plugins/ml/records/job-texts.ts';
export { ENGINE_STATUS } from './plugins/ml/records/job-record.ts';
export type { GlossaryTerm } from './plugins/ml/glossary/glossary.ts';
export type { TextEngine, TextRequest } from './plugins/ml/engine/text-engine.ts';
export type { XliffState } from './plugins/ml/xliff/xliff-write.ts';
export type { Subscription } from './plugins/pkg/host.ts';
