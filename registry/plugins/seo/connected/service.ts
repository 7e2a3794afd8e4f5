import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Json } from '../../../../lib/index.ts';
import {
  type Ports,
  readOption,
  type UpstreamAnswer,
  upstreamError,
  type UpstreamRequest,
  writeOption,
} from '../../../plugin.ts';
import type { SeoDeps } from '../routes/routes.ts';
import { seoError } from '../values/errors.ts';
import { readSeoOption } from '../values/options.ts';
import { toMembers, toNumber, toText } from '../values/scalars.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const toKey = (secret: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'seo/v1 tokens', 32));

/** Encrypts a value for the store. Reading it requires the secret of the site (AES-GCM, NIST SP 800-38D). */
export function seal({ random, config }: Pick<Ports, 'random' | 'config'>, value: Json): string {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER, toKey(config.secret), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
}

/** The decrypted value; null when it was sealed with another secret or is not a sealed value. */
export function unseal({ config }: Pick<Ports, 'config'>, sealed: unknown): Json {
  if (typeof sealed !== 'string') return null;
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, toKey(config.secret), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    // The secret of the site has changed. The site must be authorized again.
    return null;
  }
}

/** The services that the host can connect. */
export const SERVICES = ['kwtool', 'ranktracker'] as const;

type Service = (typeof SERVICES)[number];

/** Tokens issued by a service. `expires`: seconds since 1970. `website`: 0 when the service has no websites. */
interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires: number;
  readonly website: number;
}

const GROUP = 'seo:secret';

/** The tokens of a service; null when the site was never authorized. */
async function readTokens(ports: Ports, service: Service): Promise<Tokens | null> {
  // A sealed value is what this file has written.
  return unseal(ports, await readOption(ports.store, GROUP, service)) as Tokens | null;
}

/** The state of the tokens for a response, without the tokens themselves. */
export const describeTokens = ({ expires }: Tokens, now: number) => ({
  expires,
  has_expired: expires * 1000 <= now,
});

/** Whether the host has connected a service, and whether the site is authorized there. */
export async function describeConnection(ports: Ports, service: Service) {
  const tokens = await readTokens(ports, service);
  return {
    connected: ports.upstream.origin(service) !== null,
    authorized: tokens !== null,
    website: tokens?.website ?? 0,
    expires: tokens?.expires ?? 0,
  };
}

type Members = ReturnType<typeof toMembers>;

/** The members of a JSON response. @throws RestError `service_bad_response` */
function readAnswer(service: Service, { status, body }: UpstreamAnswer): Members {
  const data = { service, upstream_status: status };
  if (status < 200 || status >= 300) throw upstreamError('service_bad_response', { data });
  if (body.length === 0) return {};
  try {
    return toMembers(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch (cause) {
    throw upstreamError('service_bad_response', { data, cause });
  }
}

/** A connection to a service behind the upstream port. docs/upstream.md describes the protocol. */
export type Connection = ReturnType<typeof createConnection>;

/** Creates the connection to one service. Concurrent requests with expired tokens share one renewal. */
export function createConnection({ ports }: Pick<SeoDeps, 'ports'>, service: Service) {
  const { upstream, store, now } = ports;
  let renewal: Promise<Tokens> | null = null;

  /** Exchanges a grant for tokens. @throws RestError `authorization_refused` */
  async function authorize(grant: Readonly<Record<string, string>>, website: number): Promise<Tokens> {
    const answer = await upstream.request(service, { method: 'POST', path: '/oauth/token', body: grant });
    const { status } = answer;
    if (status >= 400 && status < 500) throw seoError('authorization_refused');
    const { access_token, refresh_token, expires_in } = readAnswer(service, answer);
    if (toText(access_token) === '')
      throw upstreamError('service_bad_response', { data: { service, upstream_status: status } });
    const tokens = {
      access_token: toText(access_token),
      refresh_token: toText(refresh_token) || grant['refresh_token'] || '',
      expires: Math.floor(now() / 1000) + toNumber(expires_in),
      website,
    };
    await writeOption(store, [GROUP, service], seal(ports, tokens));
    return tokens;
  }

  function renew({ refresh_token, website }: Tokens): Promise<Tokens> {
    if (refresh_token === '') throw seoError('authorization_missing');
    renewal ??= authorize({ grant_type: 'refresh_token', refresh_token }, website).finally(() => {
      renewal = null;
    });
    return renewal;
  }

  const sendWith = ({ access_token }: Tokens, request: UpstreamRequest): Promise<UpstreamAnswer> =>
    upstream.request(service, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${access_token}` },
    });

  async function sendAuthorized(given: UpstreamRequest): Promise<UpstreamAnswer> {
    const kept = await readTokens(ports, service);
    if (kept === null) throw seoError('authorization_missing');
    const tokens = kept.expires * 1000 <= now() ? await renew(kept) : kept;
    const request = { ...given, path: given.path.replace('{website}', String(tokens.website)) };
    const answer = await sendWith(tokens, request);
    // A service can revoke tokens before they expire.
    return answer.status === 401 && tokens === kept ? sendWith(await renew(tokens), request) : answer;
  }

  const readFound = (answer: UpstreamAnswer): Members | null =>
    answer.status === 404 ? null : readAnswer(service, answer);

  return {
    authorize,
    /** @throws RestError `integration_inactive`, `service_not_connected` */
    async check(): Promise<void> {
      if (toMembers(await readSeoOption(store, 'integrations'))[service] === false)
        throw seoError('integration_inactive');
      if (upstream.origin(service) === null)
        throw upstreamError('service_not_connected', { data: { service } });
    },
    /** Sends an authorized request. `{website}` in its path: the id of the site at the service. @throws RestError `authorization_missing`, `service_*` */
    send: async (request: UpstreamRequest) => readAnswer(service, await sendAuthorized(request)),
    /** The same; null for 404. */
    find: async (request: UpstreamRequest) => readFound(await sendAuthorized(request)),
    /** Sends a request without authorization; null for 404. */
    ask: async (request: UpstreamRequest) => readFound(await upstream.request(service, request)),
  };
}
