import type { Handlers } from './args.ts';
import { checkMembers } from '../core/check-options.ts';
import type { Call, Handler, Permission } from './call.ts';
import type { NamespaceDescriptor } from './descriptor.ts';
import type { Identity } from '../core/identity.ts';
import type { Invalid } from '../schema/invalid.ts';

/**
 * A rule for one value that the schema can not say, because it depends on the caller or on other data.
 * `valid`: accepted without asking the schema; `null`: the schema decides; else what is wrong with it.
 */
export type ValueCheck = (value: unknown, identity: Identity) => Invalid | 'valid' | null;

/** A namespace ready to be registered: its data, and the functions that the data names. */
export interface Namespace {
  readonly descriptor: NamespaceDescriptor;
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly checks: Readonly<Record<string, ValueCheck>>;
  /** Loads what an embeddable link points to; key: the link's relation. */
  readonly embeds: Readonly<Record<string, Embed>>;
}

/** @returns the representation that stands in `_embedded`, or null when the caller may not see it. `href`: as shown in `_links`. */
export type Embed = (href: string, call: Call) => Promise<unknown>;

/** The functions that a descriptor may name beside its handlers. */
export interface NamespaceParts {
  readonly permissions?: Readonly<Record<string, Permission>>;
  readonly checks?: Readonly<Record<string, ValueCheck>>;
  readonly embeds?: Readonly<Record<string, Embed>>;
}

const PARTS: readonly (keyof NamespaceParts)[] = ['permissions', 'checks', 'embeds'];

/**
 * Binds handlers to a descriptor. A missing handler, one too many, or one with other argument types does not compile.
 * The descriptor must be written `as const`.
 */
export function defineNamespace<const D extends NamespaceDescriptor>(
  descriptor: D,
  handlers: Handlers<D>,
  parts: NamespaceParts = {},
): Namespace {
  return toNamespace(descriptor, handlers as Readonly<Record<string, Handler>>, parts);
}

/** The same for a descriptor that is only known at run time, such as the content of a .json file: what does not fit is refused when it is registered. */
export function toNamespace(descriptor: NamespaceDescriptor, handlers: Readonly<Record<string, Handler>>, parts: NamespaceParts = {}): Namespace {
  checkMembers('the third argument of defineNamespace', parts, PARTS);
  return { descriptor, handlers, permissions: parts.permissions ?? {}, checks: parts.checks ?? {}, embeds: parts.embeds ?? {} };
}
