import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import type { StoredRecord } from '../../../lib/store/store.ts';

/** An issued preview. Its token is not stored: it is computed from the record. */
export interface PreviewRecord extends StoredRecord {
  /** The post that it opens. */
  readonly post: number;
  /** The user who issued it, and whose rights it has. */
  readonly maker: number;
  /** The revision or autosave whose texts are shown; 0: those of the post itself. */
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Issued previews. To remove a record revokes its token. */
export const previewCollection = {
  name: 'previews',
  fields: {
    post: { type: 'integer', references: 'posts' },
    maker: { type: 'integer', references: 'users' },
    revision: { type: 'integer' },
    created: { type: 'integer' },
    expires: { type: 'integer' },
  },
  indexes: [['post'], ['expires']],
} as const satisfies CollectionDescriptor;

/** A stored preview. */
export const toPreview = (record: StoredRecord): PreviewRecord => record as PreviewRecord;
