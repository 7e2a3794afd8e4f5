import { own } from '../../../lib/core/objects.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';

/** The contexts that show a field, in the order in which WordPress lists those of most resources. */
export const EVERYWHERE = ['view', 'edit', 'embed'] as const;
export const VIEW_EDIT = ['view', 'edit'] as const;
export const EDIT = ['edit'] as const;

/** What the schemas of fields have that clients cannot write. */
export const READONLY = { context: EVERYWHERE, readonly: true } as const;
export const READONLY_VIEW_EDIT = { context: VIEW_EDIT, readonly: true } as const;
export const READONLY_EDIT = { context: EDIT, readonly: true } as const;

type Contexts = readonly string[];

/** Fields by name. Contexts stand for the parameter of that name. */
type FieldTable = Readonly<Record<string, ArgSchema | Contexts>>;

/** The schemas of a table of fields. */
type FieldsOf<A, T> = {
  readonly [K in keyof T]: T[K] extends Contexts
    ? A[K & keyof A] & { readonly context: T[K] }
    : T[K] & ArgSchema;
};

/** The fields of a resource. Contexts in place of a schema show the parameter of the same name in these contexts. */
export function toFields<const A extends ArgSchemas, const T extends FieldTable>(
  args: A,
  table: T,
): FieldsOf<A, T> {
  return Object.fromEntries(
    Object.entries(table).map(([name, field]) => [
      name,
      Array.isArray(field) ? { ...own(args, name), context: field } : field,
    ]),
  ) as FieldsOf<A, T>;
}
