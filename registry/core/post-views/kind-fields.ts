import { own, perObject } from '../../../lib/core/objects.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import { has, perKind, type PostKind } from '../records/kind.ts';
import { listMetaOrders, toMetaFilterArg } from '../records/meta-index.ts';
import { toNullable } from '../records/meta-values.ts';
import { toTermField, toTermFilters } from '../schemas/post-args.ts';

type Condition = (kind: PostKind) => boolean;

const isHierarchical: Condition = ({ type }) => type.hierarchical;
/** Types with a fixed order have a position. */
const isOrdered: Condition = (kind) => has(kind, 'page-attributes');

/** What a type must have so that its records have the field, or its lists the filter. Names that are not listed belong to every type. */
const NEEDS: Readonly<Record<string, Condition>> = {
  title: (kind) => has(kind, 'title'),
  content: (kind) => has(kind, 'editor'),
  excerpt: (kind) => has(kind, 'excerpt'),
  author: (kind) => has(kind, 'author'),
  author_exclude: (kind) => has(kind, 'author'),
  featured_media: (kind) => has(kind, 'thumbnail'),
  comment_status: (kind) => has(kind, 'comments'),
  ping_status: (kind) => has(kind, 'comments'),
  format: (kind) => has(kind, 'post-formats'),
  sticky: (kind) => has(kind, 'sticky'),
  ignore_sticky: (kind) => has(kind, 'sticky'),
  parent: isHierarchical,
  parent_exclude: isHierarchical,
  menu_order: isOrdered,
  meta: hasMeta,
  tax_relation: ({ taxonomies }) => taxonomies.length > 0,
  excerpt_length: (kind) => has(kind, 'excerpt'),
  generated_slug: (kind) => has(kind, 'title'),
};

/** A type has `meta` if it supports custom fields, or if the site registers keys for it. */
function hasMeta(kind: PostKind): boolean {
  return has(kind, 'custom-fields') || kind.meta.some(({ name }) => name !== null);
}

/** Members of `meta`, as requests and responses show them. */
const toMetaProperties = perKind(({ meta }): ArgSchemas =>
  Object.fromEntries(meta.flatMap((key) => (key.name === null ? [] : [[key.name, toNullable(key)]]))),
);

const withoutPosition = perObject((schema: ArgSchema): ArgSchema => ({
  ...schema,
  enum: schema.enum?.filter((word) => word !== 'menu_order') ?? [],
}));

/** The words of `orderby`: the position, if the type has one, and its indexed meta. Revisions have no index of their meta. */
function toOrderWords(schema: ArgSchema, kind: PostKind, isPast: boolean): ArgSchema {
  const words = isPast ? [] : listMetaOrders(kind).map(([word]) => word);
  if (schema.enum === undefined) return schema;
  const usual = isOrdered(kind) ? schema : withoutPosition(schema);
  return words.length === 0 ? usual : { ...usual, enum: [...(usual.enum ?? []), ...words] };
}

/** `meta` of a type by the schema of `meta` that it adapts: several endpoints share one. */
const toMetaSchemas = perKind((kind) =>
  perObject((schema: ArgSchema): ArgSchema => ({ ...schema, properties: toMetaProperties(kind) })),
);

/** Schemas in which a type differs from the one with everything. */
const ADAPTED: Readonly<Record<string, (schema: ArgSchema, kind: PostKind, isPast: boolean) => ArgSchema>> = {
  meta: (schema, kind) => toMetaSchemas(kind)(schema),
  orderby: toOrderWords,
};

/** A schema of the table of all types, with what a type must have for it and how it differs. */
interface Part {
  readonly name: string;
  readonly schema: ArgSchema;
  readonly needs: Condition | undefined;
  readonly adapt: (typeof ADAPTED)[string] | undefined;
}

const toParts = perObject((schemas: ArgSchemas): readonly Part[] =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    schema,
    needs: own(NEEDS, name),
    adapt: own(ADAPTED, name),
  })),
);

/** Schemas of a type's taxonomies, and the name after which they stand. */
export interface AddedTerms {
  readonly after: string;
  readonly schemas: ArgSchemas;
}

/** The list filters of the type's taxonomies and indexed meta. */
export function toKindFilters(kind: PostKind): AddedTerms {
  const meta = toMetaFilterArg(kind);
  return {
    after: 'tax_relation',
    schemas: Object.assign(
      {},
      ...kind.taxonomies.map(toTermFilters),
      meta === null ? {} : { meta },
    ) as ArgSchemas,
  };
}

/** The fields of a record for its terms, to be written. */
export function toKindTerms({ taxonomies }: PostKind): AddedTerms {
  return {
    after: 'template',
    schemas: Object.fromEntries(taxonomies.map((taxonomy) => [taxonomy.base, toTermField(taxonomy)])),
  };
}

/** Which schemas are selected. `isPast`: in revisions and autosaves, where `parent` is the post itself. */
interface Selected {
  readonly added?: AddedTerms;
  readonly isPast?: boolean;
}

/** Selects the schemas of a type, in order, and adds those of its taxonomies. @throws TypeError for a taxonomy whose base is already the name of a schema */
export function toKindSchemas(
  schemas: ArgSchemas,
  kind: PostKind,
  { added, isPast = false }: Selected = {},
): ArgSchemas {
  const terms = Object.entries(added?.schemas ?? {});
  const taken = terms.map(([base]) => base).find((base) => Object.hasOwn(schemas, base));
  if (taken !== undefined)
    throw new TypeError(
      `the taxonomy with the base "${taken}": records of type "${kind.type.name}" have another field or parameter of this name; choose another base`,
    );
  const selected: [string, ArgSchema][] = [];
  for (const { name, schema, needs, adapt } of toParts(schemas)) {
    if (needs?.(kind) !== false || (isPast && name === 'parent'))
      selected.push([name, adapt?.(schema, kind, isPast) ?? schema]);
    if (name === added?.after) selected.push(...terms);
  }
  return Object.fromEntries(selected);
}
