import type { Handlers } from './args.ts';
import type { Handler, Permission } from './call.ts';
import type { NamespaceDescriptor } from './descriptor.ts';

/** A namespace ready to be registered: its data, and the functions that the data names. */
export interface Namespace {
  readonly descriptor: NamespaceDescriptor;
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly permissions: Readonly<Record<string, Permission>>;
}

/**
 * Binds handlers to a descriptor. A missing handler, one too many, or one with other argument types does not compile.
 * The descriptor must be written `as const`.
 */
export function defineNamespace<const D extends NamespaceDescriptor>(
  descriptor: D,
  handlers: Handlers<D>,
  permissions: Readonly<Record<string, Permission>> = {},
): Namespace {
  return { descriptor, handlers: handlers as Readonly<Record<string, Handler>>, permissions };
}
