import { defineNamespace, type Namespace } from '../../lib/route/namespace.ts';
import { upstreamError } from '../../lib/ports/upstream.ts';
import type { Ports } from '../ports.ts';
import { checkInterval, noteOutcome } from './guard.ts';
import { readPkgHost } from './host.ts';
import { pkgDescriptor } from './routes.ts';
import { refreshSubscription } from './subscription.ts';

/** The vendor's ping: the site reads its subscription anew. Public, hence the interval. `config.pkg`: see `PkgHost`. */
export function createInstallerNamespace(ports: Ports): Namespace {
  const host = readPkgHost(ports.config);
  return defineNamespace(pkgDescriptor, {
    'pkg.subscription.fetch': async (_args, call) => {
      await checkInterval(ports);
      try {
        await refreshSubscription(ports, host, call.request.siteUrl);
      } catch (error) {
        await noteOutcome(ports, false);
        ports.log({ level: 'warn', message: 'the subscription could not be read', error });
        // Whatever it was: whoever pings learns nothing about the vendor, the store or the host.
        throw upstreamError('service_bad_response', { data: { service: 'pkg' }, cause: error });
      }
      await noteOutcome(ports, true);
      return { message: 'OK' };
    },
  });
}
