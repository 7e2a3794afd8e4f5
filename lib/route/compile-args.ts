import { atPlace } from '../core/check-options.ts';
import type { Args } from './call.ts';
import { checkArgs } from '../schema/check-schema.ts';
import { compileCoercion, type Coerce } from '../schema/coerce.ts';
import { Reading } from '../schema/reading.ts';
import { typesOf } from '../schema/schema.ts';
import { createRecord, deepFreeze, own } from '../core/objects.ts';
import type { EndpointDescriptor } from './descriptor.ts';
import type { Identity } from '../core/identity.ts';
import type { Invalid } from '../schema/invalid.ts';
import { renameParam, type Names } from '../core/names.ts';
import type { ValueCheck } from './namespace.ts';
import { defaultOf } from '../schema/schema.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import type { Validate, Validators } from '../schema/validate.ts';

/** One compiled parameter. It holds everything that depends on the descriptor alone. */
export interface CompiledArg {
  readonly name: string;
  readonly wireName: string;
  readonly schema: ArgSchema;
  /** Converts what a client sent, by the schema. */
  readonly coerce: Coerce;
  /** Whether the schema has a type that is read in its own way. */
  readonly takes: Readonly<Record<'null' | 'boolean' | 'integer', boolean>>;
  readonly first: boolean;
  readonly default: unknown;
  readonly check: (value: unknown, identity: Identity) => Invalid | null;
}

/** The parameters of an endpoint. */
export interface CompiledArgs {
  readonly args: readonly CompiledArg[];
  /** Subsets of `args`: those of `checkFirst`, those that must be sent, and those that have a default. */
  readonly first: readonly CompiledArg[];
  readonly required: readonly CompiledArg[];
  readonly defaults: readonly CompiledArg[];
  /** The args of a call that sends no parameters: the defaults. */
  readonly unsent: Args;
  readonly byName: ReadonlyMap<string, CompiledArg>;
  readonly byWireName: ReadonlyMap<string, CompiledArg>;
}

/** The defaults by name, in an object that inherits nothing. */
export function toDefaults(args: CompiledArgs['defaults']): Record<string, unknown> {
  const values = createRecord();
  for (const arg of args) values[arg.name] = arg.default;
  return values;
}

/** The input of the compiler. `where`: namespace, pattern and methods, for messages. */
export interface ArgsSource {
  readonly where: string;
  readonly endpoint: EndpointDescriptor;
  readonly commonArgs: ArgSchemas;
  readonly rules: Readonly<Record<string, ValueCheck>>;
}

function toTaken(schema: ArgSchema): CompiledArg['takes'] {
  const types = typesOf(schema);
  return { null: types.includes('null'), boolean: types.includes('boolean'), integer: types.includes('integer') };
}

function toCheck({ wireName, validate, rule }: { wireName: string; validate: Validate; rule: ValueCheck | undefined }): CompiledArg['check'] {
  if (rule === undefined) return (value) => validate(wireName, value);
  return (value, identity) => {
    const verdict = rule(value, identity);
    return verdict === 'valid' ? null : verdict ?? validate(wireName, value);
  };
}

function findRule(where: string, id: string | undefined, rules: ArgsSource['rules']): ValueCheck | undefined {
  if (id === undefined) return undefined;
  const rule = own(rules, id);
  if (rule === undefined) throw new TypeError(`${where}: unknown check "${id}"`);
  if (typeof rule !== 'function') throw new TypeError(`${where}: the check "${id}" is not a function`);
  return rule;
}

/** Describes why a default is not valid. The words of an enum are quoted here; WordPress does not quote them for clients ("order is not asc."). */
function describeDefault(schema: ArgSchema, { code, message }: Invalid): string {
  if (schema.enum === undefined || code !== 'rest_not_in_enum') return message;
  return `${JSON.stringify(schema.default)} is not in enum, which holds ${schema.enum.map((word) => JSON.stringify(word)).join(', ')}`;
}

/** Parameters that the engine reads itself on every endpoint. */
const RESERVED = ['_embed', '_envelope', '_fields', '_jsonp', '_method'] as const;

function checkReserved(where: string, names: readonly string[], taken: readonly string[]): void {
  const reserved = names.find((name) => taken.includes(name));
  if (reserved !== undefined) throw new TypeError(`${where}, parameter ${reserved}: every endpoint already has a parameter of this name`);
}

function checkNamed({ where, endpoint: { checkFirst, checks, bodyForm } }: ArgsSource, schemas: ArgSchemas): void {
  const named = Object.entries({ checkFirst, checks: Object.keys(checks ?? {}), bodyForm: bodyForm === 'array' ? ['body'] : [] });
  for (const [member, names] of named) {
    const undeclared = names?.find((name) => !Object.hasOwn(schemas, name));
    if (undeclared !== undefined) throw new TypeError(`${where}: ${member} needs a parameter "${undeclared}", which is not declared`);
  }
}

/**
 * Compiles the parameters of the endpoints of one route table. Endpoints with the same parameters share the result, so that
 * ten thousand routes cost little.
 */
export class ArgsCompiler {
  readonly #names: Names;
  readonly #validators: Validators;
  readonly #known = new Map<string, CompiledArgs>();

  constructor(names: Names, validators: Validators) {
    this.#names = names;
    this.#validators = validators;
  }

  /** @throws TypeError `${where}: …` for a parameter that cannot be served. */
  compile(source: ArgsSource): CompiledArgs {
    const { where, commonArgs, endpoint: { args, body, checkFirst, checks } } = source;
    // This comes first because it rejects cycles, and only a tree can be walked.
    const key = atPlace(where, () => JSON.stringify([args, body, checkFirst, commonArgs]));
    const schemas = { ...args, ...body, ...commonArgs };
    checkReserved(where, Object.keys({ ...args, ...body }), [...RESERVED, ...Object.keys(commonArgs)]);
    // This comes before the look-up, because the key omits the form of the body and all that JSON leaves out.
    checkArgs(where, schemas);
    checkNamed(source, schemas);
    // Another namespace may use the same id for another function.
    if (checks !== undefined) return this.#compile(source, schemas);
    const compiled = this.#known.get(key) ?? this.#compile(source, schemas);
    this.#known.set(key, compiled);
    return compiled;
  }

  #compile(source: ArgsSource, schemas: ArgSchemas): CompiledArgs {
    const { where } = source;
    const args = Object.entries(schemas).map(([name, schema]) => this.#compileOne(name, schema, source));
    const byWireName = new Map(args.map((arg) => [arg.wireName, arg]));
    const hidden = args.find((arg) => byWireName.get(arg.wireName) !== arg);
    if (hidden !== undefined) throw new TypeError(`${where}, parameter ${hidden.name}: another parameter has the same wire name, "${hidden.wireName}"`);
    const defaults = args.filter((arg) => arg.default !== undefined);
    return {
      args, defaults,
      first: args.filter((arg) => arg.first),
      required: args.filter((arg) => arg.schema.required === true && arg.default === undefined),
      unsent: Object.freeze(toDefaults(defaults)),
      byName: new Map(args.map((arg) => [arg.name, arg])), byWireName,
    };
  }

  #compileOne(name: string, declared: ArgSchema, { where: place, endpoint, rules }: ArgsSource): CompiledArg {
    const where = `${place}, parameter ${name}`;
    // All calls share the defaults, including those of branches. Frozen, so that no handler can change them for the next call.
    const schema = atPlace(where, () => deepFreeze(structuredClone(declared)));
    const wireName = renameParam(this.#names, name);
    const validate = atPlace(where, () => this.#validators.compile(schema));
    const given = defaultOf(schema);
    const coerce = compileCoercion(schema);
    const value = given === undefined ? undefined : deepFreeze(coerce(given, new Reading()));
    const fault = value === undefined ? null : validate(name, value);
    if (fault !== null) throw new TypeError(`${where}: the default is not valid: ${describeDefault(schema, fault)}`);
    const rule = findRule(where, own(endpoint.checks ?? {}, name), rules);
    return { name, wireName, schema, coerce, takes: toTaken(schema), default: value, first: endpoint.checkFirst?.includes(name) ?? false, check: toCheck({ wireName, validate, rule }) };
  }
}
