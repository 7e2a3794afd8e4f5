import type { TypeWord } from './type-words.ts';

/** JSON that can be written down, sent and read back without loss. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * The schema dialect of descriptors: JSON Schema with a boolean `required` on each member, the types `int` and `bool`,
 * and the members `context` and `readonly` that describe a resource. `lib/schema/schema.ts` turns it into JSON Schema.
 */
export interface ArgSchema {
  readonly type?: TypeWord | readonly TypeWord[];
  readonly description?: string;
  readonly title?: string;
  readonly default?: Json;
  readonly required?: boolean;
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: ArgSchema;
  readonly properties?: Readonly<Record<string, ArgSchema>>;
  readonly additionalProperties?: boolean | ArgSchema;
  readonly oneOf?: readonly ArgSchema[];
  readonly context?: readonly string[];
  readonly readonly?: boolean;
}

/** Parameter name -> schema, in the order of the index. */
export type ArgSchemas = Readonly<Record<string, ArgSchema>>;
