import type { Identity } from '../../lib/index.ts';
import { capabilitiesOf } from '../../registry/index.ts';

/** Bearer token of the administrator who writes. Comparing it costs a peer next to nothing. */
export const ADMIN_TOKEN = 'bench-admin';

export const ADMIN: Identity = Object.freeze({
  id: 1,
  role: 'administrator',
  capabilities: capabilitiesOf('administrator'),
});
