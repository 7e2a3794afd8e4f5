import type { Identity } from '../../../lib/core/identity.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Outbound } from '../../../lib/ports/outbound.ts';
import type { Ports } from '../host/ports.ts';

/** What a site gives to its plugins. */
export interface PluginSite {
  /** Answers a request to the site with the rights of an identity, which is anonymous by default. Not before the site is built. */
  dispatch(request: RestRequest, identity?: Identity): Promise<RestResponse>;
  /** Requests to public addresses; undefined if the host does not allow any. */
  readonly outbound: Outbound | undefined;
  /** Receives what callers must not see. */
  readonly log: (event: LogEvent) => void;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  /** Random bytes. */
  readonly random: (count: number) => Uint8Array;
}

/** Makes the site that one plugin gets. */
export function createPluginSite({
  ports: { outbound, log, now, random },
  dispatch,
}: {
  readonly ports: Ports;
  readonly dispatch: PluginSite['dispatch'];
}): PluginSite {
  return { dispatch, outbound, log, now, random };
}
