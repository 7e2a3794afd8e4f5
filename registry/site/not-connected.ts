import { upstreamError, type Upstream } from '../../lib/ports/upstream.ts';

/** No service at all: every request is answered 503 `service_not_connected`. */
export const notConnected: Upstream = Object.freeze({
  origin: () => null,
  request: (service: string) => Promise.reject(upstreamError('service_not_connected', { data: { service } })),
});
