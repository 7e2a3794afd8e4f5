/** The entry `routebook/store`: what an author of a store needs. */
export { collectionOf } from '../lib/store/check-query.ts';
export { fieldOf, type Collections } from '../lib/store/collection.ts';
export { checkCollections } from '../lib/store/check-collections.ts';
export {
  checkOperations,
  resolveValues,
  type CheckedOperation,
  type CheckedValues,
} from '../lib/store/check-operations.ts';
export { checkQuery, type CheckedQuery } from '../lib/store/check-query.ts';
export type { Change, ChangeSource, ChangesPage, ChangesQuery, Positions } from '../lib/store/change.ts';
export {
  CHANGE_COLUMNS,
  checkKept,
  fromChangeRow,
  isLogged,
  loggedNames,
  mergeChanges,
  toChangeRow,
  type ChangeRow,
  type RecordChange,
} from '../lib/store/change-rows.ts';
export { toSource } from '../lib/store/change-source.ts';
export {
  type CollectionDescriptor,
  EMPTY_VALUES,
  type FieldDescriptor,
  type FieldType,
  itemType,
  type LoggedFields,
  type UniqueKey,
} from '../lib/store/collection.ts';
export { CountCache } from '../lib/store/count-cache.ts';
export { toCompare, toTest, type Compare, type Test } from '../lib/store/match.ts';
export { isDeepPage, PageMarks, type PageMark } from '../lib/store/count-cache.ts';
export {
  LONG_TEXT_BYTES,
  type Direction,
  type Order,
  type Predicate,
  type Query,
  type Scalar,
} from '../lib/store/query.ts';
export { createSortKeys, type Row, type SortKeys } from '../lib/store/row.ts';
export {
  StoreError,
  type Durability,
  type FindResult,
  type Operation,
  type RecordKey,
  type Snapshot,
  type Store,
  type StoredRecord,
  type StoreErrorCode,
  type Values,
  type Waiter,
} from '../lib/store/store.ts';
export { fold } from '../lib/store/stored-text.ts';
export {
  compileCount,
  compileFind,
  PLAIN_ACCESS,
  type Access,
  type Sql,
} from './stores/sql/compile-query.ts';
export { createChangeTable, type ChangeTypes } from './stores/sql/change-log.ts';
export { compileWhere, Params } from './stores/sql/compile-where.ts';
export { createSqlStore, type SqlStoreOptions } from './stores/sql/create-sql-store.ts';
export type { SqlDatabase, SqlSession } from './stores/sql/database.ts';
export { quoteConstant, quoteName, type Dialect, type SqlValue } from './stores/sql/dialect.ts';
export { keepMark, toPageQuery, type PageQuery } from './stores/sql/page-query.ts';
export { createRecordReader, tellIncomplete, type SqlValues } from './stores/sql/record-columns.ts';
export {
  emptyColumnValue,
  toColumnValue,
  toTable,
  type Column,
  type IndexShape,
  type ListTable,
  type TableShape,
} from './stores/sql/tables.ts';
