import { renameParam, renameRelation } from '../core/names.ts';
import { isObject } from '../core/objects.ts';
import type { Links } from '../http/response.ts';
import type { RouteView, SiteView } from '../route/call.ts';
import type { EndpointDescriptor, ResourceDescriptor } from '../route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import type { Document } from './openapi-schema.ts';

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#';

/** The same value with every `description` in the language of the request. */
function translateAll(site: SiteView, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => translateAll(site, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'description' && typeof member === 'string'
        ? site.translate(member)
        : translateAll(site, member),
    ]),
  );
}

function describeArg(site: SiteView, schema: ArgSchema): Document {
  return { ...(translateAll(site, schema) as Document), required: schema.required ?? false };
}

function describeArgs(site: SiteView, args: ArgSchemas): Document {
  return Object.fromEntries(
    Object.entries(args).map(([name, schema]) => [renameParam(site.names, name), describeArg(site, schema)]),
  );
}

function describeEndpoint(site: SiteView, endpoint: EndpointDescriptor, commonArgs: ArgSchemas): Document {
  return {
    methods: endpoint.methods,
    ...(endpoint.allow_batch === undefined ? {} : { allow_batch: endpoint.allow_batch }),
    args: describeArgs(site, { ...endpoint.args, ...commonArgs }),
  };
}

function describeSelf(site: SiteView, route: RouteView): { _links?: Links } {
  return route.groups.length > 0 ? {} : { _links: { self: [{ href: site.url(route.descriptor.pattern) }] } };
}

/** The methods of all endpoints, without duplicates, in order. */
function methodsOf(route: RouteView): readonly string[] {
  return [...new Set(route.descriptor.endpoints.flatMap((endpoint) => endpoint.methods))];
}

/** One entry of `routes` in the index. */
function describeRoute(site: SiteView, route: RouteView): Document {
  return {
    namespace: route.namespace,
    methods: methodsOf(route),
    endpoints: route.descriptor.endpoints.map((endpoint) =>
      describeEndpoint(site, endpoint, route.commonArgs),
    ),
    ...describeSelf(site, route),
  };
}

/** All given routes by pattern. */
export function describeRoutes(site: SiteView, routes: readonly RouteView[]): Document {
  return Object.fromEntries(routes.map((route) => [route.pattern, describeRoute(site, route)]));
}

function describeResource(site: SiteView, resource: ResourceDescriptor): Document {
  const links = Object.entries(resource.links ?? {}).map(([rel, link]) => ({
    rel: renameRelation(site.names, rel),
    href: site.url(link.href),
  }));
  const properties = Object.entries(resource.properties).map(([name, schema]) => [
    renameParam(site.names, name),
    translateAll(site, schema),
  ]);
  return {
    $schema: DRAFT_4,
    title: resource.title,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(links.length > 0 ? { links } : {}),
  };
}

/** The response to OPTIONS. */
export function describeOptions(site: SiteView, route: RouteView): Document {
  const { _links, ...entry } = describeRoute(site, route);
  return {
    ...entry,
    ...(route.resource === null ? {} : { schema: describeResource(site, route.resource) }),
    ...(_links === undefined ? {} : { _links }),
  };
}
