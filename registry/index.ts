// The public entry of the registry: what a host needs to serve a site, to fill it and to extend it.
export { createSite, type Site } from './site.ts';
export type { SiteOptions } from './site/site-options.ts';
export { checkSettings, CONFIGURED_NAMESPACES, CONNECTED_SERVICES, listSettingFaults } from './settings.ts';
export { DEFAULT_LANGUAGES } from './site/default-languages.ts';
export type { FindRedirect } from './seo/redirects.ts';
export type { FindRoute } from './seo/find-route.ts';
export type { Archive, FindArchive } from './seo/find-archive.ts';
export type { CrawlerFile, OpenCrawlerFile } from './seo/sitemap/crawler-files.ts';
export {
  checkFixture,
  clearSite,
  isEmptySite,
  listFixtureFaults,
  loadFixture,
  type Fixture,
  type FixtureOptions,
} from './site/fixture.ts';
export { hashPassword, verifyPassword } from './site/password-hash.ts';
export { toIdentity, type Authenticate, type Bearer } from './site/authenticate.ts';
export { CAPABILITIES, capabilitiesOf, ROLES, type Role } from './site/roles.ts';
export { mediaTypeOf } from './cms/media/media-types.ts';
export { NEUTRAL_NAMES, WORDPRESS_NAMES } from './names.ts';
export { catalogues } from './catalogue/catalogues.ts';
export { createCommonArgs } from './common-args.ts';
export { collections, collectionsOf, createRegistry, registryDescriptors } from './registry.ts';
export {
  createContentModel,
  joinContent,
  type ContentModel,
  type ContentOption,
} from './model/content-model.ts';
export type { ContentDefinition, MetaDeclaration } from './model/content-definition.ts';
export {
  defineContentType,
  type ContentType,
  type ContentTypeDefinition,
  type Labels,
  type Support,
  type TypeRight,
} from './model/content-type.ts';
export type {
  MetaDefinition,
  MetaDefinitions,
  MetaKey,
  MetaType,
  TranslationRule,
} from './model/meta-key.ts';
export { checkPermalink } from './model/permalink-tags.ts';
export { listContentFaults, readContent } from './model/read-content.ts';
export {
  defineTaxonomy,
  type Taxonomy,
  type TaxonomyDefinition,
  type TaxonomyRight,
} from './model/taxonomy.ts';
export type { Background } from './background.ts';
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
} from './ports.ts';
// The errors that a port implemented by the host throws when it cannot fulfil a request.
export { OutboundRefused } from '../lib/ports/outbound.ts';
export { upstreamError } from '../lib/ports/upstream.ts';
// What a host can put into `config`, by namespace: oembed, builder, photofeed, ml, pkg.
export type { Provider as OembedProvider } from './oembed/providers.ts';
export type { Shortcode, ShortcodeSource } from './builder/shortcodes.ts';
export type { FeedEntry, FeedPage, FeedQuery, Photo, PhotoProvider } from './builder/photo-provider.ts';
export type {
  EngineJob,
  EngineRecord,
  EngineSite,
  EngineState,
  EngineUser,
  TranslationEngine,
} from './ml/engine/engine.ts';
export type { Job, JobMatch, JobMatches, JobRow, JobTarget, JobTargets } from './ml/jobs/job-record.ts';
export type { JobField } from './ml/jobs/job-fields.ts';
export { ENGINE_STATUS } from './ml/status.ts';
export type { GlossaryTerm } from './ml/glossary/find-terms.ts';
export type { TextEngine, TextRequest } from './ml/engine/text-engine.ts';
export type { XliffState } from './ml/xliff/xliff-write.ts';
export type { Subscription } from './pkg/host.ts';
