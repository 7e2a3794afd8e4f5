// The public entry for authors of plugins. The plugins of this package import it and the public entry of lib, and nothing else.
export { definePlugin, defineHostPlugin, type CreateParts } from './core/plugin/define-plugin.ts';
export type {
  BoundPlugin,
  Departure,
  FunctionsOf,
  PlanDeparture,
  Plugin,
  PluginContext,
  PluginDescriptor,
  PluginExtension,
  PluginFunction,
  PluginFunctions,
  SettingCheck,
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
  WatchPosts,
  WrittenDocument,
  WrittenRecord,
} from './core/plugin/plugin.ts';
export type {
  ShownRecord,
  AskOptions,
  PluginHost,
  PluginSite,
  SiteRecords,
} from './core/plugin/plugin-site.ts';

// What a site was built with, and what its parts share.
export type {
  Files,
  NoticeRecipient,
  Notify,
  Ports,
  SiteConfig,
  TranslationNotice,
} from './core/host/ports.ts';
export { servicesOf, type SiteServices } from './core/services.ts';
export { readSettings, type SettingRules } from './core/host/read-settings.ts';
export { extendNamespace, mapReadable } from './core/host/extend-namespace.ts';
export { runLater } from './core/host/background.ts';
export { type ContentModel, createContentModel } from './core/model/content-model.ts';
export { SEO_KEYS } from './core/model/resolve-meta.ts';
export {
  type ContentDefinition,
  type ContentType,
  hasPages,
  TYPE_RIGHTS,
  type Taxonomy,
  TAXONOMY_RIGHTS,
} from './core/model/content-type.ts';
export {
  orderLanguages,
  changeOption,
  readOption,
  readOptions,
  removeOption,
  writeOption,
} from './core/settings/options.ts';
export {
  isFrontPage,
  isPostsPage,
  type ReadSettings,
  type SiteSettings,
} from './core/settings/site-settings.ts';
export {
  claimTree,
  inTreeTurn,
  editLockOf,
  readLock,
  releaseLock,
  takeLock,
  runLocked,
  withLock,
} from './core/limits/locks.ts';
export {
  contextArg,
  excludeArg,
  includeArg,
  offsetArg,
  orderArg,
  pageArg,
  perPageArg,
  searchArg,
  fallbackArg,
  fallbackField,
} from './core/schemas/common-args.ts';
export { checkBounds, cutField, exceeds } from './core/records/text-bounds.ts';

// Callers and their rights.
export { type AddressThrottle, createAddressThrottle } from './core/accounts/guess-limits.ts';
export { isFastHash, isPasswordOfFastHash, verifyPassword } from './core/accounts/credentials.ts';
export {
  capabilitiesOf,
  ROLES,
  capabilitiesOfUser,
  readCaller,
  userOf,
  withRole,
} from './core/accounts/roles.ts';
export { callInner } from './core/post-views/post-deps.ts';
export { createTypeRights, createVisibleMedia, mayReadTerms } from './core/records/rights.ts';
export type { PostKinds } from './core/records/kind.ts';
export { type Chain, type Expand, loadExpansion, readChain } from './core/translations/fallback.ts';
export { toGroup } from './core/translations/translation-links.ts';

// Records and the addresses of their pages.
export { type PostRecord, toPost } from './core/records/post-record.ts';
export { loadDescendants, type TermRecord, toTerm } from './core/records/term-record.ts';
export { listBelongings } from './core/records/history.ts';
export { isOut } from './core/records/schedule.ts';
export { toIndexValues } from './core/records/meta-values.ts';
export { toRevisionOf } from './core/post-writes/new-revision.ts';
export { savePost } from './core/post-writes/write-post.ts';
export { createFindFilled } from './core/terms/counts.ts';
export { cachedByRevision } from './core/records/record-cache.ts';
export { MEDIA_PATH, toMediaUrl } from './core/host/media-url.ts';
export { publishedOf, toAddressSources } from './core/find-archive.ts';
export {
  findByPaths,
  listPostHomes,
  toPathKey,
  findMoved,
  type AddressQuery,
  type AddressSources,
  findTarget,
  type FoundTarget,
} from './core/addresses/find-target.ts';
export {
  createHomes,
  type PostSources,
  ADDRESSED,
  toAddressed,
  type TypedAddress,
  type Homes,
  loadAddresses,
  loadTermAddresses,
} from './core/addresses/permalink.ts';
export {
  encodeSlug,
  type Target as PageTarget,
  readAddress,
  readPlace,
  TAXONOMY_SEGMENTS,
  toAuthorPath,
  toDatePath,
  toPagePart,
  toPostPath,
  toSitePath,
} from './core/addresses/page-paths.ts';
export { listTag, recordTag } from './core/changes/cache-tags.ts';

// Texts: HTML, shortcodes, XML, slugs.
export {
  createHtmlReader,
  type HtmlAttribute,
  type HtmlPlace,
  type HtmlReading,
  type HtmlTag,
  type HtmlVisitor,
  readHtml,
  readHtmlSteps,
  CLOSED_ELEMENTS,
  VOID_ELEMENTS,
} from './core/content/html/html.ts';
export { type HtmlElement, type HtmlNode, parseFragment, toMarkup } from './core/content/html/html-tree.ts';
export { type BlockPiece, readBlocks, toBlockAttributes } from './core/content/html/blocks.ts';
export { countWords, toPlainText, createPlaceTest, listTextPlaces } from './core/content/html/plain-text.ts';
export { rewriteLinks } from './core/content/html/rewrite-links.ts';
export { renderTitle } from './core/content/render/render.ts';
export { IMPLIED_ENDS } from './core/content/sanitise/allowed.ts';
export { escapeJson, sanitiseParts, sanitiseTranslation } from './core/content/sanitise/sanitise.ts';
export type { TranslatedPart } from './core/content/sanitise/translated-parts.ts';
export {
  TEXT_KINDS,
  toShownTexts,
  toStoredTexts,
  toWebAddress,
} from './core/content/sanitise/text-fields.ts';
export { renderBuilt } from './core/content/shortcodes/render.ts';
export { listShortcodes, placeShortcodes } from './core/content/shortcodes/shortcode-parser.ts';
export type { Shortcode, ShortcodeSource } from './core/content/shortcodes/shortcodes.ts';
export { type Stamp, toStamp } from './core/content/site-time.ts';
export { findFreeSlug, toSlug } from './core/content/slug.ts';
export {
  childElements,
  parseXml,
  parseXmlInSlices,
  textOf,
  type XmlElement,
  XmlError,
} from './core/content/xml.ts';

// Parts of the engine that a plugin needs beside the public entry `routebook`: rules of settings, records, ports, texts.
export {
  ANY_TEXT,
  type DocumentRule,
  TEXTS,
  WEB_ADDRESS,
  listOf,
  mapOf,
  objectOf,
  withFunctions,
  wordOf,
} from '../lib/core/check-document.ts';
export { FLAG, FUNCTION, TEXT } from '../lib/core/check-options.ts';
export { type Pause, type Steps, createPause, pause, runInTurns, runSteps } from '../lib/core/cooperative.ts';
export { suggest } from '../lib/core/did-you-mean.ts';
export { sha256 } from '../lib/core/digest.ts';
export { toErrorBody, toStatus } from '../lib/core/errors.ts';
export {
  escapeAttribute,
  escapeMarks,
  escapeOnce,
  escapeQuotesOnce,
  escapeText,
  escapeXml,
  toCdata,
} from '../lib/core/escape.ts';
export type { MaybePromise } from '../lib/core/maybe-promise.ts';
export { createMemo, remember } from '../lib/core/memo.ts';
export { perNames, renameParam, vendorHeader } from '../lib/core/names.ts';
export { normalize, trimEnd } from '../lib/core/text.ts';
export { countOne, groupBy, isObject, kindOf, own, perObject, slicesOf } from '../lib/core/objects.ts';
export { type Draft, PlainCollection, subjectOf } from '../lib/crud/plain-collection.ts';
export { toQuery } from '../lib/http/query-string.ts';
export {
  type Outbound,
  type OutboundAnswer,
  OutboundRefused,
  type OutboundRequest,
} from '../lib/ports/outbound.ts';
export {
  type Upstream,
  type UpstreamAnswer,
  type UpstreamRequest,
  upstreamError,
} from '../lib/ports/upstream.ts';
export { type RecordLinks, createRecordLinks, prepareLink } from '../lib/route/links.ts';
export { toOffset } from '../lib/route/paging.ts';
export { type RecordRenderer, type Renderers, createRecordRenderer } from '../lib/route/render-record.ts';
export { coerce } from '../lib/schema/coerce.ts';
export { invalidParam } from '../lib/schema/invalid.ts';
export { Validators } from '../lib/schema/validate.ts';
export {
  countRecords,
  exists,
  findByIds,
  isRace,
  type Reference,
  retryRaces,
  toCreate,
  toRemove,
  toRemoveAll,
  toUpdate,
  toWrite,
  type Waiter,
} from '../lib/store/store.ts';
