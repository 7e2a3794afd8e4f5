import { engineError } from '../core/errors.ts';
import { remember } from '../core/memo.ts';
import { SECURITY_SCHEMES } from '../describe/openapi-components.ts';
import type { SecuritySchemes, View } from '../describe/openapi-schema.ts';
import { describeOpenApi } from '../describe/openapi.ts';
import { encode, type Encoded, toEncodedResponse } from '../http/encoded.ts';
import type { HostTools } from '../http/host.ts';
import type { Call, Handler, SiteView } from '../route/call.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import { createReferenceRoutes, type HiddenRoute, toPath } from './reference-routes.ts';
import type { RootRoute } from './root-routes.ts';
import type { DescribeSite } from './site-facts.ts';

/** The OpenAPI document of an engine, and the page that shows it. */
export interface OpenApiOptions {
  /** Title of the document. Default: the name that `describeSite` returns, else `API`. */
  readonly title?: string;
  /** Version of the interface. Default `1`. */
  readonly version?: string;
  /** Who may read both: `public`, or a capability. Default `public`. */
  readonly permission?: string;
  /** Path of the document. Default `/openapi.json`. */
  readonly document?: string;
  /** Path of the page. Default `/reference`. false: there is no page. */
  readonly page?: string | false;
}

/** The options of an engine that decide about its OpenAPI document. */
export interface DocumentOptions {
  /** Serves the OpenAPI document and a page that shows it. Default false. */
  readonly openapi?: boolean | OpenApiOptions;
  /** Ways to log in that the OpenAPI document shows: `{ session: { type: 'apiKey', in: 'cookie', name: 'sid' } }`. Default: HTTP Basic. */
  readonly securitySchemes?: SecuritySchemes;
  /** Facts about the site, for the title of the document. */
  readonly describeSite?: DescribeSite;
}

/** Defaults of the paths. */
export const OPENAPI_PATHS = { document: '/openapi.json', page: '/reference' } as const;

const JSON_TYPE = 'application/json; charset=UTF-8';
const ARGS = { namespace: { type: 'string' } } as const;

interface Asked {
  /** Wire name. */
  readonly namespace?: string;
}

/** The input of the document. `namespace`: only its routes. An engine whose endpoints are all public has no logins. */
export function toView(
  site: SiteView,
  { securitySchemes = SECURITY_SCHEMES }: DocumentOptions,
  namespace?: string,
): View {
  const routes =
    namespace === undefined ? site.routes : site.routes.filter((route) => route.namespace === namespace);
  const hasLogins = site.routes.some(({ descriptor }) =>
    descriptor.endpoints.some(({ permission }) => permission !== 'public'),
  );
  return {
    names: site.names,
    routes,
    translate: (text) => site.translate(text),
    securitySchemes: hasLogins ? securitySchemes : {},
  };
}

/** @throws RestError `rest_invalid_namespace` */
function checkNamespace({ namespace }: Asked, { site }: Call): void {
  if (namespace !== undefined && (namespace === '' || !site.namespaces.includes(namespace)))
    throw engineError('rest_invalid_namespace');
}

async function readTitle(
  { title }: OpenApiOptions,
  { describeSite }: DocumentOptions,
  call: Call,
): Promise<string> {
  if (title !== undefined || describeSite === undefined) return title ?? 'API';
  const { name }: { readonly name: unknown } = await describeSite(call);
  return typeof name === 'string' && name !== '' ? name : 'API';
}

/** The document is made once for each table of routes, language and title. */
function createDocumentHandler(openapi: OpenApiOptions, options: DocumentOptions): Handler {
  const { version = '1' } = openapi;
  // Routes of one table -> documents. A table and its documents are collected together.
  const tables = new WeakMap<
    object,
    { readonly title: string; readonly documents: Map<string, Promise<Encoded>> }
  >();
  return async (asked: Asked, call: Call) => {
    const { site, request } = call;
    checkNamespace(asked, call);
    const title = await readTitle(openapi, options, call);
    const known = tables.get(site.routes);
    const { documents } = known?.title === title ? known : { documents: new Map<string, Promise<Encoded>>() };
    tables.set(site.routes, { title, documents });
    const serverUrl = toPath(site.wireUrl(''));
    const write = (): Promise<Encoded> =>
      encode(
        JSON_TYPE,
        JSON.stringify(
          describeOpenApi(toView(site, options, asked.namespace), { info: { title, version }, serverUrl }),
        ),
      );
    const document = await remember(
      documents,
      JSON.stringify([request.language, serverUrl, asked.namespace]),
      write,
    );
    return toEncodedResponse(document, request);
  };
}

/** Index and document do not show these routes: they are about the interface, not of it. */
function toRootRoute({ pattern, id, handler, args }: HiddenRoute, permission: string): RootRoute {
  const endpoint: EndpointDescriptor = { methods: ['GET'], handler: id, permission, args };
  return { route: { pattern, hidden: true, endpoints: [endpoint] }, id, handler };
}

function createRoutes(
  openapi: OpenApiOptions,
  options: DocumentOptions,
  readTools: () => HostTools | null,
): readonly RootRoute[] {
  const {
    document: path = OPENAPI_PATHS.document,
    page = OPENAPI_PATHS.page,
    permission = 'public',
  } = openapi;
  const describePage = async (asked: Asked, call: Call) => {
    checkNamespace(asked, call);
    const query = asked.namespace === undefined ? '' : `?namespace=${encodeURIComponent(asked.namespace)}`;
    return {
      title: await readTitle(openapi, options, call),
      document: `${toPath(call.site.url(path))}${query}`,
    };
  };
  const routes = [
    { pattern: path, id: 'root.openapi', handler: createDocumentHandler(openapi, options), args: ARGS },
    ...(page === false ? [] : createReferenceRoutes({ path: page, args: ARGS, describePage, readTools })),
  ];
  return routes.map((route) => toRootRoute(route, permission));
}

/** The routes of the document and the page. `attach` gives them what only an adapter can reach. */
interface OpenApiRoutes {
  readonly routes: readonly RootRoute[];
  readonly attach: (tools: HostTools) => void;
}

/** Creates the routes that an engine has with these options; none by default. */
export function createOpenApiRoutes(options: DocumentOptions): OpenApiRoutes {
  const { openapi = false } = options;
  let attached: HostTools | null = null;
  return {
    routes: openapi === false ? [] : createRoutes(openapi === true ? {} : openapi, options, () => attached),
    attach: (tools) => {
      attached = tools;
    },
  };
}
