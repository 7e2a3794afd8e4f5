import { isObject, own } from '../core/objects.ts';
import { at, type Document, fail, listOf, SILENT, toDialect } from './from-json-schema.ts';
import type { ArgSchema, Json } from './schema-dialect.ts';

/** The types of values under a schema of another library. It exists for the compiler alone. */
declare const VALUE: unique symbol;

/** A schema of the dialect whose values have the types of the library that it came from. `I`: as clients send it, `O`: as handlers get it. */
export interface StandardSchema<I, O> extends ArgSchema {
  /** The value that the schema describes, for types alone. */
  readonly [VALUE]: readonly [input: I, output: O];
}

/** How a schema is asked for its JSON Schema. */
interface SchemaOptions {
  /** The version of JSON Schema. */
  readonly target: 'draft-2020-12';
  /** Options of the library. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** A schema of any library that has Standard JSON Schema (standardschema.dev), such as zod 4.2, arktype 2.1.28, and valibot with `toStandardJsonSchema`. */
export interface JsonSchemaSource<I = unknown, O = I> {
  /** The member of Standard Schema. */
  readonly '~standard': {
    readonly types?: { readonly input: I; readonly output: O } | undefined;
    readonly jsonSchema: {
      readonly input: (options: SchemaOptions) => Record<string, unknown>;
      readonly output: (options: SchemaOptions) => Record<string, unknown>;
    };
  };
}

/** What a schema takes. */
type InputOf<S> = S extends JsonSchemaSource<infer I, unknown> ? I : never;
/** What a schema gives. */
type OutputOf<S> = S extends JsonSchemaSource<unknown, infer O> ? O : never;

/** Members that may be left out. */
type OptionalKeys<T> = { [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? K : never }[keyof T];

/** Parameters by name with the types of a library. One with a default may be left out by clients, and handlers always get it. */
type StandardArgs<I, O> = {
  readonly [K in Exclude<keyof O, OptionalKeys<O>>]: StandardSchema<K extends keyof I ? I[K] : O[K], O[K]> &
    (K extends OptionalKeys<I> ? { readonly default: NonNullable<Json> } : { readonly required: true });
} & { readonly [K in OptionalKeys<O>]: StandardSchema<K extends keyof I ? I[K] : never, NonNullable<O[K]>> };

/** The first place where values change on their way through the schema, which a check cannot do. */
function findTransform(where: string, input: unknown, output: unknown): string | null {
  if (!isObject(input) || !isObject(output)) return null;
  if (JSON.stringify(listOf(input['type'])) !== JSON.stringify(listOf(output['type']))) return where;
  const [ours, theirs] = [input['properties'], output['properties']] as readonly (Document | undefined)[];
  for (const [name, member] of Object.entries(ours ?? {})) {
    const found = findTransform(at(where, name), member, own(theirs ?? {}, name));
    if (found !== null) return found;
  }
  return findTransform(`${where}[]`, input['items'], output['items']);
}

/** Kinds of values that arktype writes as any value, unless it is told otherwise. */
const NOT_JSON: ReadonlySet<string> = new Set(['date', 'domain', 'proto', 'symbolKey', 'unit']);

/** Options of the libraries: which of them refuse what is not JSON, and which leave it empty. */
const STRICT = {
  fallback: ({ code, base }: { readonly code: string; readonly base: unknown }): unknown => {
    if (NOT_JSON.has(code)) throw new TypeError(`${code} has no JSON Schema`);
    return base;
  },
} as const;
const LENIENT = { unrepresentable: 'any', errorMode: 'ignore' } as const;

/** Places of members of which a library says nothing. */
function listEmpty(where: string, schema: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  if (Object.keys(schema).every((keyword) => SILENT.has(keyword))) return [where];
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    readonly properties?: Document;
    readonly items?: unknown;
    readonly anyOf?: readonly unknown[];
  };
  return [
    ...Object.entries(properties).flatMap(([name, member]) => listEmpty(at(where, name), member)),
    ...listEmpty(`${where}[]`, items),
    ...anyOf.flatMap((branch) => listEmpty(where, branch)),
  ];
}

type Side = 'input' | 'output';

/** Where the library fails: in what it leaves empty, or where its input and output differ. */
function findUnwritten({ jsonSchema }: JsonSchemaSource['~standard']): string {
  const read = (side: Side): Document =>
    jsonSchema[side]({ target: 'draft-2020-12', libraryOptions: LENIENT });
  try {
    const [input, output] = [read('input'), read('output')];
    const transformed = findTransform('', input, output);
    return transformed ?? listEmpty('', input).join(', ');
  } catch {
    return '';
  }
}

/** @throws TypeError for what the library cannot write as JSON Schema */
function readSchema(source: JsonSchemaSource['~standard'], side: Side): Document {
  try {
    return source.jsonSchema[side]({ target: 'draft-2020-12', libraryOptions: STRICT });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return fail(
      findUnwritten(source),
      `what it stands for (${reason})`,
      'write the form that is sent, such as a text with the format date-time for a date, and transform it in the handler',
    );
  }
}

/** Members that have a default which the library does not show. */
function checkDefaults(input: Document, output: Document): void {
  const needed = new Set(listOf(input['required']));
  const shown = (output['properties'] ?? {}) as Readonly<Record<string, Document>>;
  const taken = (input['properties'] ?? {}) as Readonly<Record<string, Document>>;
  for (const name of listOf(output['required']).map(String))
    if (
      !needed.has(name) &&
      own(taken, name)?.['default'] === undefined &&
      own(shown, name)?.['default'] === undefined
    )
      fail(
        name,
        'a default that the library does not write',
        'leave it optional, and let the handler choose',
      );
}

function convert(source: JsonSchemaSource, side: Side): ArgSchema {
  if (!isObject(source?.['~standard']) || !isObject(source['~standard'].jsonSchema))
    throw new TypeError(
      'fromStandard takes a schema with Standard JSON Schema: one of zod 4.2, of arktype 2.1.28, or toStandardJsonSchema(schema) of @valibot/to-json-schema',
    );
  const [input, output] = [
    readSchema(source['~standard'], 'input'),
    readSchema(source['~standard'], 'output'),
  ];
  const transformed = findTransform('', input, output);
  if (transformed !== null)
    fail(
      transformed,
      'a transform',
      'write the type that is sent, and transform it in the handler; texts of a query become numbers and booleans by themselves',
    );
  checkDefaults(input, output);
  const shown = side === 'output' ? output : input;
  return toDialect('', shown, shown);
}

/**
 * The parameters of an endpoint from an object schema of zod, valibot, arktype or any library with Standard JSON Schema:
 * `args: fromStandard(z.object({ id: z.int() }))`. The result is plain data. Handlers and clients have the types of the library.
 * @throws TypeError naming the place of what cannot be data, such as a transform, and what to write instead
 */
export function fromStandard<const S extends JsonSchemaSource>(
  schema: S,
): StandardArgs<InputOf<S>, OutputOf<S>> {
  const { properties } = convert(schema, 'input');
  if (properties === undefined)
    throw new TypeError(
      'fromStandard takes an object schema, whose members are the parameters; for another value, use valueFromStandard',
    );
  return properties as StandardArgs<InputOf<S>, OutputOf<S>>;
}

/** The schema of one value, such as a response: `answers: { 200: valueFromStandard(Note) }`. @throws TypeError as `fromStandard` */
export function valueFromStandard<const S extends JsonSchemaSource>(
  schema: S,
): StandardSchema<InputOf<S>, OutputOf<S>> {
  return convert(schema, 'output') as StandardSchema<InputOf<S>, OutputOf<S>>;
}
