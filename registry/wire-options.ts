import { SECURITY_SCHEMES } from '../lib/describe/openapi-components.ts';
import type { SecuritySchemes } from '../lib/describe/openapi-schema.ts';
import type { EngineOptions } from '../lib/engine/engine-options.ts';
import type { SiteOptions } from './site-options.ts';

/** How a site answers, as WordPress does: its headers, 404 for a method that a route does not have, and all fields of a response. */
export const SITE_WIRE = {
  wrongMethod: 404,
  // What WordPress's clients read is older than the schemas, which need not name all of it.
  sendUndeclared: true,
  headers: {
    always: { 'X-Content-Type-Options': 'nosniff', 'X-Robots-Tag': 'noindex' },
    cors: true,
    apiLink: true,
    allow: true,
    etag: true,
  },
} as const satisfies Partial<EngineOptions>;

/** The ways to log in that the OpenAPI document shows. The host's own `authenticate` is not known, unless the host describes it. */
export function toSecuritySchemes({
  bearer,
  securitySchemes,
}: Pick<SiteOptions, 'bearer' | 'securitySchemes'>): SecuritySchemes {
  const ofBearer: SecuritySchemes =
    bearer === undefined
      ? {}
      : {
          bearer: { type: 'http', scheme: 'bearer', description: 'Token that the host of the site issued.' },
        };
  return { ...SECURITY_SCHEMES, ...ofBearer, ...securitySchemes };
}
