import { checkDocument, listOf, objectOf, withFunctions } from '../core/check-document.ts';
import { FLAG, inForm, type OptionRule, TEXT } from '../core/check-options.ts';
import { engineError } from '../core/errors.ts';
import { ORIGINS } from '../http/cross-site.ts';
import type { WireResponse } from '../http/host.ts';
import { createMcpHandler } from '../mcp/endpoint.ts';
import type { McpPrompt, McpResources } from '../mcp/server.ts';
import type { ToolChoice } from '../mcp/tools.ts';
import type { Call } from '../route/call.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import type { RootRoute } from './root-routes.ts';

/** Where clients get a token for this server (RFC 9728). The server only reads tokens, with `authenticate`. */
export interface McpAuthorization {
  /** Addresses (issuers) of the authorization servers. */
  readonly servers: readonly string[];
  /** Scopes that a client should ask for. Default: none. */
  readonly scopes?: readonly string[];
  /** Anonymous callers are refused. Default false: they may call what is public. */
  readonly required?: boolean;
}

/** The routes of an engine as tools of the Model Context Protocol, over HTTP. */
export interface McpOptions {
  /** Path of the endpoint below the API. Default `/mcp`. */
  readonly path?: string;
  /** Default `find`. */
  readonly tools?: ToolChoice;
  /** Name of the server. Default: `routes`. */
  readonly name?: string;
  /** Version of the interface. Default `1`. */
  readonly version?: string;
  /** What a model should know about the server before it uses it. Default: nothing. */
  readonly instructions?: string;
  /** Origins whose pages may call the endpoint, beside `trustedOrigins`. Default: none, except pages of this server on a loopback address. */
  readonly origins?: readonly string[];
  /** Default: none. */
  readonly resources?: McpResources;
  /** Texts with which people begin a conversation. Default: none. */
  readonly prompts?: readonly McpPrompt[];
  /** Default: none. */
  readonly authorization?: McpAuthorization;
}

/** Default of the path. */
export const MCP_PATH = '/mcp';

const TEXTS = listOf(TEXT);
const ADDRESSES: OptionRule = {
  wanted: 'a list of one or more addresses, such as ["https://login.example.org"]',
  fits: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'string' && /^https?:\/\//.test(each) && URL.canParse(each)),
};
const RULES = objectOf({
  path: inForm(
    /^\/[\w.~-]+(?:\/[\w.~-]+)*$/,
    'a path below the API such as "/mcp", without a trailing slash',
  ),
  tools: {
    wanted: `'find', 'all', or a list of names with *, such as ['notes.*']`,
    fits: (value) =>
      value === 'find' || value === 'all' || (TEXTS.fits(value) && (value as unknown[]).length > 0),
  },
  name: TEXT,
  version: TEXT,
  instructions: TEXT,
  origins: ORIGINS,
  resources: withFunctions('list', 'read'),
  prompts: listOf(withFunctions('messages')),
  authorization: objectOf({ servers: { ...ADDRESSES, needed: true }, scopes: TEXTS, required: FLAG }),
});

/** @throws TypeError for an option that is not known or cannot be used */
export function checkMcpOptions(options: unknown): void {
  checkDocument('mcp of createEngine', options, RULES);
}

/** Path of the document that names the authorization servers. */
export const metadataPath = (path: string): string => `${path}/oauth-protected-resource`;

/** The document that names the authorization servers (RFC 9728, 2). */
function createMetadataRoute(path: string, { servers, scopes }: McpAuthorization): RootRoute {
  const id = 'root.mcp.metadata';
  const endpoint: EndpointDescriptor = { methods: ['GET'], handler: id, permission: 'public', args: {} };
  return {
    route: { pattern: metadataPath(path), hidden: true, endpoints: [endpoint] },
    id,
    handler: (_args: unknown, { site }: Call) => ({
      resource: site.url(path),
      authorization_servers: servers,
      ...(scopes === undefined ? {} : { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
    }),
  };
}

/** The value of `WWW-Authenticate` (RFC 9728, 5.1). */
function toChallenge({ scopes }: McpAuthorization, metadata: string): string {
  return `Bearer resource_metadata="${metadata}"${scopes === undefined ? '' : `, scope="${scopes.join(' ')}"`}`;
}

/** The routes of the endpoint; none by default. */
export function createMcpRoutes(
  options: McpOptions | undefined,
  trustedOrigins: readonly string[] = [],
): readonly RootRoute[] {
  if (options === undefined) return [];
  const {
    path = MCP_PATH,
    tools = 'find',
    name = 'routes',
    version = '1',
    instructions,
    origins = [],
    resources,
    prompts = [],
    authorization,
  } = options;
  const handler = createMcpHandler(
    { name, version, instructions, tools, resources, prompts },
    {
      origins: new Set([...origins, ...trustedOrigins]),
      needsLogin: authorization?.required === true,
      challenges: authorization !== undefined,
    },
  );
  const refuse = 'root.mcp.refuse';
  const message: RootRoute = {
    id: 'root.mcp',
    handler,
    // The protocol has no other method since 2026-07-28. Clients of former revisions must get 405 for their stream of events.
    permissions: { [refuse]: () => engineError('rest_wrong_method', { headers: { Allow: 'POST' } }) },
    route: {
      pattern: path,
      hidden: true,
      endpoints: [
        {
          methods: ['POST'],
          handler: 'root.mcp',
          permission: 'public',
          accepts: { 'application/json': 'stream' },
          streams: 'sse',
          args: {},
        },
        { methods: ['GET', 'DELETE'], handler: 'root.mcp', permission: refuse, args: {} },
      ],
    },
  };
  return [message, ...(authorization === undefined ? [] : [createMetadataRoute(path, authorization)])];
}

/** A response with status 401 tells where clients get a token. Others stay as they are. */
export function withChallenge(
  wire: WireResponse,
  authorization: McpAuthorization | undefined,
  metadata: string,
): WireResponse {
  if (wire.status !== 401 || authorization === undefined) return wire;
  return {
    ...wire,
    headers: { ...wire.headers, 'WWW-Authenticate': toChallenge(authorization, metadata) },
  };
}
