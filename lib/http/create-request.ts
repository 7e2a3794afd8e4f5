import { checkMembers } from '../core/check-options.ts';
import { engineError } from '../core/errors.ts';
import { OWN_LANGUAGE } from '../core/language-code.ts';
import { parseTarget } from './address.ts';
import { bodyTooLarge } from './body.ts';
import type { Body, BodySource, RestRequest } from './request.ts';

/** Options of a request from inside the process. All have defaults. */
export interface RequestOptions<H = unknown> {
  /** Default: GET. */
  readonly method?: string;
  /** Bytes are sent as they are, with the `Content-Type` of `headers`. Any other value is sent as JSON. */
  readonly body?: unknown;
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Language prefix of the address. Default: `en`. */
  readonly language?: string | undefined;
  /** Address of the site, as links show it. */
  readonly siteUrl?: string | undefined;
  /** The handlers' `call.host`. */
  readonly host?: H;
}

const OPTIONS: readonly (keyof RequestOptions)[] = [
  'method',
  'body',
  'headers',
  'language',
  'siteUrl',
  'host',
];

function toLowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Bytes that are already in memory. Only adapters parse multipart bodies. */
function toSource(bytes: Uint8Array): BodySource {
  const take = (maxBytes: number): Uint8Array => {
    if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes);
    return bytes;
  };
  return {
    maxBytes: Number.MAX_SAFE_INTEGER,
    timeoutMs: 0,
    read: async (maxBytes) => take(maxBytes),
    async *stream(maxBytes) {
      yield take(maxBytes);
    },
    parts() {
      throw engineError('rest_unsupported_media_type', {
        message:
          'A request from inside the process cannot have a multipart body. Send it through createFetchHandler.',
      });
    },
  };
}

function toBody(body: unknown): Body {
  if (body === undefined) return { kind: 'none' };
  return body instanceof Uint8Array
    ? { kind: 'unread', source: toSource(body) }
    : { kind: 'json', value: body };
}

/**
 * Creates a request from inside the process. `target`: path below the API base with an optional query, percent-encoded as over HTTP: `/cms/v2/posts?page=2`.
 * @throws TypeError for an unknown option; RestError for a target that HTTP would refuse
 */
export function createRequest<H = undefined>(
  target: string,
  options: RequestOptions<H> = {},
): RestRequest<H> {
  checkMembers('the options of createRequest', options, OPTIONS);
  return {
    ...parseTarget(target),
    method: options.method?.toUpperCase() ?? 'GET',
    language: options.language ?? OWN_LANGUAGE,
    siteUrl: options.siteUrl ?? 'http://localhost',
    headers: toLowerCase(options.headers ?? {}),
    body: toBody(options.body),
    address: '',
    host: options.host,
  };
}
