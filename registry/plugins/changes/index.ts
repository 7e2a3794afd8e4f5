import { defineNamespace, type Namespace } from '../../../lib/route/namespace.ts';
import type { Ports } from '../../core/host/ports.ts';
import { answerChanges } from './answer.ts';
import { createCursors } from './cursor.ts';
import { Feed } from './feed.ts';
import { changesDescriptor } from './routes.ts';

/** What has changed, for callers who follow the site. */
export function createChangesNamespace(ports: Ports): Namespace {
  const feed = new Feed(ports, createCursors(ports.config.secret));
  return defineNamespace(changesDescriptor, {
    'changes.read': (args, call) => answerChanges(feed, args, call),
  });
}
