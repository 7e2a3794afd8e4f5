import { atPlace } from '../core/check-options.ts';
import type { Identity } from '../core/identity.ts';
import { abandon } from '../core/maybe-promise.ts';
import { createMemo } from '../core/memo.ts';
import { deepFreeze, kindOf } from '../core/objects.ts';
import type { ValueCheck } from '../route/namespace.ts';
import { compileCoercion, type Coerce } from '../schema/coerce.ts';
import { readInvalid, type Invalid } from '../schema/invalid.ts';
import { Reading } from '../schema/reading.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import { defaultOf, typesOf } from '../schema/schema.ts';
import type { Validate, Validators } from '../schema/validate.ts';

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
