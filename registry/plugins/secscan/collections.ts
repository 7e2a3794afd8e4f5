import type { CollectionDescriptor } from '../../../lib/index.ts';

/** The collections of `secscan/v1`. Its options are in the group `secscan`. */
export const secscanCollections = [
  {
    /** One record per rule and object. `status`: new, ignoreC (until it changes), ignoreP (permanently). Times: seconds since 1970-01-01 UTC. */
    name: 'scan_issues',
    fields: {
      rule: { type: 'text' },
      type: { type: 'text' },
      severity: { type: 'integer' },
      status: { type: 'text' },
      time: { type: 'integer' },
      last_updated: { type: 'integer' },
      /** Keyed hashes: `ignore_p` of rule and object, `ignore_c` of the offending parts as well. */
      ignore_p: { type: 'text' },
      ignore_c: { type: 'text' },
      short_msg: { type: 'text' },
      long_msg: { type: 'text' },
      data: { type: 'json' },
    },
    unique: [{ fields: ['ignore_p'] }],
    indexes: [['status', 'severity']],
  },
] as const satisfies readonly CollectionDescriptor[];
