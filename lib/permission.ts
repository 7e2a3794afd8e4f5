import type { Permission } from './call.ts';
import { engineError } from './errors.ts';
import { can } from './identity.ts';

/** The permission that asks for one capability. */
export function createCapabilityPermission(capability: string): Permission {
  return (_args, call) => (can(call.identity, capability) ? null : engineError('rest_forbidden'));
}
