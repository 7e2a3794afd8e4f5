import { toErrorBody, toStatus } from '../../lib/core/errors.ts';
import { ANONYMOUS } from '../../lib/core/identity.ts';
import type { Host, WireResponse } from '../../lib/http/host.ts';
import type { RestRequest } from '../../lib/http/request.ts';

export interface EchoHost extends Host {
  /** All served requests, oldest first. */
  readonly served: RestRequest[];
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=UTF-8' };

/** A host that returns the request. `answers`: responses by path, instead of the echo. */
export function createEchoHost(
  answers: Readonly<Record<string, (request: RestRequest) => Promise<WireResponse> | WireResponse>> = {},
): EchoHost {
  const served: RestRequest[] = [];
  return {
    prefixes: ['en', 'fr'],
    base: '/cms-json',
    served,
    async serve(request) {
      served.push(request);
      const { method, path, query, language, siteUrl, body } = request;
      return (
        (await answers[path]?.(request)) ?? {
          status: 200,
          headers: JSON_HEADERS,
          body: JSON.stringify({ method, path, query, language, siteUrl, body }),
        }
      );
    },
    refuse: (error) => ({
      status: toStatus(error, ANONYMOUS),
      headers: { ...JSON_HEADERS, ...error.headers },
      body: JSON.stringify(toErrorBody(error, ANONYMOUS)),
    }),
  };
}
