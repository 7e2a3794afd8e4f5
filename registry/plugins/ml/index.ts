import { defineNamespace } from '../../../lib/index.ts';
import type { CreateParts } from '../../plugin.ts';
import { mlAteDescriptor } from './ate-routes.ts';
import { passOn } from './engine/proxy.ts';
import { createCancelDeparted } from './jobs/cancel-departed.ts';
import { createMlNamespace } from './ml-namespace.ts';
import { remindOfDeadlines } from './notices/due-jobs.ts';
import { createStNamespace } from './st-namespace.ts';
import { createTmNamespace } from './tm-namespace.ts';

/** The code of the plugin. Jobs of a post that goes are cancelled in the commit that removes it. */
export const createMl: CreateParts = ({ ports }) => ({
  namespaces: [
    createMlNamespace(ports),
    createTmNamespace(ports),
    defineNamespace(mlAteDescriptor, {
      'ml.ate.proxy': (args, call) => passOn(ports.upstream, args, call),
    }),
    createStNamespace(ports),
  ],
  functions: { 'ml.remind': ports.notify === undefined ? null : () => remindOfDeadlines(ports) },
  departure: createCancelDeparted(ports),
});
