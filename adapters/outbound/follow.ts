import { isIP } from 'node:net';
import type { OutboundAnswer, OutboundRequest } from '../../lib/ports/outbound.ts';
import { type Answer, exchange } from './http-client.ts';

/** Options of `createOutbound`. */
export interface OutboundOptions {
  /** Resolves all addresses of a host name. Default: asks the name servers of the machine. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Whether an address of a host may be dialled. Default: only public internet addresses. */
  readonly isAllowed?: (address: string, host: string) => boolean;
  /** Allowed ports. Default 80, 443, 8080. */
  readonly ports?: readonly number[];
  /** Outbound requests in flight at once; one more is refused. Default 32. */
  readonly maxAtOnce?: number;
}

const MAX_REDIRECTS = 3;
const MAX_URL = 2048;
/** Most addresses of one name that are tried. */
const MAX_DIALS = 3;
const MAX_BYTES = 150 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MEDIA_TYPES = [
  'text/html',
  'application/xhtml+xml',
  'application/json',
  'application/json+oembed',
  'text/xml',
  'application/xml',
  'text/xml+oembed',
];

/** An address that is never dialled. `fault`: the message for the caller who chose it. */
export class UnfitAddress extends Error {
  readonly fault: string;

  constructor(message: string, fault = message) {
    super(message);
    this.fault = fault;
  }
}

/** @throws UnfitAddress unless the address is http or https, on an allowed port, without a user name or password. */
function checkUrl(text: string, ports: readonly number[]): URL {
  if (text.length > MAX_URL) throw new UnfitAddress(`the address is longer than ${MAX_URL} characters`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UnfitAddress(`the scheme ${url.protocol} is not allowed, only http and https`);
  if (url.username !== '' || url.password !== '')
    throw new UnfitAddress('the address contains a user name or password');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (!ports.includes(port)) throw new UnfitAddress(`port ${port} is not allowed, only ${ports.join(', ')}`);
  return url;
}

/** Returns the addresses to dial. Every resolved address is checked: if one is not allowed, the name is refused. */
async function findAddresses(url: URL, options: Required<OutboundOptions>): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await options.resolve(host) : [host];
  const fault = `${host} has no public address`;
  if (addresses.length === 0) throw new UnfitAddress(`${host} has no address`, fault);
  const refused = addresses.find((address) => !options.isAllowed(address, host));
  if (refused !== undefined)
    throw new UnfitAddress(`${refused}, an address of ${host}, is not public`, fault);
  return addresses.slice(0, MAX_DIALS);
}

function checkMediaType(answer: Answer, accepted: readonly string[]): void {
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (accepted.length > 0 && !accepted.includes(type))
    throw new Error(`the media type "${type}" is not one of ${accepted.join(', ')}`);
}

/** Sends a request and follows redirects. The address of each is checked like the first. @throws UnfitAddress; Error for an answer that is not accepted */
export async function follow(
  request: OutboundRequest,
  options: Required<OutboundOptions>,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const accepted = request.accept ?? MEDIA_TYPES;
  const headers = { accept: accepted.length === 0 ? '*/*' : accepted.join(', '), 'user-agent': 'routebook' };
  const { method = 'GET', maxBytes = MAX_BYTES, cut = false } = request;
  let url = checkUrl(request.url, options.ports);
  const { origin } = url;
  if (request.checkOnly === true) {
    await findAddresses(url, options);
    return { status: 0, url: url.href, headers: {}, body: new Uint8Array() };
  }
  const own = {
    ...headers,
    ...request.headers,
    ...(request.authorization === undefined ? {} : { authorization: request.authorization }),
  };
  for (let redirects = 0; ; redirects += 1) {
    const answer = await exchange({
      url,
      method,
      headers: url.origin === origin ? own : headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      addresses: await findAddresses(url, options),
      maxBytes,
      cut,
      signal,
    });
    const location = answer.headers['location'];
    if (!REDIRECTS.has(answer.status) || location === undefined || method === 'POST') {
      checkMediaType(answer, accepted);
      return { ...answer, url: url.href };
    }
    if (redirects === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
    url = checkUrl(new URL(location, url).href, options.ports);
  }
}
