// The public entry of the registry: what a host needs to serve a site, to fill it and to extend it.
export { createSite, defaultPluginsOf, type Site } from './create-site.ts';
export {
  abilities,
  builder,
  builtInPlugins,
  changes,
  corePlugins,
  editor,
  ml,
  oembed,
  pkg,
  secscan,
  seedPlugins,
  seo,
} from './plugins.ts';
export { checkPlugins, isPlugin } from './core/plugin/plugin-list.ts';
export type { Plugin, DocumentRequest, WrittenDocument } from './core/plugin/plugin.ts';
export type { OpenDocument } from './core/plugin/documents.ts';
export type { ReactionState } from './core/changes/reactions.ts';
export type { SiteOptions } from './site-options.ts';
export {
  checkSettings,
  CONFIGURED_NAMESPACES,
  CONNECTED_SERVICES,
  listSettingFaults,
} from './plugin-settings.ts';
export { DEFAULT_LANGUAGES } from './core/settings/languages.ts';
export type { FindRedirect } from './plugins/seo/visits/redirects.ts';
export { findLostMeta, renameMeta, type MetaRename } from './core/records/sync-meta-index.ts';
export type { PictureSize, ReadPictureSizes } from './core/media/picture-sizes.ts';
export type { FindRoute } from './plugins/seo/visits/find-route.ts';
export type { Archive, FindArchive } from './plugins/seo/visits/find-archive.ts';
export type { CrawlerFile, OpenCrawlerFile } from './plugins/seo/sitemap/crawler-files.ts';
export {
  checkFixture,
  clearSite,
  isEmptySite,
  listFixtureFaults,
  loadFixture,
  type Fixture,
  type FixtureOptions,
} from './transfer/fixture/fixture.ts';
export { hashPassword, verifyPassword } from './core/accounts/password-hash.ts';
export { toIdentity, type Authenticate, type Bearer } from './core/accounts/authenticate.ts';
export { CAPABILITIES, capabilitiesOf, ROLES, type Role } from './core/accounts/roles.ts';
export { mediaTypeOf } from './core/files/media-types.ts';
export { NEUTRAL_NAMES, WORDPRESS_NAMES } from './core/host/names.ts';
export { catalogues } from './messages/catalogues.ts';
export { createCommonArgs } from './core/schemas/common-args.ts';
export {
  collections,
  collectionsOf,
  createRegistry,
  describeRegistry,
  registryDescriptors,
} from './registry.ts';
export {
  createContentModel,
  joinContent,
  type ContentModel,
  type ContentOption,
} from './core/model/content-model.ts';
export type { ContentDefinition, MetaDeclaration } from './core/model/content-definition.ts';
export {
  defineContentType,
  type ContentType,
  type ContentTypeDefinition,
  type Labels,
  type Support,
  type TypeRight,
} from './core/model/content-type.ts';
export type {
  MetaDefinition,
  MetaDefinitions,
  MetaKey,
  MetaType,
  TranslationRule,
} from './core/model/meta-key.ts';
export { checkCache, checkChangeLog } from './site-options.ts';
export { checkPermalink } from './core/model/permalink-tags.ts';
export { listContentFaults, readContent } from './core/model/read-content.ts';
export {
  defineTaxonomy,
  type Taxonomy,
  type TaxonomyDefinition,
  type TaxonomyRight,
} from './core/model/taxonomy.ts';
export type { Background } from './core/host/background.ts';
export type {
  Files,
  Imports,
  LogEvent,
  MadePicture,
  Media,
  MediaStorage,
  NoticeRecipient,
  Notify,
  Outbound,
  OutboundAnswer,
  OutboundRequest,
  Pictures,
  PictureStep,
  Ports,
  SiteConfig,
  TranslationNotice,
  Upstream,
  UpstreamAnswer,
  UpstreamRequest,
} from './core/host/ports.ts';
// The errors that a port implemented by the host throws when it cannot fulfil a request.
export { OutboundRefused } from '../lib/ports/outbound.ts';
export { upstreamError } from '../lib/ports/upstream.ts';
// What a host can put into `config`, by namespace: oembed, builder, photofeed, ml, pkg.
export type { Provider as OembedProvider } from './plugins/oembed/providers.ts';
export type { Shortcode, ShortcodeSource } from './core/content/shortcodes/shortcodes.ts';
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
export type { JobField } from './plugins/ml/records/job-fields.ts';
export { ENGINE_STATUS } from './plugins/ml/records/status.ts';
export type { GlossaryTerm } from './plugins/ml/glossary/find-terms.ts';
export type { TextEngine, TextRequest } from './plugins/ml/engine/text-engine.ts';
export type { XliffState } from './plugins/ml/xliff/xliff-write.ts';
export type { Subscription } from './plugins/pkg/host.ts';
