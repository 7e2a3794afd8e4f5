import type { Call, Json } from '../../../../lib/index.ts';
import { type Ports, userOf } from '../../../plugin.ts';
import { secscanError } from '../settings/errors.ts';
import {
  dropConnection,
  isEqualText,
  readConnection,
  readEpoch,
  toOwnPublicKey,
  writeConnection,
} from './connection.ts';
import { isPublicKey } from './ed25519.ts';
import { principalOf, toSeconds } from './tokens.ts';

/** What the dashboard sends to connect. */
interface ConnectionRequest {
  readonly publicKey: string;
  readonly siteId: string;
  readonly siteData: unknown;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Maximum length of the JSON text in characters. */
const MAX_SITE_DATA = 65_536;

function invalid(param: string, message: string): Error {
  return secscanError('secscan_invalid_connection', { message, data: { params: { [param]: message } } });
}

function checkRequest({ publicKey, siteId, siteData }: ConnectionRequest): void {
  if (!isPublicKey(publicKey))
    throw invalid('public-key', 'public-key must be an Ed25519 key of 32 bytes in 64 hexadecimal digits.');
  if (!UUID.test(siteId))
    throw invalid('site-id', 'site-id must be a UUID, such as 123e4567-e89b-12d3-a456-426614174000.');
  if (JSON.stringify(siteData).length > MAX_SITE_DATA)
    throw invalid('site-data', `site-data must have at most ${MAX_SITE_DATA} characters as JSON.`);
}

/** Connects the site to a dashboard. @returns the public key of the site. @throws RestError `secscan_invalid_connection`, `secscan_already_connected` */
export async function connectSite(ports: Ports, request: ConnectionRequest): Promise<string> {
  checkRequest(request);
  const publicKey = request.publicKey.toLowerCase();
  const known = await readConnection(ports);
  if (known !== null && !isEqualText(known.publicKey, publicKey))
    throw secscanError('secscan_already_connected');
  await writeConnection(
    ports,
    { siteId: request.siteId, publicKey },
    { data: request.siteData as Json, now: toSeconds(ports.now()) },
  );
  return toOwnPublicKey(ports.config.secret, request.siteId, await readEpoch(ports));
}

/** Ends the connection. The e-mail address is that of the token or of the administrator who asked for it. */
export async function disconnectSite(ports: Ports, call: Call): Promise<void> {
  const { claims } = principalOf(call);
  const user = claims === null ? await ports.store.get('users', userOf(call.identity)) : null;
  await dropConnection(ports, {
    email: claims?.email ?? String(user?.['email'] ?? ''),
    now: toSeconds(ports.now()),
  });
}
