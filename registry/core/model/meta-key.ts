import type { ArgSchema, Json } from '../../../lib/schema/schema-dialect.ts';

/** The types of a meta value. */
export const META_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

/** The type of a meta value. */
export type MetaType = (typeof META_TYPES)[number];

/** What a translation does with a value: it is translated, copied from the original, or left alone. */
export const TRANSLATION_RULES = ['translate', 'copy', 'ignore'] as const;

/** One of `TRANSLATION_RULES`. */
export type TranslationRule = (typeof TRANSLATION_RULES)[number];

/** Keywords of the schema of a value. They may stand beside `type` or in `schema`. */
export const META_KEYWORDS = [
  'title',
  'enum',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'items',
  'properties',
  'additionalProperties',
] as const satisfies readonly (keyof ArgSchema)[];

/** A registered meta key as its author writes it, as plain data that JSON can hold. */
export interface MetaDefinition extends Pick<ArgSchema, (typeof META_KEYWORDS)[number]> {
  /** Type of one value. */
  readonly type: MetaType;
  /** For people. Default: none. */
  readonly description?: string;
  /** The schema of one value. Default: `type` and the keywords beside it. */
  readonly schema?: ArgSchema;
  /** Default: the empty value of the type. */
  readonly default?: Json;
  /** Whether a record has one value. False: a list of values. Default true. */
  readonly single?: boolean;
  /** Whether the API shows it, or the name under which it does. Default true. */
  readonly show?: boolean | string;
  /** The capability that a caller needs to write it, in addition to the right to edit the record. */
  readonly write?: string;
  /** Whether revisions keep it. Default false. */
  readonly revisions?: boolean;
  /** Whether lists can be filtered and sorted by it. Default false. */
  readonly indexed?: boolean;
  /** Default: `ignore`. */
  readonly translation?: TranslationRule;
  /** Its former name. The next start moves the values that are stored under it, once. */
  readonly was?: string;
}

/** Meta keys by name. */
export type MetaDefinitions = Readonly<Record<string, MetaDefinition>>;

/** A registered meta key of a site with all defaults filled in. `default`: a list if the key is not single. */
export interface MetaKey extends Required<
  Pick<MetaDefinition, 'type' | 'single' | 'default' | 'revisions' | 'indexed' | 'translation'>
> {
  /** Name under which it is stored. */
  readonly key: string;
  /** The name in `meta` of requests and responses; null: it is not shown. */
  readonly name: string | null;
  /** The schema of the member of `meta`: of a list if the key is not single. */
  readonly schema: ArgSchema;
  /** null: the right to edit the record is enough. */
  readonly write: string | null;
  /** Its former name; null if it has none. */
  readonly was: string | null;
}
