import type { Handlers } from './args.ts';
import { checkMembers } from '../core/check-options.ts';
import type { Call, Handler, Permission } from './call.ts';
import type { NamespaceDescriptor } from './descriptor.ts';
import type { Identity } from '../core/identity.ts';
import type { Invalid } from '../schema/invalid.ts';

/**
 * A rule for one value that a schema cannot express, because it depends on the caller or on other data.
 * `valid`: accepted without the schema. `null`: the schema decides. Otherwise: why the value is not valid.
 */
export type ValueCheck = (value: unknown, identity: Identity) => Invalid | 'valid' | null;

/** A namespace that can be registered: its descriptor, and the functions that the descriptor names. */
export interface Namespace {
  readonly descriptor: NamespaceDescriptor;
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly checks: Readonly<Record<string, ValueCheck>>;
  /** Loads the target of an embeddable link. The key is the relation of the link. */
  readonly embeds: Readonly<Record<string, Embed>>;
}

/** @returns the representation for `_embedded`, or null if the caller may not see it. `href`: as shown in `_links`. */
export type Embed = (href: string, call: Call) => Promise<unknown>;

/** The functions that a descriptor may name in addition to its handlers. */
export interface NamespaceParts {
  readonly permissions?: Readonly<Record<string, Permission>>;
  readonly checks?: Readonly<Record<string, ValueCheck>>;
  readonly embeds?: Readonly<Record<string, Embed>>;
}

const PARTS: readonly (keyof NamespaceParts)[] = ['permissions', 'checks', 'embeds'];

/**
 * Binds handlers to a descriptor. A missing handler, an extra handler or a wrong argument type does not compile.
 * The descriptor must be written `as const`.
 */
export function defineNamespace<const D extends NamespaceDescriptor>(
  descriptor: D,
  handlers: Handlers<D>,
  parts: NamespaceParts = {},
): Namespace {
  return toNamespace(descriptor, handlers as Readonly<Record<string, Handler>>, parts);
}

/** The same for a descriptor that is known only at run time, such as the content of a .json file. Mistakes are reported when it is registered. */
export function toNamespace(descriptor: NamespaceDescriptor, handlers: Readonly<Record<string, Handler>>, parts: NamespaceParts = {}): Namespace {
  checkMembers('the third argument of defineNamespace', parts, PARTS);
  return { descriptor, handlers, permissions: parts.permissions ?? {}, checks: parts.checks ?? {}, embeds: parts.embeds ?? {} };
}
