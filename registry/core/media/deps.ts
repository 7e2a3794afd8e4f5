import type { MaybePromise } from '../../../lib/core/maybe-promise.ts';
import type { PlainCollection } from '../../../lib/crud/plain-collection.ts';
import type { Call } from '../../../lib/route/call.ts';
import type { UploadRules } from '../files/cms-settings.ts';
import type { MediaStorage, Pictures } from '../host/ports.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { CmsDeps } from '../post-views/cms-deps.ts';
import type { MediaRecord } from '../records/media-record.ts';
import type { PostRecord } from '../records/post-record.ts';
import type { Rights } from '../records/rights.ts';
import type { MediaAccess } from './access.ts';

/** What the handlers of media get. */
export interface MediaDeps extends CmsDeps {
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
