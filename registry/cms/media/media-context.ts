import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { PlainCollection } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { MediaStorage, Pictures } from '../../ports.ts';
import type { CmsContext } from '../cms-context.ts';
import type { PostRecord } from '../post-record.ts';
import type { Rights } from '../rights.ts';
import type { UploadRules } from '../settings.ts';
import type { MediaAccess } from './media-access.ts';
import type { MediaRecord } from './media-record.ts';

/** What the handlers of media get. */
export interface MediaContext extends CmsContext {
  readonly model: ContentModel;
  readonly collection: PlainCollection<MediaRecord>;
  readonly access: MediaAccess;
  /** The rights of a type. */
  readonly rightsOf: (type: string) => Rights;
  readonly findPost: (call: Call, id: number) => MaybePromise<PostRecord | null>;
  readonly rules: UploadRules;
  /** undefined: the host stores no uploads. */
  readonly storage: MediaStorage | undefined;
  /** undefined: the host has no editor. */
  readonly pictures: Pictures | undefined;
}
