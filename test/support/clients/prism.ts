import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Target } from '../../../adapters/cli/verify/client.ts';
import type { HttpSite } from '../http-site.ts';
import { loadClient } from './installed.ts';

// Prism, a proxy that validates responses against an OpenAPI document, in this process.
/** A request and its response. */
export interface Exchange {
  readonly method: string;
  /** Path below the API with its query. */
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

type Either<L, R> =
  | { readonly _tag: 'Left'; readonly left: L }
  | { readonly _tag: 'Right'; readonly right: R };
interface Diagnostic {
  readonly severity: number;
  readonly message: string;
  readonly path?: readonly (number | string)[];
}
interface Operations {
  getHttpOperationsFromSpec(document: object): Promise<readonly object[]>;
}
interface Router {
  default(input: object): Either<unknown, object>;
}
interface Validator {
  validateOutput(input: object): Either<readonly Diagnostic[], unknown>;
}

const ERROR = 0;

/** What prism finds wrong with a response. null: the document does not describe the request. */
export type Judge = (exchange: Exchange) => readonly string[] | null;

export async function createJudge(document: object): Promise<Judge> {
  const resources = await loadClient<Operations>('@stoplight/prism-http').getHttpOperationsFromSpec(document);
  const { default: route } = loadClient<Router>('@stoplight/prism-http/dist/router');
  const { validateOutput } = loadClient<Validator>('@stoplight/prism-http/dist/validator');
  return ({ method, target, status, headers, text }) => {
    const found = route({
      resources,
      input: { method: method.toLowerCase(), url: { path: target.replace(/\/?(?:\?.*)?$/s, '') || '/' } },
    });
    if (found._tag === 'Left') return null;
    const isJson = text !== '' && /json/.test(String(headers['content-type']));
    const verdict = validateOutput({
      resource: found.right,
      element: { statusCode: status, headers, body: isJson ? JSON.parse(text) : text || undefined },
    });
    return verdict._tag === 'Right'
      ? []
      : verdict.left
          .filter(({ severity }) => severity === ERROR)
          .map(({ path = [], message }) => `${method} ${target} ${status} ${path.join('.')}: ${message}`);
  };
}

const API = '/en/cms-json';

/** The method and target that the server carries out. */
function toExchange(
  { method = '', url = '', headers }: IncomingMessage,
  { statusCode: status = 0, headers: answered }: IncomingMessage,
  text: string,
): Exchange {
  const asked =
    headers['x-http-method-override'] ??
    new URL(url, 'http://site.test').searchParams.get('_method') ??
    method;
  return { method: String(asked), target: url.replace(API, ''), status, headers: answered, text };
}

/** Passes what a client sends on to the site, and each response back, after it was noted. */
export async function withProxy(
  site: HttpSite,
  note: (exchange: Exchange) => void,
  use: (target: Target) => Promise<void>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const sent = request(`${site.origin}${url}`, { agent, method, headers }, async (response) => {
      const bytes = await buffer(response);
      note(toExchange(incoming, response, bytes.toString()));
      outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders).end(bytes);
    });
    sent.on('error', (error) => outgoing.destroy(error));
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await use({ ...site, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}${API}` });
  } finally {
    agent.destroy();
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  }
}
