import { defineHostPlugin, type Plugin } from '../../plugin.ts';
import { changesCollections } from './collections.ts';
import { changesDescriptor } from './routes.ts';

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
