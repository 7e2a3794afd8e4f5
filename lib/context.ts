import { isObject } from './coerce.ts';
import { renameParam, type Names } from './names.ts';
import type { ArgSchema, ArgSchemas } from './schema-dialect.ts';

/** Makes one field of a representation; not called where the context does not show the field. */
export type Renderer<T> = (source: T) => unknown;

/** One function per field of a resource. */
export type Renderers<T> = Readonly<Record<string, Renderer<T>>>;

function isShown(schema: ArgSchema, context: string): boolean {
  return schema.context === undefined || schema.context.includes(context);
}

/** Keeps the members of an object that the context shows. */
function selectMembers(properties: ArgSchemas, value: Readonly<Record<string, unknown>>, context: string): Record<string, unknown> {
  const shown = Object.entries(properties).filter(([name, schema]) => name in value && isShown(schema, context));
  const rest = Object.entries(value).filter(([name]) => !(name in properties));
  return Object.fromEntries([...shown.map(([name]) => [name, value[name]]), ...rest]);
}

/**
 * Shows a record in a context: fields and their members in the order of the resource, each only where its `context`
 * names this one, under their wire names. `undefined` leaves a field out.
 */
export function renderRecord<T>(properties: ArgSchemas, renderers: Renderers<T>, { source, context, names }: { source: T; context: string; names: Names }): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (!isShown(schema, context)) continue;
    const value = renderers[name]?.(source);
    if (value === undefined) continue;
    out[renameParam(names, name)] = schema.properties !== undefined && isObject(value) ? selectMembers(schema.properties, value, context) : value;
  }
  return out;
}
