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

/** A field of a resource that a context shows. `members`: those of an object that it shows; null: the value is shown as it is. */
interface ShownField {
  readonly name: string;
  readonly members: readonly string[] | null;
  readonly properties: ArgSchemas;
}

/** Resource -> context -> its fields. Resources are tables that never change. */
const shownFields = new WeakMap<ArgSchemas, Map<string, readonly ShownField[]>>();

function listShown(properties: ArgSchemas, context: string): readonly ShownField[] {
  const byContext = shownFields.get(properties) ?? new Map<string, readonly ShownField[]>();
  shownFields.set(properties, byContext);
  const known = byContext.get(context);
  if (known !== undefined) return known;
  const namesOf = (schemas: ArgSchemas): readonly string[] => Object.keys(schemas).filter((name) => isShown(schemas[name] ?? {}, context));
  const fields = namesOf(properties).map((name): ShownField => {
    const inner = properties[name]?.properties;
    return { name, members: inner === undefined ? null : namesOf(inner), properties: inner ?? {} };
  });
  byContext.set(context, fields);
  return fields;
}

/** Keeps the members of an object that the context shows, and those that the resource does not know. */
function selectMembers({ members, properties }: ShownField, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name of members ?? []) if (name in value) out[name] = value[name];
  for (const name in value) if (!(name in properties)) out[name] = value[name];
  return out;
}

/**
 * Shows a record in a context: fields and their members in the order of the resource, each only where its `context`
 * names this one, under their wire names. `undefined` leaves a field out.
 */
export function renderRecord<T>(properties: ArgSchemas, renderers: Renderers<T>, { source, context, names }: { source: T; context: string; names: Names }): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of listShown(properties, context)) {
    const value = renderers[field.name]?.(source);
    if (value === undefined) continue;
    out[renameParam(names, field.name)] = field.members !== null && isObject(value) ? selectMembers(field, value) : value;
  }
  return out;
}
