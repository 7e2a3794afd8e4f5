import { type Namespace, RestResponse, defineNamespace } from '../../../lib/index.ts';
import { type Ports, createAddressThrottle } from '../../plugin.ts';
import {
  authenticate,
  authenticatePremium,
  type AuthenticationParts,
  connectSite,
  disconnectSite,
  makeNonce,
} from './connection/connect.ts';
import { readSecscanHost } from './connection/host.ts';
import {
  writeSettings,
  describeInstallation,
  readSettings,
  selectSettings,
} from './connection/stored-settings.ts';
import { createSecscanPermissions } from './connection/tokens.ts';
import { secscanDescriptor } from './routes.ts';
import { changeIssue, listIssues } from './scan/issues.ts';
import { createScanControl } from './scan/scan-control.ts';

const ATTEMPTS = 10;
const WINDOW_MS = 60_000;

/** The engine sees a caller with a token as anonymous, so the response must declare itself private. */
function toPrivate(body: unknown): RestResponse {
  return new RestResponse(body, { headers: { 'Cache-Control': 'no-store, private' } });
}

const SUCCESS = { success: true };

/** The security scan: a connection to a dashboard, the configuration, the scan and its issues. `config.secscan`: see `SecscanHost`. */
export function createSecscanNamespace(ports: Ports): Namespace {
  const host = readSecscanHost(ports.config);
  const parts: AuthenticationParts = {
    ports,
    host,
    throttle: createAddressThrottle(ports.now, ATTEMPTS, WINDOW_MS),
  };
  const control = createScanControl(ports, host);
  return defineNamespace(
    secscanDescriptor,
    {
      'secscan.nonce': (_args, call) =>
        toPrivate({ nonce: makeNonce(ports), admin_url: host.adminUrl ?? call.site.home() }),
      'secscan.authenticate': async (signed, call) => toPrivate(await authenticate(parts, signed, call)),
      'secscan.authenticatePremium': async (signed, call) =>
        toPrivate(await authenticatePremium(parts, signed, call)),
      'secscan.config.read': async ({ fields }, call) => {
        const settings = await readSettings(ports);
        return toPrivate({
          config: fields === undefined ? settings : selectSettings(settings, fields),
          info: await describeInstallation(ports, call.request.siteUrl),
        });
      },
      'secscan.config.write': async ({ fields }) => {
        await writeSettings(ports, fields);
        return toPrivate(SUCCESS);
      },
      'secscan.disconnect': async (_args, call) => {
        await disconnectSite(ports, call);
        return toPrivate(SUCCESS);
      },
      'secscan.connect': async ({ 'public-key': givenKey, 'site-id': siteId, 'site-data': data }) => {
        const publicKey = await connectSite(ports, siteId, { givenKey, data });
        return toPrivate({ success: true, 'public-key': publicKey });
      },
      'secscan.issues.list': async (page) => toPrivate(await listIssues(ports, page)),
      'secscan.scan.start': async (_args, call) =>
        toPrivate({ success: true, scanId: await control.start(call.request.siteUrl) }),
      'secscan.scan.stop': async () => {
        await control.stop();
        return toPrivate(SUCCESS);
      },
      'secscan.issues.update': async ({ issue }) => {
        await changeIssue(ports, issue);
        return toPrivate(SUCCESS);
      },
    },
    { permissions: createSecscanPermissions(ports) },
  );
}
