import type { EngineOptions } from '../../lib/engine/engine-options.ts';

/** How a site answers, as WordPress does: its headers, and 404 for a method that a route does not have. */
export const SITE_WIRE = {
  wrongMethod: 404,
  headers: { always: { 'X-Content-Type-Options': 'nosniff', 'X-Robots-Tag': 'noindex' }, cors: true, apiLink: true, allow: true, etag: true },
} as const satisfies Partial<EngineOptions>;
