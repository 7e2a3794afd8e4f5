import { defineHostPlugin, type Plugin } from '../../plugin.ts';
import { ML_COLLECTIONS } from './records/collections.ts';
import { mlAteDescriptor, mlDescriptor, mlStDescriptor } from './routes/routes.ts';
import { mlTmDescriptor } from './routes/tm-routes.ts';
import { TRANSLATION_SETTINGS } from './services/service-options.ts';

/** Translation: jobs, services, memory, strings of components. */
export const ml: Plugin = defineHostPlugin(
  {
    name: 'ml',
    summary: 'Translation jobs, services and strings',
    namespaces: [mlDescriptor, mlTmDescriptor, mlAteDescriptor, mlStDescriptor],
    collections: ML_COLLECTIONS,
    tasks: [{ every: '10m', run: 'ml.remind' }],
  },
  { ml: TRANSLATION_SETTINGS },
  async () => (await import('./index.ts')).createMl,
);
