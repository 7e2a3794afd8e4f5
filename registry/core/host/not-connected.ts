import { upstreamError, type Upstream } from '../../../lib/ports/upstream.ts';

/** The upstream port of a site without services: every request results in 503 `service_not_connected`. */
export const notConnected: Upstream = Object.freeze({
  origin: () => null,
  request: (service: string) => Promise.reject(upstreamError('service_not_connected', { data: { service } })),
});
