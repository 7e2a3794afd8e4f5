import { buildSite, type Site } from './build-site.ts';
import type { SiteOptions } from './site-options.ts';

/** Builds a site of the core and of the plugins that are named, which are none by default. Rejects with a TypeError if the options are not valid. */
export function createSite<H = unknown>(options: SiteOptions<H>): Promise<Site<H>>;
// The site passes `host` on without looking at it.
export function createSite(options: SiteOptions): Promise<Site> {
  return buildSite(options, () => []);
}

// The public entry of the registry without plugins: a site has those that its host names, and nothing of others is loaded.
export type { FindRedirect, Site } from './build-site.ts';
export { CORE_PLUGINS, loadPlugin, loadPlugins, PLUGIN_NAMES, SEED_PLUGINS } from './load-plugin.ts';
export type { Shortcode, ShortcodeSource } from './core/content/shortcodes/shortcodes.ts';
export { checkPlugins, isPlugin, withPluginContent } from './core/plugin/plugin-list.ts';
export type { Plugin, DocumentRequest, WrittenDocument } from './core/plugin/plugin.ts';
export type { OpenDocument } from './core/plugin/documents.ts';
export { checkCache, checkChangeLog, isWebhookSecret, type SiteOptions } from './site-options.ts';
export { checkSettings, CONNECTED_SERVICES, listSettingFaults } from './plugin-settings.ts';
export { DEFAULT_LANGUAGES } from './core/settings/options.ts';
export { findLostMeta, renameMeta, type MetaRename } from './core/records/sync-meta-index.ts';
export type { PictureSize, ReadPictureSizes } from './core/files/picture-sizes.ts';
export type { Archive, FindArchive, FindRoute } from './core/find-archive.ts';
export {
  checkFixture,
  clearSite,
  isEmptySite,
  listFixtureFaults,
  loadFixture,
  type Fixture,
  type FixtureOptions,
} from './transfer/fixture/fixture.ts';
export { hashPassword, verifyPassword } from './core/accounts/credentials.ts';
export type { Authenticate, Bearer } from './core/accounts/authenticate.ts';
export { CAPABILITIES, capabilitiesOf, type Role, ROLES, toIdentity } from './core/accounts/roles.ts';
export { mediaTypeOf } from './core/files/media-types.ts';
export { NEUTRAL_NAMES, WORDPRESS_NAMES } from './core/host/names.ts';
export { catalogues } from './messages/catalogues.ts';
export { createCommonArgs } from './core/schemas/common-args.ts';
export { collectionsOf, createRegistry, describeRegistry } from './registry.ts';
export {
  createContentModel,
  joinContent,
  type ContentModel,
  type ContentOption,
} from './core/model/content-model.ts';
export {
  type ContentDefinition,
  type ContentType,
  type ContentTypeDefinition,
  defineContentType,
  defineTaxonomy,
  type Labels,
  type MetaDeclaration,
  type Support,
  type Taxonomy,
  type TaxonomyDefinition,
  type TaxonomyRight,
  type TypeRight,
} from './core/model/content-type.ts';
export type {
  MetaDefinition,
  MetaDefinitions,
  MetaKey,
  MetaType,
  TranslationRule,
} from './core/model/meta-key.ts';
export { checkPermalink } from './core/model/permalink-tags.ts';
export { listContentFaults, readContent } from './core/model/read-content.ts';
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
