import { adviseOn } from '../core/check-options.ts';
import { own } from '../core/objects.ts';
import type { EndpointDescriptor, ExampleDescriptor, RouteDescriptor } from '../route/descriptor.ts';
import { groupsOf } from '../route/pattern.ts';
import type { ArgSchema, Json } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';

const EXAMPLE = {
  summary: { type: 'string', minLength: 1 },
  args: { type: 'object', additionalProperties: true },
  answer: {},
} as const satisfies Readonly<Record<keyof ExampleDescriptor, ArgSchema>>;

const SHAPE = { type: 'object', properties: EXAMPLE, additionalProperties: false } as const;

/** A group that no arg describes is a string. */
const GROUP = { type: 'string' } as const;

/** Throws a TypeError for the first example that a client could not send, or that the endpoint could not return. */
type CheckExamples = (where: string, endpoint: EndpointDescriptor, route: RouteDescriptor) => void;

/** Creates the check of the examples of endpoints. Values are compared as they are: an example shows the declared types, never text that would be coerced. */
export function createExampleCheck(validators: Validators): CheckExamples {
  const checkValue = (where: string, name: string, [schema, value]: readonly [ArgSchema, unknown]): void => {
    const invalid = validators.compile(schema)(name, value);
    if (invalid !== null) throw new TypeError(`${where}: ${invalid.message}`);
  };
  const checkArgs = (
    where: string,
    schemas: Readonly<Record<string, ArgSchema>>,
    args: Readonly<Record<string, Json>>,
  ): void => {
    for (const [name, value] of Object.entries(args)) {
      const schema = own(schemas, name);
      if (schema === undefined)
        throw new TypeError(
          `${where}: unknown parameter "${name}"${Object.keys(schemas).length === 0 ? '; the endpoint has none' : adviseOn(name, Object.keys(schemas), { what: 'parameters' })}`,
        );
      checkValue(where, name, [schema, value]);
    }
    const missing = Object.entries(schemas).find(
      ([name, { required }]) => required === true && !Object.hasOwn(args, name),
    );
    if (missing !== undefined)
      throw new TypeError(`${where}: the required parameter "${missing[0]}" is missing`);
  };
  return (where, { args, body, answers = {}, examples }, { pattern }) => {
    if (examples === undefined) return;
    const [answer] = Object.values(answers);
    const groups = Object.fromEntries(groupsOf(pattern).map((name) => [name, GROUP]));
    for (const [name, example] of Object.entries(examples)) {
      const place = `${where}, example ${name}`;
      checkValue(place, 'the example', [SHAPE, example]);
      if (example.args !== undefined) checkArgs(place, { ...groups, ...args, ...body }, example.args);
      if (example.answer !== undefined && answer !== undefined)
        checkValue(place, 'answer', [answer, example.answer]);
    }
  };
}
