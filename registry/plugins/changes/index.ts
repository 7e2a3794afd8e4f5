import { defineNamespace } from '../../../lib/route/namespace.ts';
import type { CreateBuiltIn } from '../../core/plugin/built-in.ts';
import type { ReactionRun } from '../../core/plugin/plugin.ts';
import { servicesOf } from '../../core/services.ts';
import { answerChanges, watchPosts } from './answer.ts';
import { createCursors } from './cursor.ts';
import { startDeliveries } from './deliver.ts';
import { addDeliveries } from './events.ts';
import { Feed } from './feed.ts';
import { createReceiverHandlers } from './handlers.ts';
import { createNotify } from './outbox.ts';
import { changesDescriptor } from './routes.ts';

/** The code of the plugin. Deliveries run in the background, each receiver at its own pace. */
export const createChanges: CreateBuiltIn = ({ ports, dispatch, names }) => {
  const cursors = createCursors(ports.config.secret);
  const feed = new Feed(ports, cursors);
  const { kinds } = feed;
  startDeliveries(ports);
  servicesOf(ports).watchers.push((call) => watchPosts(feed, call));
  if (ports.webhook !== undefined) servicesOf(ports).notices.push(createNotify(ports));
  const namespace = defineNamespace(changesDescriptor, {
    'changes.read': (args, call) => answerChanges(feed, args, call),
    ...createReceiverHandlers(ports),
  });
  const addAll: ReactionRun = (list) => addDeliveries({ ports, kinds, cursors, dispatch, names }, list);
  return { namespaces: [namespace], functions: { 'changes.webhooks': addAll } };
};
