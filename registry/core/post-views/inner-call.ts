import { changeRequest } from '../../../lib/http/request.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Call } from '../../../lib/route/call.ts';

/** A request within another one: its `method`, its path, and its `query` without `?`. */
interface InnerRequest {
  readonly method: string;
  /** Path below the API base with wire names. */
  readonly path: string;
  readonly query?: string;
}

/**
 * Runs another request as the caller of this one, in the same language. Rights, checks and effects are those of its route.
 * Conditions and bodies of the outer request do not apply to it.
 */
export async function callInner(
  call: Call,
  { method, path, query = '' }: InnerRequest,
): Promise<RestResponse> {
  const request = changeRequest(call.request, { method, path, query, headers: {}, body: { kind: 'none' } });
  return call.site.prepare(request).run();
}
