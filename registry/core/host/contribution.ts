import { own } from '../../../lib/core/objects.ts';
import type { Handlers } from '../../../lib/route/args.ts';
import type { Handler } from '../../../lib/route/call.ts';
import type {
  NamespaceDescriptor,
  ResourceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import { toNamespace, type Namespace, type NamespaceParts } from '../../../lib/route/namespace.ts';

/** The name of the namespace that parts are joined to. */
export const CMS = 'cms/v2';

/** Some routes of `cms/v2` with everything that they name. */
export interface CmsPart extends Required<Omit<NamespaceParts, 'around'>> {
  readonly routes: readonly RouteDescriptor[];
  readonly resources: Readonly<Record<string, ResourceDescriptor>>;
  readonly handlers: Readonly<Record<string, Handler>>;
}

/**
 * Binds handlers to the routes of a part. A missing handler, an extra handler or a wrong argument type does not compile.
 * The descriptor must be written `as const`.
 */
export function definePart<const D extends NamespaceDescriptor>(
  descriptor: D,
  handlers: Handlers<D>,
  parts: Omit<NamespaceParts, 'around'> = {},
): CmsPart {
  const { permissions = {}, checks = {}, embeds = {} } = parts;
  return {
    routes: descriptor.routes,
    resources: descriptor.resources ?? {},
    handlers: handlers as CmsPart['handlers'],
    permissions,
    checks,
    embeds,
  };
}

const TABLES = [
  'resources',
  'handlers',
  'permissions',
  'checks',
  'embeds',
] as const satisfies readonly (keyof CmsPart)[];

/** A part with nothing but loaders of embedded records. */
export function toEmbedsPart(embeds: CmsPart['embeds']): CmsPart {
  return { routes: [], resources: {}, handlers: {}, permissions: {}, checks: {}, embeds };
}

/** Joins tables of one kind. A part may bring a function that another part brings, too; two different ones of the same name are a mistake. */
function joinTable(kind: (typeof TABLES)[number], parts: readonly CmsPart[]): Record<string, unknown> {
  const joined: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part[kind])) {
      if ((own(joined, name) ?? value) !== value)
        throw new TypeError(`${CMS}: two parts have the entry "${name}" in ${kind}`);
      joined[name] = value;
    }
  }
  return joined;
}

/** One namespace of all parts, with their routes in the order of the parts. @throws TypeError for two different entries of the same name */
export function joinParts(parts: readonly CmsPart[]): Namespace {
  const { resources, handlers, ...functions } = Object.fromEntries(
    TABLES.map((kind) => [kind, joinTable(kind, parts)]),
  ) as unknown as Omit<CmsPart, 'routes'>;
  return toNamespace(
    { namespace: CMS, routes: parts.flatMap(({ routes }) => routes), resources },
    handlers,
    functions,
  );
}
