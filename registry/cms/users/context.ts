import type { PlainCollection } from '../../../lib/crud/plain-collection.ts';
import type { CmsContext } from '../cms-context.ts';
import type { RecordMeta } from '../meta-values.ts';
import type { Authors } from './authors.ts';
import type { UserRecord } from './user-record.ts';

/** What the functions of users share. */
export interface UserContext extends CmsContext {
  readonly users: PlainCollection<UserRecord>;
  readonly authors: Authors;
  readonly meta: RecordMeta;
}
