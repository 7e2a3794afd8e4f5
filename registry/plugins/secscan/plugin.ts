import { type Plugin, defineHostPlugin } from '../../plugin.ts';
import { secscanCollections } from './collections.ts';
import { SECSCAN_SETTINGS } from './connection/host.ts';
import { secscanDescriptor } from './routes.ts';

/** The security scan. */
export const secscan: Plugin = defineHostPlugin(
  {
    name: 'secscan',
    summary: 'A scan of the site for security problems',
    namespaces: [secscanDescriptor],
    collections: secscanCollections,
  },
  { secscan: SECSCAN_SETTINGS },
  async () => {
    const { createSecscanNamespace } = await import('./index.ts');
    return ({ ports }) => ({ namespaces: [createSecscanNamespace(ports)] });
  },
);
