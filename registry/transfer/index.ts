// The public entry of content in and out: readers and writers of formats, and the import into a store.
export { importItems, type FileTarget, type ImportOptions } from './import-items.ts';
export { findContentFault } from '../cms/media/library-file.ts';
export type { ExportedSite, Found, Item, ItemFile, LeftOut, Source } from './item.ts';
export { listUnknownRoles } from './known-roles.ts';
export { listMediaPaths } from './media-paths.ts';
export { loadReadContext, type ReadContext } from './read-context.ts';
export { writeReport, type ImportReport } from './report.ts';
export { findDangling, type Dangling } from './check-references.ts';
export { Parents } from './parents.ts';
export {
  exportItems,
  listExported,
  openExport,
  readExportedSite,
  type ExportedItems,
  type ExportOptions,
} from './export-items.ts';
export {
  findFormat,
  READ_FORMATS,
  START_BYTES,
  WRITE_FORMATS,
  type ReadFormat,
  type WriteFormat,
} from './formats.ts';
export { countOmissions, type Omission, type Omits } from './omissions.ts';
export { openRest, type OpenedRest } from './rest/read-rest.ts';
export type { RestSource } from './rest/rest-client.ts';
export { readNdjson, writeNdjson } from './ndjson.ts';
export { readWxr } from './wxr/read-wxr.ts';
