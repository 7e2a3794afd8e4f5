import type { Permission } from '../lib/call.ts';
import type { EndpointDescriptor, NamespaceDescriptor } from '../lib/descriptor.ts';
import { engineError } from '../lib/errors.ts';
import { can } from '../lib/identity.ts';
import type { Namespace } from '../lib/namespace.ts';

function answerNotBuilt(): never {
  throw engineError('rest_not_built');
}

/** Only who runs the site learns that something is missing. */
const administratorsOnly: Permission = (_args, call) => {
  if (!can(call.identity, 'manage_options')) throw engineError('rest_forbidden');
};

function endpointsOf(descriptor: NamespaceDescriptor): readonly EndpointDescriptor[] {
  return descriptor.routes.flatMap((route) => route.endpoints);
}

/** A namespace whose routes are declared and shown, but answer 501 `rest_not_built`. Permissions by function are administrators only. */
export function createNotBuilt(descriptor: NamespaceDescriptor): Namespace {
  const endpoints = endpointsOf(descriptor);
  const permissions = endpoints.map((endpoint) => endpoint.permission).filter((permission) => permission.includes('.'));
  return {
    descriptor,
    handlers: Object.fromEntries(endpoints.map((endpoint) => [endpoint.handler, answerNotBuilt])),
    permissions: Object.fromEntries(permissions.map((id) => [id, administratorsOnly])),
    checks: Object.fromEntries(endpoints.flatMap((endpoint) => Object.values(endpoint.checks ?? {})).map((id) => [id, () => null])),
    embeds: {},
  };
}

/** Ids of the handlers of a namespace that are not built yet. */
export function listNotBuilt(namespace: Namespace): readonly string[] {
  return Object.entries(namespace.handlers).filter(([, handler]) => handler === answerNotBuilt).map(([id]) => id);
}
