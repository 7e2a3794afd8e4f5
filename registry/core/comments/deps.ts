import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { PlainCollection } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { CmsDeps } from '../post-views/cms-deps.ts';
import type { CommentRecord } from '../records/comment-record.ts';
import type { RecordMeta } from '../records/meta-values.ts';
import type { PostRecord } from '../records/post-record.ts';
import type { PostAccess } from './post-access.ts';

/** What the functions of comments share. */
export interface CommentDeps extends CmsDeps {
  readonly access: PostAccess;
  readonly meta: RecordMeta;
  readonly collection: PlainCollection<CommentRecord>;
  /** A post of a served type; null if there is none. */
  readonly findPost: (call: Call, id: number) => MaybePromise<PostRecord | null>;
  /** Whether callers without a login may write comments. */
  readonly visitorsMayWrite: boolean;
}

/** The type of comments that editors write to each other in the text of a post. Those who may edit the post read and write them, nobody else. */
export const NOTE = 'note';

/** The capability of those who moderate comments. */
export const MODERATE = 'moderate_comments';
