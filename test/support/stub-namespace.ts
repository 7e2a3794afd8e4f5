import { RestError } from '../../lib/core/errors.ts';
import type { EndpointDescriptor, NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import type { Namespace } from '../../lib/route/namespace.ts';

function answerStub(): never {
  throw new RestError('test_stub', [501, 'A handler of the tests.']);
}

function endpointsOf(descriptor: NamespaceDescriptor): readonly EndpointDescriptor[] {
  return descriptor.routes.flatMap((route) => route.endpoints);
}

/** A namespace with real descriptors and stub functions, to test everything that runs before a handler. Its permission functions allow every caller. */
export function createStub(descriptor: NamespaceDescriptor): Namespace {
  const endpoints = endpointsOf(descriptor);
  return {
    descriptor,
    handlers: Object.fromEntries(endpoints.map((endpoint) => [endpoint.handler, answerStub])),
    permissions: Object.fromEntries(
      endpoints
        .map((endpoint) => endpoint.permission)
        .filter((id) => id.includes('.'))
        .map((id) => [id, () => true]),
    ),
    checks: Object.fromEntries(
      endpoints.flatMap((endpoint) => Object.values(endpoint.checks ?? {})).map((id) => [id, () => null]),
    ),
    embeds: {},
  };
}
