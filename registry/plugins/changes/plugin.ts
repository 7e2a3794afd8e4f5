import { defineNamespace } from '../../../lib/route/namespace.ts';
import { startReaction } from '../../core/changes/reactions.ts';
import type { Plugin } from '../../core/plugin/plugin.ts';
import { answerChanges } from './answer.ts';
import { changesCollections } from './collections.ts';
import { createCursors } from './cursor.ts';
import { startDeliveries } from './deliver.ts';
import { addDeliveries } from './events.ts';
import { Feed } from './feed.ts';
import { createReceiverHandlers } from './handlers.ts';
import { changesDescriptor } from './routes.ts';

/** What has changed, for callers who follow the site, and events for receivers. A site must name it. */
export const changes: Plugin = {
  descriptor: {
    name: 'changes',
    summary: 'A feed of what has changed, and webhooks',
    namespaces: [changesDescriptor],
    collections: changesCollections,
  },
  settings: {},
  bind: async ({ ports, dispatch, names }) => {
    const cursors = createCursors(ports.config.secret);
    const feed = new Feed(ports, cursors);
    const { kinds } = feed;
    startReaction(ports, {
      name: 'changes.webhooks',
      to: kinds.map(({ collection }) => collection),
      run: (list) => addDeliveries({ ports, kinds, cursors, dispatch, names }, list),
    });
    startDeliveries(ports);
    const namespace = defineNamespace(changesDescriptor, {
      'changes.read': (args, call) => answerChanges(feed, args, call),
      ...createReceiverHandlers(ports),
    });
    return { namespaces: [namespace], extensions: [], functions: {} };
  },
};
