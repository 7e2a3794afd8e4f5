import type { CollectionDescriptor } from '../../../lib/index.ts';
import { defineHostPlugin, type Plugin } from '../../plugin.ts';
import { changesDescriptor } from './routes.ts';

const TEXT = { type: 'text' } as const;
const INTEGER = { type: 'integer' } as const;
const TEXTS = { type: 'texts' } as const;

/** Receivers of events, and what is sent to them. */
const changesCollections = [
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

/** What has changed, for callers who follow the site, and events for receivers. A site must name it. */
export const changes: Plugin = defineHostPlugin(
  {
    name: 'changes',
    summary: 'A feed of what has changed, and webhooks',
    namespaces: [changesDescriptor],
    collections: changesCollections,
    exposes: ['X-CMS-Cursor', 'X-CMS-Caught-Up', 'Stream-Next-Offset', 'Stream-Cursor', 'Stream-Up-To-Date'],
    reactions: [{ to: ['posts', 'terms', 'users', 'comments', 'media', 'options'], run: 'changes.webhooks' }],
  },
  {},
  async () => (await import('./index.ts')).createChanges,
);
