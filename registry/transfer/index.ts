// The public entry of content in and out: readers and writers of formats, and the import into a store.
export { importItems, type FileTarget, type ImportOptions } from './import-items.ts';
export { STORED_STATUSES } from '../core/schemas/post-args.ts';
export { findContentFault } from '../core/files/library-file.ts';
export type {
  ExportedSite,
  ReadResult,
  Item,
  ItemFile,
  LeftOut,
  ImportSource,
  Undeclared,
} from './items/item.ts';
export { ContentSuggestion, type SuggestedContent } from './items/suggest-content.ts';
export { listUnknownRoles } from './items/known-roles.ts';
export { listMediaPaths } from './items/media-paths.ts';
export { loadReadContext, type ReadContext } from './items/read-context.ts';
export { writeReport, type ImportReport } from './items/report.ts';
export { findDangling, type Dangling } from './plan/check-references.ts';
export { Parents } from './plan/parents.ts';
export {
  exportItems,
  listExported,
  openExport,
  readExportedSite,
  type ExportedItems,
  type ExportOptions,
} from './items/export-items.ts';
export {
  findFormat,
  READ_FORMATS,
  START_BYTES,
  WRITE_FORMATS,
  type ReadFormat,
  type WriteFormat,
} from './formats.ts';
export { countOmissions, type Omission, type Omits } from './items/omissions.ts';
export { openRest, type OpenedRest } from './rest/read-rest.ts';
export type { RestSource } from './rest/rest-client.ts';
export { readNdjson, writeNdjson } from './items/ndjson.ts';
export { readWxr } from './wxr/read-wxr.ts';
