// The public entry of the library. It exports what embedders, namespace authors and adapters need.
export { logToConsole } from './engine/console-log.ts';
export { createEngine, type Engine, type EngineOptions } from './engine/engine.ts';
export { crud, CRUD_ERRORS, type CrudOptions } from './crud/crud.ts';
export {
  defineNamespace,
  toNamespace,
  type Embed,
  type ExtensionDescriptor,
  type ExtensionHandlers,
  type Namespace,
  type NamespaceParts,
  type TypedParts,
  type ValueCheck,
} from './route/namespace.ts';
export type { ArgsOf, Handlers, Permissions, ValueOf } from './route/args.ts';
export {
  type Args,
  type Around,
  type Call,
  type Handler,
  type Next,
  type Permission,
  type PreparedCall,
  type RouteView,
  type SiteView,
  subject,
  type Subject,
  subjectFrom,
  type Through,
  type Verdict,
} from './route/call.ts';
export type {
  Accepts,
  BodyReading,
  Effect,
  EndpointDescriptor,
  ExampleDescriptor,
  FileDescriptor,
  LimitDescriptor,
  LinkDescriptor,
  Method,
  MultipartDescriptor,
  NamespaceDescriptor,
  ResourceDescriptor,
  RouteDescriptor,
} from './route/descriptor.ts';
export type { FileFacts, StoredFile, UploadedFile, UploadedFiles, Uploads } from './ports/uploads.ts';
export type { ArgSchema, ArgSchemas, Json } from './schema/schema-dialect.ts';
export {
  fromStandard,
  valueFromStandard,
  type JsonSchemaSource,
  type StandardSchema,
} from './schema/from-standard.ts';
export type { TypeWord } from './schema/type-words.ts';
export {
  createErrors,
  ENGINE_ERRORS,
  engineError,
  RestError,
  type ErrorBody,
  type ErrorDetail,
  type ErrorTable,
} from './core/errors.ts';
export { checkIfMatch } from './http/etag.ts';
export { statusOf } from './dispatch/failure.ts';
export { invalidParams } from './schema/invalid.ts';
export type { Host, HostTools } from './http/host.ts';
export { ANONYMOUS, can, type CallerId, type Identity } from './core/identity.ts';
export { checkNames, renamePath, type Names } from './core/names.ts';
export { pageHeaders, type Page } from './route/paging.ts';
export { diffRoutes, type RouteChange, type RouteDiff } from './describe/diff-routes.ts';
export { createRequest, type RequestOptions } from './http/create-request.ts';
export type { Body, BodyPart, BodySource, RestRequest } from './http/request.ts';
export { JsonText, toJsonList } from './json/json-document.ts';
export { RecordList, type ShowRecord } from './http/record-list.ts';
export { type Selection } from './http/select-fields.ts';
export {
  RawBody,
  RestResponse,
  type Dependencies,
  type Link,
  type Links,
  type ResponseOptions,
} from './http/response.ts';
export { StreamBody, type ServerEvent, type StreamFormat, type StreamOptions } from './http/stream-body.ts';
export { fileResponse, type FileOptions } from './http/file-response.ts';
export { chooseType } from './http/media-type.ts';
export type { CorsOptions } from './http/cors.ts';
export type { HeaderOptions } from './http/response-headers.ts';
export type { OpenApiOptions } from './engine/openapi-routes.ts';
export type { McpAuthorization, McpOptions } from './engine/mcp-routes.ts';
export type {
  McpArgument,
  McpContents,
  McpPrompt,
  McpResource,
  McpResources,
  McpTemplate,
  McpWatch,
} from './mcp/server.ts';
export { summaryOf, toBodySchema, type ToolChoice, toTool, untrustedOf } from './mcp/tools.ts';
export { runAction, toObject } from './mcp/call-tool.ts';
export { listActions, toActionCall, type Action } from './describe/actions.ts';
export { effectOf, idempotenceOf } from './route/effects.ts';
export type { Document, SecuritySchemes } from './describe/openapi-schema.ts';
export type { DescribeSite, SiteFacts } from './engine/site-facts.ts';
export type { CallTrace } from './dispatch/trace.ts';
export type { Catalogue, LogEvent } from './dispatch/runtime.ts';
export {
  CHANGE_ORIGINS,
  type Change,
  type ChangeOrigin,
  type ChangeSource,
  type ChangesPage,
  type ChangesQuery,
  type LoggedValues,
  type Positions,
} from './store/change.ts';
export {
  createChangeLog,
  type ChangeLog,
  type ChangesBatch,
  type FollowOptions,
} from './changes/change-log.ts';
export { runWithSource } from './store/change-source.ts';
export type {
  CollectionDescriptor,
  FieldDescriptor,
  FieldType,
  LoggedFields,
  UniqueKey,
} from './store/collection.ts';
export {
  type Durability,
  findFirst,
  findInBatches,
  type FindResult,
  type Operation,
  type RecordKey,
  type RecordOf,
  type Snapshot,
  type Store,
  type StoredRecord,
  StoreError,
  type StoreErrorCode,
  type TypedStore,
  typeRecords,
  type Values,
} from './store/store.ts';
export {
  and,
  asc,
  contains,
  desc,
  eq,
  equalsFolded,
  gt,
  gte,
  hasAll,
  hasAny,
  inOrderOf,
  lt,
  lte,
  not,
  oneOf,
  or,
  type Direction,
  type Order,
  type Predicate,
  type Query,
  type Scalar,
} from './store/query.ts';
export { CALL_COLLECTIONS, keepCalls } from './compile/terms/call-store.ts';
export { fold } from './store/stored-text.ts';
export type { WireResponse, WireStream } from './http/host.ts';
