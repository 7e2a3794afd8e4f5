import { own } from '../../lib/core/objects.ts';
import type { ArgSchema, ArgSchemas } from '../../lib/schema/schema-dialect.ts';
import { toTermField, toTermFilters } from './args.ts';
import { has, type PostKind } from './kind.ts';
import { listMetaOrders, toMetaFilterArg } from './meta-index.ts';

type Condition = (kind: PostKind) => boolean;

const isHierarchical: Condition = ({ type }) => type.hierarchical;
/** Types with a fixed order have a position. */
const isOrdered: Condition = (kind) => has(kind, 'page-attributes');

/** What a type must have so that its records have the field, or its lists the filter. Names that are not listed belong to every type. */
const NEEDS: Readonly<Record<string, Condition>> = {
  title: (kind) => has(kind, 'title'), content: (kind) => has(kind, 'editor'), excerpt: (kind) => has(kind, 'excerpt'), author: (kind) => has(kind, 'author'),
  author_exclude: (kind) => has(kind, 'author'), featured_media: (kind) => has(kind, 'thumbnail'), comment_status: (kind) => has(kind, 'comments'),
  ping_status: (kind) => has(kind, 'comments'), format: (kind) => has(kind, 'post-formats'), sticky: (kind) => has(kind, 'sticky'), ignore_sticky: (kind) => has(kind, 'sticky'),
  parent: isHierarchical, parent_exclude: isHierarchical, menu_order: isOrdered, meta: hasMeta, tax_relation: ({ taxonomies }) => taxonomies.length > 0,
  excerpt_length: (kind) => has(kind, 'excerpt'), generated_slug: (kind) => has(kind, 'title'),
};

/** A type has `meta` if it supports custom fields, or if the site registers keys for it. */
export function hasMeta(kind: PostKind): boolean {
  return has(kind, 'custom-fields') || kind.meta.some(({ name }) => name !== null);
}

/** Whether the records or lists of a type have this name. */
export function hasField(kind: PostKind, name: string): boolean {
  return own(NEEDS, name)?.(kind) ?? true;
}

/** Members of `meta`, as requests and responses show them. */
function toMetaProperties({ meta }: PostKind): ArgSchemas {
  return Object.fromEntries(meta.flatMap(({ name, schema }) => (name === null ? [] : [[name, schema]])));
}

/** The words of `orderby`: the position, if the type has one, and its indexed meta. */
function toOrderWords(schema: ArgSchema, kind: PostKind): ArgSchema {
  const words = listMetaOrders(kind).map(([word]) => word);
  if (schema.enum === undefined || (isOrdered(kind) && words.length === 0)) return schema;
  return { ...schema, enum: [...schema.enum.filter((word) => word !== 'menu_order' || isOrdered(kind)), ...words] };
}

/** Schemas in which a type differs from the one with everything. */
const ADAPTED: Readonly<Record<string, (schema: ArgSchema, kind: PostKind) => ArgSchema>> = {
  meta: (schema, kind) => ({ ...schema, properties: toMetaProperties(kind) }),
  orderby: (schema, kind) => toOrderWords(schema, kind),
};

/** Schemas of a type's taxonomies, and the name after which they stand. */
export interface AddedTerms {
  readonly after: string;
  readonly schemas: ArgSchemas;
}

/** The list filters of the type's taxonomies and indexed meta. */
export function toKindFilters(kind: PostKind): AddedTerms {
  const meta = toMetaFilterArg(kind);
  return { after: 'tax_relation', schemas: Object.assign({}, ...kind.taxonomies.map(toTermFilters), meta === null ? {} : { meta }) as ArgSchemas };
}

/** The fields of a record for its terms, to be written. */
export function toKindTerms({ taxonomies }: PostKind): AddedTerms {
  return { after: 'template', schemas: Object.fromEntries(taxonomies.map((taxonomy) => [taxonomy.base, toTermField(taxonomy)])) };
}

/** Which schemas are selected. `isPast`: in revisions and autosaves, where `parent` is the post itself. */
interface Selected {
  readonly added?: AddedTerms;
  readonly isPast?: boolean;
}

/** Selects the schemas of a type, in order, and adds those of its taxonomies. @throws TypeError for a taxonomy whose base is already the name of a schema */
export function toKindSchemas(schemas: ArgSchemas, kind: PostKind, { added, isPast = false }: Selected = {}): ArgSchemas {
  const terms = Object.entries(added?.schemas ?? {});
  const taken = terms.map(([base]) => base).find((base) => Object.hasOwn(schemas, base));
  if (taken !== undefined) throw new TypeError(`the taxonomy with the base "${taken}": records of type "${kind.type.name}" have another field or parameter of this name; choose another base`);
  const selected: [string, ArgSchema][] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    if (hasField(kind, name) || (isPast && name === 'parent')) selected.push([name, own(ADAPTED, name)?.(schema, kind) ?? schema]);
    if (name === added?.after) selected.push(...terms);
  }
  return Object.fromEntries(selected);
}
