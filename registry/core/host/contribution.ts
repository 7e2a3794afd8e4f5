import { own } from '../../../lib/core/objects.ts';
import type { Handlers } from '../../../lib/route/args.ts';
import type { Handler } from '../../../lib/route/call.ts';
import type {
  NamespaceDescriptor,
  ResourceDescriptor,
  RouteDescriptor,
} from '../../../lib/route/descriptor.ts';
import { type Namespace, type NamespaceParts, toNamespace } from '../../../lib/route/namespace.ts';

/** The name of the namespace that contributions are joined to. */
export const CMS = 'cms/v2';

/** Some routes of `cms/v2` with everything that they name. */
export interface CmsContribution extends Required<Omit<NamespaceParts, 'around'>> {
  readonly routes: readonly RouteDescriptor[];
  readonly resources: Readonly<Record<string, ResourceDescriptor>>;
  readonly handlers: Readonly<Record<string, Handler>>;
}

/**
 * Binds handlers to the routes of a contribution. A missing handler, an extra handler or a wrong argument type does not compile.
 * The descriptor must be written `as const`.
 */
export function defineContribution<const D extends NamespaceDescriptor>(
  descriptor: D,
  handlers: Handlers<D>,
  parts: Omit<NamespaceParts, 'around'> = {},
): CmsContribution {
  const { permissions = {}, checks = {}, embeds = {} } = parts;
  return {
    routes: descriptor.routes,
    resources: descriptor.resources ?? {},
    handlers: handlers as CmsContribution['handlers'],
    permissions,
    checks,
    embeds,
  };
}

/** What an endpoint does, and the id that its handler and its permission function have. */
export const handledBy = <const I extends string>(id: I, summary: string, description: string) =>
  ({ handler: id, permission: id, summary, description }) as const;

const TABLES = [
  'resources',
  'handlers',
  'permissions',
  'checks',
  'embeds',
] as const satisfies readonly (keyof CmsContribution)[];

/** A contribution with nothing but loaders of embedded records. */
export function toEmbedsContribution(embeds: CmsContribution['embeds']): CmsContribution {
  return { routes: [], resources: {}, handlers: {}, permissions: {}, checks: {}, embeds };
}

/** Joins tables of one kind. A contribution may bring a function that another one brings, too; two different ones of the same name are a mistake. */
function joinTable(
  kind: (typeof TABLES)[number],
  contributions: readonly CmsContribution[],
): Record<string, unknown> {
  const joined: Record<string, unknown> = {};
  for (const each of contributions) {
    for (const [name, value] of Object.entries(each[kind])) {
      if ((own(joined, name) ?? value) !== value)
        throw new TypeError(`${CMS}: two contributions have the entry "${name}" in ${kind}`);
      joined[name] = value;
    }
  }
  return joined;
}

/** One namespace of all contributions, with their routes in this order. @throws TypeError for two different entries of the same name */
export function joinContributions(contributions: readonly CmsContribution[]): Namespace {
  const { resources, handlers, ...functions } = Object.fromEntries(
    TABLES.map((kind) => [kind, joinTable(kind, contributions)]),
  ) as unknown as Omit<CmsContribution, 'routes'>;
  return toNamespace(
    { namespace: CMS, routes: contributions.flatMap(({ routes }) => routes), resources },
    handlers,
    functions,
  );
}
