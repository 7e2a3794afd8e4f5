/** Node's own `fetch`. A test may have replaced the global one with that of a page. */
const send = globalThis.fetch;

/** Settings of the page. `credentials` are what the browser stores for the site; they are sent where credentials are included. */
export interface BrowserOptions {
  /** Origin of the page. */
  readonly origin: string;
  readonly credentials: Readonly<Record<string, string>>;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const SAFE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-language',
  'content-type',
]);
const FORM_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);
const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]);

const toWords = (list: string | null): readonly string[] =>
  (list ?? '').split(',').map((word) => word.trim().toLowerCase());

function blocked(reason: string): TypeError {
  return new TypeError(`Failed to fetch: ${reason}`);
}

/** Names of headers that require a preflight from another origin (Fetch standard, "CORS-unsafe request-header names"). */
function findUnsafe(headers: Headers): readonly string[] {
  const [type = ''] = (headers.get('content-type') ?? 'text/plain').split(';');
  const unsafe = [...headers.keys()].filter((name) => !SAFE_HEADERS.has(name));
  return FORM_TYPES.has(type.trim().toLowerCase()) ? unsafe : [...unsafe, 'content-type'];
}

/**
 * `fetch` as a page of this origin sees it when it requests a site of another origin. The browser adds the headers that a page
 * cannot set, sends a preflight where a form could not send the request, and returns the response only where allowed (Fetch standard 4.9, 4.10).
 */
export function createBrowserFetch({ origin, credentials }: BrowserOptions): typeof fetch {
  const own = { Origin: origin, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };
  const checkAllowed = ({ headers }: Response, withCredentials: boolean): void => {
    const allowed = headers.get('access-control-allow-origin');
    if (allowed !== origin && (withCredentials || allowed !== '*'))
      throw blocked(`the origin ${String(allowed)} is allowed`);
    if (withCredentials && headers.get('access-control-allow-credentials') !== 'true')
      throw blocked('credentials are not allowed');
  };
  const preflight = async (
    url: string,
    asked: { method: string; unsafe: readonly string[]; withCredentials: boolean },
  ): Promise<void> => {
    const response = await send(url, {
      method: 'OPTIONS',
      headers: {
        ...own,
        'Access-Control-Request-Method': asked.method,
        'Access-Control-Request-Headers': asked.unsafe.join(','),
      },
    });
    await response.arrayBuffer();
    checkAllowed(response, asked.withCredentials);
    if (!response.ok) throw blocked(`the preflight got the status ${response.status}`);
    if (
      !SAFE_METHODS.has(asked.method) &&
      !toWords(response.headers.get('access-control-allow-methods')).includes(asked.method.toLowerCase())
    )
      throw blocked(`${asked.method} is not allowed`);
    const missing = asked.unsafe.find(
      (name) => !toWords(response.headers.get('access-control-allow-headers')).includes(name),
    );
    if (missing !== undefined) throw blocked(`the header ${missing} is not allowed`);
  };
  return async (input, init = {}) => {
    const url = String(input);
    const method = (init.method ?? 'GET').toUpperCase();
    const headers = new Headers(init.headers);
    const withCredentials = init.credentials === 'include';
    const unsafe = findUnsafe(headers);
    if (!SAFE_METHODS.has(method) || unsafe.length > 0)
      await preflight(url, { method, unsafe, withCredentials });
    for (const [name, value] of Object.entries({ ...(withCredentials ? credentials : {}), ...own }))
      if (!headers.has(name)) headers.set(name, value);
    const response = await send(url, { ...init, method, headers });
    const body = await response.arrayBuffer();
    checkAllowed(response, withCredentials);
    const shown = toWords(response.headers.get('access-control-expose-headers'));
    const seen = [...response.headers].filter(([name]) => SHOWN_HEADERS.has(name) || shown.includes(name));
    return new Response([204, 304].includes(response.status) ? null : body, {
      status: response.status,
      headers: seen,
    });
  };
}

/** Submits a form of the page. There is no preflight, and the browser sends all credentials that it stores for the site. */
export function sendForm(
  { origin, credentials }: BrowserOptions,
  action: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  return send(action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: {
      ...credentials,
      Origin: origin,
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    },
  });
}
