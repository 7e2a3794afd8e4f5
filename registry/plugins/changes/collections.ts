import type { CollectionDescriptor, RecordOf } from '../../../lib/index.ts';

const TEXT = { type: 'text' } as const;
const INTEGER = { type: 'integer' } as const;
const TEXTS = { type: 'texts' } as const;

/** Receivers of events, and what is sent to them. */
export const changesCollections = [
  {
    /**
     * `secrets`: the keys of signatures, the newest first; `until` in milliseconds since 1970, 0: no end. `site`: the address of the site
     * when the receiver was made.
     */
    name: 'receivers',
    fields: {
      url: TEXT,
      events: TEXTS,
      types: TEXTS,
      languages: TEXTS,
      active: { type: 'boolean' },
      secrets: { type: 'json' },
      site: TEXT,
      created: INTEGER,
    },
  },
  {
    /** `key`: receiver and change, so that one change is sent once. `subject`: the record, whose events are sent in order. */
    name: 'deliveries',
    fields: {
      receiver: INTEGER,
      key: TEXT,
      message: TEXT,
      event: TEXT,
      subject: TEXT,
      body: TEXT,
      state: { type: 'text', maxLength: 20 },
      attempts: { type: 'json' },
      next: INTEGER,
      created: INTEGER,
    },
    unique: [{ fields: ['key'] }],
    indexes: [['state', 'next'], ['receiver']],
    transient: true,
  },
] as const satisfies readonly CollectionDescriptor[];

/** A key of signatures. `until`: milliseconds since 1970; 0: no end. */
export interface Secret {
  readonly key: string;
  readonly until: number;
}

/** A receiver of events. */
export interface Receiver extends Omit<RecordOf<(typeof changesCollections)[0]>, 'secrets'> {
  readonly secrets: readonly Secret[];
}

/** What is sent to a receiver, or has been. */
export type Delivery = RecordOf<(typeof changesCollections)[1]>;
