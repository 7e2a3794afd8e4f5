import { type Ports, type UpstreamAnswer, type UpstreamRequest, upstreamError } from '../../../plugin.ts';
import type { SeoDeps } from '../routes/deps.ts';
import { seoError } from '../values/errors.ts';
import { toMembers, toNumber, toText } from '../values/json.ts';
import { readSeoOption } from '../values/options.ts';
import { readTokens, writeTokens, type Service, type Tokens } from './tokens.ts';

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
