import { atPlace } from '../core/check-options.ts';
import { suggest } from '../core/did-you-mean.ts';
import type { Identity } from '../core/identity.ts';
import { abandon } from '../core/maybe-promise.ts';
import { createMemo } from '../core/memo.ts';
import { renameParam, type Names } from '../core/names.ts';
import { createRecord, deepFreeze, kindOf, own } from '../core/objects.ts';
import type { Args } from '../route/call.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import type { ValueCheck } from '../route/namespace.ts';
import { checkArgs } from '../schema/check-schema.ts';
import { compileCoercion, Reading, type Coerce } from '../schema/coerce.ts';
import { readInvalid, type Invalid } from '../schema/invalid.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import { defaultOf, typesOf } from '../schema/schema.ts';
import type { Validate, Validators } from '../schema/validate.ts';
import { findFunction, refuseCheck } from './check-namespace.ts';

/** What depends on the schema of a parameter alone. */
export interface CompiledSchema {
  readonly schema: ArgSchema;
  /** Converts what a client sent, by the schema. */
  readonly coerce: Coerce;
  /** Whether the schema has a type that is read in its own way. */
  readonly takes: Readonly<Record<'null' | 'boolean' | 'integer', boolean>>;
  readonly default: unknown;
  readonly validate: Validate;
}

/** One compiled parameter. It holds everything that depends on the descriptor alone. */
export interface CompiledArg extends Omit<CompiledSchema, 'validate'> {
  readonly name: string;
  readonly wireName: string;
  readonly first: boolean;
  readonly check: (value: unknown, identity: Identity) => Invalid | null;
}

function toTaken(schema: ArgSchema): CompiledArg['takes'] {
  const types = typesOf(schema);
  return {
    null: types.includes('null'),
    boolean: types.includes('boolean'),
    integer: types.includes('integer'),
  };
}

/** A value check and its name for messages: the parameter of an endpoint, and the id. */
export interface Rule {
  readonly what: string;
  readonly run: ValueCheck;
}

/** The check of a value: first the rule of the endpoint, if it has one, then the schema. It throws a TypeError for any other result of the rule, because its content would be sent. */
export function toCheck({
  wireName,
  validate,
  rule,
}: {
  wireName: string;
  validate: Validate;
  rule: Rule | undefined;
}): CompiledArg['check'] {
  if (rule === undefined) return (value) => validate(wireName, value);
  return (value, identity) => {
    const verdict: unknown = rule.run(value, identity);
    if (verdict === 'valid') return null;
    if (verdict === null || verdict === undefined) return validate(wireName, value);
    const invalid = readInvalid(verdict);
    if (invalid !== null) return invalid;
    abandon(verdict);
    throw new TypeError(
      `${rule.what} returned ${kindOf(verdict)}; it must return 'valid' to accept the value, null to leave it to the schema, or { code, message, data } to refuse it`,
    );
  };
}

/** Describes why a default is not valid. The words of an enum are quoted here; WordPress does not quote them for clients ("order is not asc."). */
function describeDefault(schema: ArgSchema, { code, message }: Invalid): string {
  if (schema.enum === undefined || code !== 'rest_not_in_enum') return message;
  return `${JSON.stringify(schema.default)} is not in enum, which holds ${schema.enum.map((word) => JSON.stringify(word)).join(', ')}`;
}

/** Compiled schemas by their text. */
const remember = createMemo<CompiledSchema>(20_000);

/** @throws TypeError `${where}: …` for a schema that is not valid, or whose default is not. `name`: the parameter, for messages */
export function compileSchema(
  where: string,
  [name, declared]: readonly [name: string, declared: ArgSchema],
  validators: Validators,
): CompiledSchema {
  // Only a tree has a text: this rejects cycles.
  const text = atPlace(where, () => JSON.stringify(declared));
  return remember(text, () => compileNew(where, [name, declared], validators));
}

function compileNew(
  where: string,
  [name, declared]: readonly [name: string, declared: ArgSchema],
  validators: Validators,
): CompiledSchema {
  // All calls share the defaults, including those of branches. Frozen, so that no handler can change them for the next call.
  const schema = atPlace(where, () => deepFreeze(structuredClone(declared)));
  const validate = atPlace(where, () => validators.compile(schema));
  const given = defaultOf(schema);
  const coerce = compileCoercion(schema);
  const value = given === undefined ? undefined : deepFreeze(coerce(given, new Reading()));
  const fault = value === undefined ? null : validate(name, value);
  if (fault !== null)
    throw new TypeError(`${where}: the default is not valid: ${describeDefault(schema, fault)}`);
  return { schema, coerce, takes: toTaken(schema), default: value, validate };
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

function findRule(where: string, id: string | undefined, rules: ArgsSource['rules']): Rule | undefined {
  if (id === undefined) return undefined;
  const rule = findFunction(where, { what: 'check', id, functions: rules });
  if (rule === undefined) refuseCheck(where, id, rules);
  return { what: `${where}: the check "${id}"`, run: rule };
}

/** Parameters that the engine reads itself on every endpoint. */
const RESERVED = ['_embed', '_envelope', '_fields', '_jsonp', '_method'] as const;

const NO_ARGS: ArgSchemas = {};

function checkReserved({ where, endpoint: { args, body = NO_ARGS }, commonArgs }: ArgsSource): void {
  const taken = [...RESERVED, ...Object.keys(commonArgs)];
  const reserved = taken.find((name) => Object.hasOwn(args, name) || Object.hasOwn(body, name));
  if (reserved !== undefined)
    throw new TypeError(
      `${where}, parameter ${reserved}: every endpoint already has a parameter of this name; leave it out, or give yours another name`,
    );
}

function checkNamed(
  { where, endpoint: { checkFirst, checks, bodyForm } }: ArgsSource,
  schemas: ArgSchemas,
): void {
  const named = Object.entries({
    checkFirst,
    checks: Object.keys(checks ?? {}),
    bodyForm: bodyForm === 'array' ? ['body'] : [],
  });
  for (const [member, names] of named) {
    const undeclared = names?.find((name) => !Object.hasOwn(schemas, name));
    if (undeclared !== undefined)
      throw new TypeError(
        `${where}: ${member} needs a parameter "${undeclared}", which is not declared in args or body.${suggest(undeclared, Object.keys(schemas))}`,
      );
  }
}

/** Compiles the parameters of the endpoints of one route table. Equal schemas are compiled once, so that ten thousand routes cost little. Descriptors must not change while a compiler is in use. */
export class ArgsCompiler {
  readonly #names: Names;
  readonly #validators: Validators;
  readonly #checked = new Set<ArgSchema>();
  readonly #checkedTables = new Set<ArgSchemas>();
  readonly #compiled = new Map<ArgSchema, CompiledSchema>();

  constructor(names: Names, validators: Validators) {
    this.#names = names;
    this.#validators = validators;
  }

  /** @throws TypeError `${where}: …` for a parameter that cannot be served. */
  compile(source: ArgsSource): CompiledArgs {
    const {
      where,
      commonArgs,
      endpoint: { args, body = NO_ARGS },
    } = source;
    checkReserved(source);
    // The check of the descriptor has judged the others.
    this.#checkTable(where, commonArgs);
    const schemas = { ...args, ...body, ...commonArgs };
    checkNamed(source, schemas);
    return this.#compile(source, schemas);
  }

  #compileSchema(where: string, name: string, declared: ArgSchema): CompiledSchema {
    const known = this.#compiled.get(declared) ?? compileSchema(where, [name, declared], this.#validators);
    this.#compiled.set(declared, known);
    return known;
  }

  #checkTable(where: string, table: ArgSchemas): void {
    if (this.#checkedTables.has(table)) return;
    checkArgs(where, table, this.#checked);
    this.#checkedTables.add(table);
  }

  #compile(source: ArgsSource, schemas: ArgSchemas): CompiledArgs {
    const { where } = source;
    const args = Object.entries(schemas).map(([name, schema]) => this.#compileOne(name, schema, source));
    const byWireName = new Map(args.map((arg) => [arg.wireName, arg]));
    const hidden = args.find((arg) => byWireName.get(arg.wireName) !== arg);
    if (hidden !== undefined)
      throw new TypeError(
        `${where}, parameter ${hidden.name}: another parameter has the same wire name, "${hidden.wireName}"`,
      );
    const defaults = args.filter((arg) => arg.default !== undefined);
    return {
      args,
      defaults,
      first: args.filter((arg) => arg.first),
      required: args.filter((arg) => arg.schema.required === true && arg.default === undefined),
      unsent: Object.freeze(toDefaults(defaults)),
      byName: new Map(args.map((arg) => [arg.name, arg])),
      byWireName,
    };
  }

  #compileOne(name: string, declared: ArgSchema, { where: place, endpoint, rules }: ArgsSource): CompiledArg {
    const where = `${place}, parameter ${name}`;
    const first = endpoint.checkFirst?.includes(name) ?? false;
    const rule = findRule(where, own(endpoint.checks ?? {}, name), rules);
    const { validate, ...compiled } = this.#compileSchema(where, name, declared);
    const wireName = renameParam(this.#names, name);
    return { name, wireName, ...compiled, first, check: toCheck({ wireName, validate, rule }) };
  }
}
