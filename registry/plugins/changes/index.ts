import { defineNamespace } from '../../../lib/index.ts';
import type { CreateParts, ReactionRun } from '../../plugin.ts';
import { answerChanges, watchPosts } from './answer-changes.ts';
import { createCursors } from './cursor.ts';
import { startDeliveries } from './deliver.ts';
import { addDeliveries } from './events.ts';
import { Feed } from './feed.ts';
import { createNotify, createReceiverHandlers } from './receivers.ts';
import { changesDescriptor } from './routes.ts';

/** The code of the plugin. Deliveries run in the background, each receiver at its own pace. */
export const createChanges: CreateParts = ({ ports, dispatch, names }) => {
  const cursors = createCursors(ports.config.secret);
  const feed = new Feed(ports, cursors);
  const { kinds } = feed;
  startDeliveries(ports);
  const namespace = defineNamespace(changesDescriptor, {
    'changes.read': (args, call) => answerChanges(feed, args, call),
    ...createReceiverHandlers(ports),
  });
  const addAll: ReactionRun = (list) => addDeliveries({ ports, kinds, cursors, dispatch, names }, list);
  return {
    namespaces: [namespace],
    functions: { 'changes.webhooks': addAll },
    watch: (call) => watchPosts(feed, call),
    ...(ports.webhook === undefined ? {} : { notify: createNotify(ports) }),
  };
};
