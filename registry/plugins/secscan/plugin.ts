import type { CollectionDescriptor } from '../../../lib/index.ts';
import { defineHostPlugin, type Plugin } from '../../plugin.ts';
import { SECSCAN_SETTINGS } from './connection/host.ts';
import { secscanDescriptor } from './routes.ts';

const TEXT = { type: 'text' } as const;
const INTEGER = { type: 'integer' } as const;

/** The collections of `secscan/v1`. Its options are in the group `secscan`. */
const secscanCollections = [
  {
    /** One record per rule and object. `status`: new, ignoreC (until it changes), ignoreP (permanently). Times: seconds since 1970-01-01 UTC. */
    name: 'scan_issues',
    fields: {
      rule: TEXT,
      type: TEXT,
      severity: INTEGER,
      status: TEXT,
      time: INTEGER,
      last_updated: INTEGER,
      /** Keyed hashes: `ignore_p` of rule and object, `ignore_c` of the offending parts as well. */
      ignore_p: TEXT,
      ignore_c: TEXT,
      short_msg: TEXT,
      long_msg: TEXT,
      data: { type: 'json' },
    },
    unique: [{ fields: ['ignore_p'] }],
    indexes: [['status', 'severity']],
  },
] as const satisfies readonly CollectionDescriptor[];

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
