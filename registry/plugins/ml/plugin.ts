import { type Plugin, defineHostPlugin } from '../../plugin.ts';
import { mlAteDescriptor } from './ate-routes.ts';
import { mlCollections } from './collections.ts';
import { mlDescriptor } from './ml-routes.ts';
import { TRANSLATION_SETTINGS } from './services/service-options.ts';
import { mlStDescriptor } from './st-routes.ts';
import { mlTmDescriptor } from './tm-routes.ts';

/** Translation: jobs, services, memory, strings of components. */
export const ml: Plugin = defineHostPlugin(
  {
    name: 'ml',
    summary: 'Translation jobs, services and strings',
    namespaces: [mlDescriptor, mlTmDescriptor, mlAteDescriptor, mlStDescriptor],
    collections: mlCollections,
    tasks: [{ every: '10m', run: 'ml.remind' }],
  },
  { ml: TRANSLATION_SETTINGS },
  async () => (await import('./index.ts')).createMl,
);
