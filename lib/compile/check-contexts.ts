import type { NamespaceDescriptor } from '../route/descriptor.ts';
import { listChildren } from '../schema/check-schema.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';

/** Every resource has these contexts. */
const CONTEXTS = ['view', 'edit', 'embed'] as const;

/** Contexts in which fields can be shown: those of every resource, and those that the `context` parameter of an endpoint accepts. */
export function contextsOf({ routes }: NamespaceDescriptor): ReadonlySet<unknown> {
  const asked = routes
    .flatMap((route) => route.endpoints)
    .flatMap(({ args, body }) => [args['context'], body?.['context']]);
  return new Set<unknown>([
    ...CONTEXTS,
    ...asked.flatMap((schema) => (Array.isArray(schema?.enum) ? (schema.enum as readonly unknown[]) : [])),
  ]);
}

/** @throws TypeError for a field with a context that no request can ask for. */
export function checkContexts(where: string, schema: ArgSchema, known: ReadonlySet<unknown>): void {
  const unknown = schema.context?.find((context) => !known.has(context));
  if (unknown !== undefined)
    throw new TypeError(`${where}: unknown context "${unknown}"; the contexts are ${[...known].join(', ')}`);
  for (const [name, child] of listChildren(schema)) checkContexts(`${where}.${name}`, child, known);
}
