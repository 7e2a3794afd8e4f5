import { suggest } from '../core/did-you-mean.ts';
import { renameParam, type Names } from '../core/names.ts';
import { createRecord, own } from '../core/objects.ts';
import type { Args } from '../route/call.ts';
import type { EndpointDescriptor } from '../route/descriptor.ts';
import type { ValueCheck } from '../route/namespace.ts';
import { checkArgs } from '../schema/check-schema.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';
import { compileSchema, toCheck, type CompiledArg, type CompiledSchema, type Rule } from './compile-arg.ts';
import { findFunction, refuseCheck } from './unknown-function.ts';

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
