import { atPlace } from '../core/check-options.ts';
import type { Args } from './call.ts';
import { checkArgs } from '../schema/check-schema.ts';
import { coerce } from '../schema/coerce.ts';
import { deepFreeze, own } from '../core/objects.ts';
import type { EndpointDescriptor } from './descriptor.ts';
import type { Identity } from '../core/identity.ts';
import type { Invalid } from '../schema/invalid.ts';
import { renameParam, type Names } from '../core/names.ts';
import type { ValueCheck } from './namespace.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import type { Validate, Validators } from '../schema/validate.ts';

/** One parameter, ready to be read: everything that depends on the descriptor alone is fixed here. */
export interface CompiledArg {
  readonly name: string;
  readonly wireName: string;
  readonly schema: ArgSchema;
  readonly first: boolean;
  readonly default: unknown;
  readonly check: (value: unknown, identity: Identity) => Invalid | null;
}

/** The parameters of an endpoint. */
export interface CompiledArgs {
  readonly args: readonly CompiledArg[];
  /** Of them: those of `checkFirst`, those that must be sent, and those that have a default. */
  readonly first: readonly CompiledArg[];
  readonly required: readonly CompiledArg[];
  readonly defaults: readonly CompiledArg[];
  /** The values of a call for which nothing is sent: the defaults. */
  readonly unsent: Args;
  readonly byName: ReadonlyMap<string, CompiledArg>;
  readonly byWireName: ReadonlyMap<string, CompiledArg>;
}

// V8 keeps the members of `Object.create(null)` in a hash table, which takes three times as long to fill and to freeze.
const NO_MEMBERS = Object.freeze(Object.create(null) as object);

/** The defaults by name. Nothing is inherited. */
export function toDefaults(args: CompiledArgs['defaults']): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(NO_MEMBERS);
  for (const arg of args) values[arg.name] = arg.default;
  return values;
}

/** What they are compiled from. `where`: namespace, pattern and methods, for messages. */
export interface ArgsSource {
  readonly where: string;
  readonly endpoint: EndpointDescriptor;
  readonly commonArgs: ArgSchemas;
  readonly rules: Readonly<Record<string, ValueCheck>>;
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

/** What is wrong with a default. Its words are quoted: clients are told of one without, such as "order is not asc.". */
function describeDefault(schema: ArgSchema, { code, message }: Invalid): string {
  if (schema.enum === undefined || code !== 'rest_not_in_enum') return message;
  return `${JSON.stringify(schema.default)} is not in enum, which holds ${schema.enum.map((word) => JSON.stringify(word)).join(', ')}`;
}

/** Parameters that the engine reads itself, whatever the endpoint. */
const RESERVED = ['_embed', '_envelope', '_fields', '_jsonp', '_method'] as const;

function checkReserved(where: string, names: readonly string[], taken: readonly string[]): void {
  const reserved = names.find((name) => taken.includes(name));
  if (reserved !== undefined) throw new TypeError(`${where}, parameter ${reserved}: every endpoint has a parameter of this name already`);
}

function checkNamed({ where, endpoint: { checkFirst, checks, bodyForm } }: ArgsSource, schemas: ArgSchemas): void {
  const named = Object.entries({ checkFirst, checks: Object.keys(checks ?? {}), bodyForm: bodyForm === 'array' ? ['body'] : [] });
  for (const [member, names] of named) {
    const stranger = names?.find((name) => !Object.hasOwn(schemas, name));
    if (stranger !== undefined) throw new TypeError(`${where}: ${member} needs a parameter "${stranger}", which is not declared`);
  }
}

/**
 * Compiles the parameters of the endpoints of one route table. Those with the same ones share what is made, so that
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

  /** @throws TypeError `${where}: …` for a parameter that can not be served. */
  compile(source: ArgsSource): CompiledArgs {
    const { where, commonArgs, endpoint: { args, body, checkFirst, checks } } = source;
    // First of all, because only what is no cycle can be walked.
    const key = atPlace(where, () => JSON.stringify([args, body, checkFirst, commonArgs]));
    const schemas = { ...args, ...body, ...commonArgs };
    checkReserved(where, Object.keys({ ...args, ...body }), [...RESERVED, ...Object.keys(commonArgs)]);
    // Before the look-up: the key says nothing of the form of the body, nor of what JSON leaves out.
    checkArgs(where, schemas);
    checkNamed(source, schemas);
    // The same id may stand for another function in another namespace.
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
    if (hidden !== undefined) throw new TypeError(`${where}, parameter ${hidden.name}: another parameter has the wire name "${hidden.wireName}", too`);
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
    // Every call gets the same defaults, also those of branches: no handler may change what the next one is given.
    const schema = atPlace(where, () => deepFreeze(structuredClone(declared)));
    const wireName = renameParam(this.#names, name);
    const validate = atPlace(where, () => this.#validators.compile(schema));
    const value = schema.default === undefined ? undefined : deepFreeze(coerce(schema, schema.default));
    const fault = value === undefined ? null : validate(name, value);
    if (fault !== null) throw new TypeError(`${where}: the default is not valid: ${describeDefault(schema, fault)}`);
    const rule = findRule(where, own(endpoint.checks ?? {}, name), rules);
    return { name, wireName, schema, default: value, first: endpoint.checkFirst?.includes(name) ?? false, check: toCheck({ wireName, validate, rule }) };
  }
}
