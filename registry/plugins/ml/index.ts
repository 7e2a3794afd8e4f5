import type { CreateBuiltIn } from '../../core/plugin/built-in.ts';
import { servicesOf } from '../../core/services.ts';
import { createAteNamespace } from './ate-namespace.ts';
import { createCancelDeparted } from './jobs/cancel-departed.ts';
import { createMlNamespace } from './ml-namespace.ts';
import { remindOfDeadlines } from './notices/due-jobs.ts';
import { createStNamespace } from './st-namespace.ts';
import { createTmNamespace } from './tm-namespace.ts';

/** The code of the plugin. Jobs of a post that goes are cancelled in the commit that removes it. */
export const createMl: CreateBuiltIn = ({ ports }) => {
  servicesOf(ports).departures.push(createCancelDeparted(ports));
  return {
    namespaces: [
      createMlNamespace(ports),
      createTmNamespace(ports),
      createAteNamespace(ports),
      createStNamespace(ports),
    ],
    functions: { 'ml.remind': ports.notify === undefined ? null : () => remindOfDeadlines(ports) },
  };
};
