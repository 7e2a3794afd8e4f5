import type { Call } from '../../lib/route/call.ts';
import { pageHeaders } from '../../lib/route/paging.ts';

/** The headers of page 2 of 5. */
export function toPageHeaders(call: Call): Record<string, string> {
  return pageHeaders(call, { page: 2, perPage: 10, total: 50 });
}
