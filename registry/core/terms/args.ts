import type { ArgsOf } from '../../../lib/route/args.ts';
import type { ArgSchema, ArgSchemas } from '../../../lib/schema/schema-dialect.ts';
import type { Taxonomy } from '../model/taxonomy.ts';
import { contextArg, namedListArgs } from '../schemas/list-args.ts';
import type { translationArgs } from '../schemas/translation-args.ts';

/** Parameters of the routes of terms, in the order of the index. */

export const termIdArg = { description: 'ID of the term.', type: 'integer' } as const satisfies ArgSchema;

export const termForceArg = {
  description: 'Must be true: terms cannot be moved to the trash.',
  type: 'boolean',
  default: false,
} as const satisfies ArgSchema;

export const termReadArgs = { context: contextArg } as const satisfies ArgSchemas;

/** Query parameters of a list of terms. `offset` belongs to flat taxonomies, `parent` to hierarchical ones. */
const listArgs = {
  ...namedListArgs,
  orderby: {
    description: 'Attribute by which the terms are sorted.',
    type: 'string',
    default: 'name',
    enum: ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'],
  },
  hide_empty: {
    description: 'Whether to leave out terms that no published post has.',
    type: 'boolean',
    default: false,
  },
  parent: { description: 'Only terms directly below this one; 0 for the top level.', type: 'integer' },
  post: { description: 'Only terms of this post.', type: 'integer', default: null },
  slug: { description: 'Only terms with one of these slugs.', type: 'array', items: { type: 'string' } },
} as const satisfies ArgSchemas;

/** The writable fields of a term. */
const writeArgs = {
  description: { description: 'Description of the term as HTML.', type: 'string' },
  name: { description: 'Name of the term as HTML.', type: 'string' },
  slug: { description: 'Slug of the term, unique among terms of its taxonomy and language.', type: 'string' },
  parent: { description: 'ID of the parent term; 0 for the top level.', type: 'integer' },
} as const satisfies ArgSchemas;

/** The arguments of a list that a handler gets. */
export interface TermListArgs {
  readonly context: string;
  readonly page: number;
  readonly per_page: number;
  readonly search?: string;
  readonly exclude: readonly number[];
  readonly include: readonly number[];
  readonly offset?: number;
  readonly order: 'asc' | 'desc';
  readonly orderby: (typeof listArgs.orderby.enum)[number];
  readonly hide_empty: boolean;
  readonly parent?: number;
  readonly post?: number;
  readonly slug?: readonly string[];
  readonly ml_fallback?: readonly string[];
}

/** The arguments of a write that a handler gets. */
export interface TermWriteArgs extends Partial<ArgsOf<typeof translationArgs>> {
  readonly description?: string;
  readonly name?: string;
  readonly slug?: string;
  readonly parent?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
}

function omit(args: ArgSchemas, name: string): ArgSchemas {
  return Object.fromEntries(Object.entries(args).filter(([each]) => each !== name));
}

/** Query parameters of the list of a taxonomy. */
export function toTermListArgs({ hierarchical }: Taxonomy): ArgSchemas {
  return omit(listArgs, hierarchical ? 'offset' : 'parent');
}

/** The writable fields of the terms of a taxonomy. `meta`: the schema of its registered keys. */
export function toTermWriteArgs({ hierarchical }: Taxonomy, meta: ArgSchema): ArgSchemas {
  return { ...(hierarchical ? writeArgs : omit(writeArgs, 'parent')), meta };
}
