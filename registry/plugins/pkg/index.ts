import { type Namespace, defineNamespace } from '../../../lib/index.ts';
import { type Ports, extendNamespace, upstreamError } from '../../plugin.ts';
import { checkInterval, noteOutcome } from './guard.ts';
import { readPkgHost } from './host.ts';
import { pkgDescriptor, pkgSubscriptionDescriptor } from './routes.ts';
import { readSubscription, refreshSubscription } from './subscription.ts';

/** Lets the vendor ask the site to read its subscription again. The route is public and therefore rate limited. `config.pkg`: see `PkgHost`. */
export function createInstallerNamespace(ports: Ports): Namespace {
  const host = readPkgHost(ports.config);
  const recorded = defineNamespace(pkgDescriptor, {
    'pkg.subscription.fetch': async (_args, call) => {
      await checkInterval(ports);
      try {
        await refreshSubscription(ports, host, call.request.siteUrl);
      } catch (error) {
        await noteOutcome(ports, false);
        ports.log({ level: 'warn', message: 'the subscription could not be read', error });
        // The response is the same for every error, so that the caller learns nothing about the vendor, the store or the host.
        throw upstreamError('service_bad_response', { data: { service: 'pkg' }, cause: error });
      }
      await noteOutcome(ports, true);
      return { message: 'OK' };
    },
  });
  const added = defineNamespace(pkgSubscriptionDescriptor, {
    'pkg.subscription.read': () => readSubscription(ports),
  });
  return (host.extraRoutes ?? ports.content.core) ? extendNamespace(recorded, added) : recorded;
}
