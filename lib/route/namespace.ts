import { checkMembers, checkOption, OBJECT, type OptionRule } from '../core/check-options.ts';
import type { Identity } from '../core/identity.ts';
import type { Invalid } from '../schema/invalid.ts';
import type { Handlers, Permissions } from './args.ts';
import type { Around, Call, Handler, Permission } from './call.ts';
import type { NamespaceDescriptor, RouteDescriptor } from './descriptor.ts';

/**
 * A rule for one value that a schema cannot express, because it depends on the caller or on other data.
 * `valid`: accepted without the schema. `null`: the schema decides. Otherwise: why the value is not valid.
 */
export type ValueCheck = (value: unknown, identity: Identity) => Invalid | 'valid' | null;

/** A namespace that can be registered: its descriptor, and the functions that the descriptor names. `H`: type of `call.host`. */
export interface Namespace<H = unknown> {
  /** Its routes as data. */
  readonly descriptor: NamespaceDescriptor;
  /** Handlers by id. */
  readonly handlers: Readonly<Record<string, Handler<never, H>>>;
  /** Permissions by id, beside the capabilities of the engine. */
  readonly permissions: Readonly<Record<string, Permission<H>>>;
  /** Named checks of values. */
  readonly checks: Readonly<Record<string, ValueCheck>>;
  /** Loads the target of an embeddable link. The key is the relation of the link. */
  readonly embeds: Readonly<Record<string, Embed<H>>>;
  /** Runs around every call of the namespace. */
  readonly around?: Around<H>;
}

/** @returns the representation for `_embedded`, or null if the caller may not see it. `href`: as shown in `_links`. */
export type Embed<H = unknown> = (href: string, call: Call<H>) => Promise<unknown>;

/** `NamespaceParts` with the types of the args that its permission functions get. */
export type TypedParts<D extends NamespaceDescriptor, H = unknown> = Omit<
  NamespaceParts<H>,
  'permissions'
> & { readonly permissions?: Permissions<D, H> };

/** The functions that a descriptor may name in addition to its handlers, and the one that runs around its calls. */
export type NamespaceParts<H = unknown> = Partial<
  Pick<Namespace<H>, 'permissions' | 'checks' | 'embeds' | 'around'>
>;

const PARTS: readonly (keyof NamespaceParts)[] = ['permissions', 'checks', 'embeds', 'around'];
const DESCRIPTOR: OptionRule = { ...OBJECT, wanted: 'a descriptor, { namespace, routes }' };
const HANDLERS: OptionRule = {
  ...OBJECT,
  wanted: "an object of functions by handler id, such as { 'notes.list': () => [] }",
};
const FUNCTIONS: OptionRule = { ...OBJECT, wanted: 'an object of functions' };

function checkParts(parts: Readonly<Record<string, unknown>>): void {
  checkOption(['the third argument', 'defineNamespace'], parts, OBJECT);
  checkMembers('the third argument of defineNamespace', parts, PARTS);
  for (const name of ['permissions', 'checks', 'embeds'] as const)
    if (name in parts) checkOption([name, 'the third argument of defineNamespace'], parts[name], FUNCTIONS);
}

/**
 * Binds handlers to a descriptor. A missing handler, an extra handler or a wrong argument type does not compile.
 * The descriptor must be written `as const`. With a context of the host: `defineNamespace<typeof DESCRIPTOR, Tenant>(DESCRIPTOR, …)`.
 */
export function defineNamespace<const D extends NamespaceDescriptor, H = unknown>(
  descriptor: D,
  handlers: Handlers<D, H>,
  parts: TypedParts<D, H> = {},
): Namespace<H> {
  return toNamespace(
    descriptor,
    handlers as Readonly<Record<string, Handler<never, H>>>,
    parts as NamespaceParts<H>,
  );
}

/** The same for a descriptor that is known only at run time, such as the content of a .json file. Mistakes are reported when it is registered. */
export function toNamespace<H = unknown>(
  descriptor: NamespaceDescriptor,
  handlers: Readonly<Record<string, Handler<never, H>>>,
  parts: NamespaceParts<H> = {},
): Namespace<H> {
  checkOption(['the first argument', 'defineNamespace'], descriptor, DESCRIPTOR);
  checkOption(
    ['the second argument', `defineNamespace, for ${JSON.stringify(descriptor.namespace)},`],
    handlers,
    HANDLERS,
  );
  checkParts(parts as Readonly<Record<string, unknown>>);
  return { permissions: {}, checks: {}, embeds: {}, ...parts, descriptor, handlers };
}

/** The ids of the functions that the endpoints of routes name, each once. */
export function listNamed(
  routes: readonly RouteDescriptor[],
): Readonly<Record<'handlers' | 'permissions' | 'checks', readonly string[]>> {
  const endpoints = routes.flatMap((route) => route.endpoints);
  return {
    handlers: [...new Set(endpoints.map(({ handler }) => handler))],
    permissions: [...new Set(endpoints.map(({ permission }) => permission))],
    checks: [...new Set(endpoints.flatMap(({ checks = {} }) => Object.values(checks)))],
  };
}

/** Routes below a namespace that another part of the program has registered. */
export type ExtensionDescriptor = Pick<NamespaceDescriptor, 'routes' | 'resources'>;

/** One function per handler id of the extension. */
export type ExtensionHandlers<D extends ExtensionDescriptor, H = unknown> = Handlers<
  D & { readonly namespace: string },
  H
>;

/** @throws TypeError for a member that only the namespace itself can have */
export function toExtension<H = unknown>(
  namespace: string,
  descriptor: ExtensionDescriptor,
  { handlers, parts }: { handlers: Readonly<Record<string, unknown>>; parts: NamespaceParts<H> | undefined },
): Namespace<H> {
  checkOption(['the first argument', 'extend'], namespace, {
    wanted: 'the name of a registered namespace',
    fits: (value) => typeof value === 'string',
  });
  checkOption(['the second argument', `extend, for ${JSON.stringify(namespace)},`], descriptor, {
    ...OBJECT,
    wanted: 'a descriptor, { routes }',
  });
  checkMembers(`the descriptor that extends ${namespace}`, descriptor, ['routes', 'resources']);
  return toNamespace(
    { namespace, ...descriptor },
    handlers as Readonly<Record<string, Handler<never, H>>>,
    parts,
  );
}

/** A function that runs around calls. `what`: the name of it in messages. */
export interface NamedAround {
  readonly what: string;
  readonly around: Around;
}

/** The functions that run around the calls of a namespace, the innermost first. null: none. */
export function listArounds(
  { around, descriptor: { namespace } }: Namespace,
  outer: Around | undefined,
): readonly NamedAround[] | null {
  const arounds: NamedAround[] = [];
  if (around !== undefined) arounds.push({ what: `around of the namespace ${namespace}`, around });
  if (outer !== undefined) arounds.push({ what: 'around of the engine', around: outer });
  return arounds.length === 0 ? null : arounds;
}
