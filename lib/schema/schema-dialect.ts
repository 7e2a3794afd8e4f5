import type { TypeWord } from './type-words.ts';

/** JSON that can be written down, sent and read back without loss. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * The schema dialect of descriptors: JSON Schema with a boolean `required` on each member, the types `int` and `bool`,
 * and the members `context` and `readonly` that describe a resource. `lib/schema/schema.ts` turns it into JSON Schema.
 */
export interface ArgSchema {
  /** Type, or the types that are allowed. */
  readonly type?: TypeWord | readonly TypeWord[];
  /** For people, in English. */
  readonly description?: string;
  /** Short name for people. */
  readonly title?: string;
  /** Value of an arg that is not given. */
  readonly default?: Json;
  /** The arg or member must be given. Default false. */
  readonly required?: boolean;
  /** The allowed values. */
  readonly enum?: readonly Json[];
  /** Form of a text, such as `date-time` or `uri`. */
  readonly format?: string;
  /** Regular expression that a text must match. */
  readonly pattern?: string;
  /** Smallest number, inclusive. */
  readonly minimum?: number;
  /** Largest number, inclusive. */
  readonly maximum?: number;
  /** Fewest characters of a text. */
  readonly minLength?: number;
  /** Most characters of a text. */
  readonly maxLength?: number;
  /** Fewest items of a list. */
  readonly minItems?: number;
  /** Most items of a list. */
  readonly maxItems?: number;
  /** No two items of the list may be equal. */
  readonly uniqueItems?: boolean;
  /** Schema of each item of a list. */
  readonly items?: ArgSchema;
  /** Schemas of the members of an object. */
  readonly properties?: Readonly<Record<string, ArgSchema>>;
  /** Whether an object may have other members, or their schema. */
  readonly additionalProperties?: boolean | ArgSchema;
  /** The value fits exactly one of these. */
  readonly oneOf?: readonly ArgSchema[];
  /** The contexts that show the field: `view`, `embed`, `edit`. */
  readonly context?: readonly string[];
  /** The field is shown and cannot be written. */
  readonly readonly?: boolean;
}

/** Parameter name -> schema, in the order of the index. */
export type ArgSchemas = Readonly<Record<string, ArgSchema>>;
