import { engineError, type RestError } from '../core/errors.ts';
import { isPlainObject, kindOf } from '../core/objects.ts';
import type { Json } from './schema-dialect.ts';

/** Why one parameter is invalid, as shown in `data.details` of `rest_invalid_param`. */
export interface Invalid {
  /** Code of the reason, such as `rest_too_long`. '': there is none, and `data.details` does not name the parameter. */
  readonly code: string;
  /** For people. It names the parameter. */
  readonly message: string;
  /** Details of the reason; null: none. */
  readonly data: Json;
}

/** The reason that a function of a namespace gave. Further members are not sent. null: the value is not a reason. */
export function readInvalid(value: unknown): Invalid | null {
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return null;
  const { code, message, data = null } = value as Partial<Invalid>;
  return typeof code === 'string' && typeof message === 'string' ? { code, message, data } : null;
}

/** A parameter and why it is invalid. */
export type Problem = readonly [name: string, invalid: Invalid];

/** The error that names every invalid parameter. Handlers can use it for their own rules as well. */
export function invalidParams(problems: readonly Problem[]): RestError {
  const other = problems.find(([, invalid]) => readInvalid(invalid) === null);
  if (other !== undefined)
    throw new TypeError(
      `invalidParams: the reason of ${other[0]} is ${kindOf(other[1])}; it must be { code, message, data }`,
    );
  return engineError('rest_invalid_param', {
    message: `Invalid parameter(s): ${problems.map(([name]) => name).join(', ')}`,
    data: {
      params: Object.fromEntries(problems.map(([name, { message }]) => [name, message])),
      details: Object.fromEntries(problems.filter(([, { code }]) => code !== '')),
    },
  });
}

/** The error that names one invalid parameter. `message`: it names the parameter, too. `code`: that of the reason. */
export const invalidParam = (name: string, message: string, code = 'rest_invalid_param'): RestError =>
  invalidParams([[name, { code, message, data: null }]]);
