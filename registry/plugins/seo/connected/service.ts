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
import { readSeoOption, seoError } from '../values/options.ts';
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
  const { access_token, refresh_token, expires, website } = toMembers(
    unseal(ports, await readOption(ports.store, GROUP, service)),
  );
  if (toText(access_token) === '') return null;
  return {
    access_token: toText(access_token),
    refresh_token: toText(refresh_token),
    expires: toNumber(expires),
    website: toNumber(website),
  };
}

async function writeTokens(ports: Ports, service: Service, tokens: Tokens): Promise<void> {
  await writeOption(ports.store, [GROUP, service], seal(ports, { ...tokens }));
}

/** The state of the tokens for a response, without the tokens themselves. */
export function describeTokens(
  { expires }: Tokens,
  now: number,
): { readonly expires: number; readonly has_expired: boolean } {
  return { expires, has_expired: expires * 1000 <= now };
}

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

/** A connection to a service behind the upstream port. docs/upstream.md describes the protocol. */
export interface Connection {
  /** @throws RestError `integration_inactive`, `service_not_connected` */
  check(): Promise<void>;
  /** Exchanges a grant for tokens. @throws RestError `authorization_refused` */
  authorize(grant: Readonly<Record<string, string>>, website: number): Promise<Tokens>;
  /** Sends an authorized request. `toRequest` gets the id of the website. @throws RestError `authorization_missing`, `service_*` */
  send(toRequest: (website: number) => UpstreamRequest): Promise<Members>;
  /** The same; null for 404. */
  find(toRequest: (website: number) => UpstreamRequest): Promise<Members | null>;
  /** Sends a request without authorization; null for 404. */
  ask(request: UpstreamRequest): Promise<Members | null>;
}

const isFine = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300;

/** The members of a JSON response. @throws RestError `service_bad_response` */
function readAnswer(service: Service, answer: UpstreamAnswer): Members {
  const data = { service, upstream_status: answer.status };
  if (!isFine(answer)) throw upstreamError('service_bad_response', { data });
  if (answer.body.length === 0) return {};
  try {
    return toMembers(JSON.parse(Buffer.from(answer.body).toString('utf8')));
  } catch (cause) {
    throw upstreamError('service_bad_response', { data, cause });
  }
}

function createTokenEndpoint(ports: Ports, service: Service) {
  return async (grant: Readonly<Record<string, string>>, website: number): Promise<Tokens> => {
    const answer = await ports.upstream.request(service, {
      method: 'POST',
      path: '/oauth/token',
      body: grant,
    });
    if (answer.status >= 400 && answer.status < 500) throw seoError('authorization_refused');
    const { access_token, refresh_token, expires_in } = readAnswer(service, answer);
    const given = { access_token: toText(access_token), refresh_token: toText(refresh_token) };
    if (given.access_token === '')
      throw upstreamError('service_bad_response', { data: { service, upstream_status: answer.status } });
    const tokens = {
      ...given,
      refresh_token: given.refresh_token || grant['refresh_token'] || '',
      expires: Math.floor(ports.now() / 1000) + toNumber(expires_in),
      website,
    };
    await writeTokens(ports, service, tokens);
    return tokens;
  };
}

/** Creates the connection to one service. Concurrent requests with expired tokens share one renewal. */
export function createConnection({ ports }: Pick<SeoDeps, 'ports'>, service: Service): Connection {
  const { upstream, store, now } = ports;
  const authorize = createTokenEndpoint(ports, service);
  let renewal: Promise<Tokens> | null = null;

  function renew({ refresh_token, website }: Tokens): Promise<Tokens> {
    if (refresh_token === '') throw seoError('authorization_missing');
    renewal ??= authorize({ grant_type: 'refresh_token', refresh_token }, website).finally(() => {
      renewal = null;
    });
    return renewal;
  }

  const sendWith = (tokens: Tokens, request: UpstreamRequest): Promise<UpstreamAnswer> => {
    return upstream.request(service, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${tokens.access_token}` },
    });
  };

  async function sendAuthorized(toRequest: (website: number) => UpstreamRequest): Promise<UpstreamAnswer> {
    const kept = await readTokens(ports, service);
    if (kept === null) throw seoError('authorization_missing');
    const tokens = kept.expires * 1000 <= now() ? await renew(kept) : kept;
    const request = toRequest(tokens.website);
    const answer = await sendWith(tokens, request);
    // A service can revoke tokens before they expire.
    return answer.status === 401 && tokens === kept ? sendWith(await renew(tokens), request) : answer;
  }

  return {
    authorize,
    async check() {
      if (toMembers(await readSeoOption(store, 'integrations'))[service] === false)
        throw seoError('integration_inactive');
      if (upstream.origin(service) === null)
        throw upstreamError('service_not_connected', { data: { service } });
    },
    send: async (toRequest) => readAnswer(service, await sendAuthorized(toRequest)),
    async find(toRequest) {
      const answer = await sendAuthorized(toRequest);
      return answer.status === 404 ? null : readAnswer(service, answer);
    },
    async ask(request) {
      const answer = await upstream.request(service, request);
      return answer.status === 404 ? null : readAnswer(service, answer);
    },
  };
}
