import type { PlainCollection } from '../../../lib/crud/plain-collection.ts';
import type { CmsDeps } from '../post-views/cms-deps.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import type { UserRecord } from '../records/user-record.ts';
import type { Authors } from './authors.ts';

/** What the functions of users share. */
export interface UserDeps extends CmsDeps {
  readonly users: PlainCollection<UserRecord>;
  readonly authors: Authors;
  readonly meta: RecordMeta;
}
