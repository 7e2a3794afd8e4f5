import { parseTarget } from './address.ts';
import { checkMembers } from '../core/check-options.ts';
import { OWN_LANGUAGE } from '../core/language-code.ts';
import type { RestRequest } from './request.ts';

/** Options of a request from inside the process. All have defaults. */
export interface RequestOptions<H = unknown> {
  readonly method?: string;
  /** Sent as a JSON body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly language?: string;
  readonly siteUrl?: string;
  /** The handlers' `call.host`. */
  readonly host?: H;
}

const OPTIONS: readonly (keyof RequestOptions)[] = ['method', 'body', 'headers', 'language', 'siteUrl', 'host'];

function toLowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/**
 * Creates a request from inside the process. `target`: path below the API base with an optional query, percent-encoded as over HTTP: `/cms/v2/posts?page=2`.
 * @throws TypeError for an unknown option; RestError for a target that HTTP would refuse
 */
export function createRequest<H = undefined>(target: string, options: RequestOptions<H> = {}): RestRequest<H> {
  checkMembers('the options of createRequest', options, OPTIONS);
  return {
    ...parseTarget(target),
    method: options.method?.toUpperCase() ?? 'GET',
    language: options.language ?? OWN_LANGUAGE,
    siteUrl: options.siteUrl ?? 'http://localhost',
    headers: toLowerCase(options.headers ?? {}),
    body: options.body === undefined ? { kind: 'none' } : { kind: 'json', value: options.body },
    address: '',
    host: options.host,
  };
}
