import {
  createErrors,
  defineNamespace,
  type ErrorTable,
  type Json,
  type Namespace,
} from '../../../lib/index.ts';
import { changeOption, extendNamespace, isObject, type Ports, upstreamError } from '../../plugin.ts';
import { readPkgHost } from './host.ts';
import { pkgDescriptor, pkgSubscriptionDescriptor } from './routes.ts';
import { readSubscription, refreshSubscription } from './subscription.ts';

/** The errors of `pkg/installer/v1` in addition to those of the engine and of the upstream port. */
export const PKG_ERRORS = {
  subscription_fetched_recently: [
    429,
    'The subscription was read a short time ago. Retry-After says when it can be read again.',
  ],
} as const satisfies ErrorTable;

/** Creates an error of the table above. */
const pkgError = createErrors(PKG_ERRORS);

/** When the last fetch began (milliseconds since 1970-01-01 UTC), and the number of failures in a row. */
interface Stamp {
  readonly began: number;
  readonly failures: number;
}

const NAME = ['pkg', 'fetch'] as const;
const INTERVAL_MS = 2 * 60 * 60 * 1000;
/** Each failure doubles the interval, up to 32 hours. */
const MAX_DOUBLINGS = 4;

function toStamp(value: Json | undefined): Stamp {
  const { began = 0, failures = 0 } = isObject(value) ? (value as Partial<Stamp>) : {};
  return { began, failures };
}

/**
 * Allows one fetch every two hours. The time is stored before the fetch begins, so that only one of several concurrent callers
 * continues, across all processes of the store. @throws RestError `subscription_fetched_recently` with Retry-After
 */
async function checkInterval({ store, now }: Pick<Ports, 'store' | 'now'>): Promise<void> {
  await changeOption(store, NAME, (value) => {
    const { began, failures } = toStamp(value);
    const time = now();
    const wait = began + INTERVAL_MS * 2 ** Math.min(failures, MAX_DOUBLINGS) - time;
    // After the clock was set back, the stored time may be in the future. It must not block the route for good.
    if (wait > 0 && began <= time) {
      throw pkgError('subscription_fetched_recently', {
        headers: { 'Retry-After': String(Math.ceil(wait / 1000)) },
      });
    }
    return { began: time, failures };
  });
}

/** Records the outcome of the fetch. A failure doubles the next interval, a success resets it to two hours. */
async function noteOutcome({ store }: Pick<Ports, 'store'>, isFine: boolean): Promise<void> {
  await changeOption(store, NAME, (value) => {
    const { began, failures } = toStamp(value);
    return { began, failures: isFine ? 0 : failures + 1 };
  });
}

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
