import { own } from '../core/objects.ts';
import type { EndpointDescriptor, RouteDescriptor } from '../route/descriptor.ts';
import { replaceTypedGroups } from '../route/pattern.ts';
import { typesOf } from '../schema/schema.ts';

/** Type of a parameter -> expression of its group `{name}`. */
const EXPRESSIONS: ReadonlyMap<string, string> = new Map([
  ['integer', '[\\d]+'],
  ['string', '[^/]+'],
]);

/** Type of a parameter -> expression that its group may have. Other types: one segment. */
const SUGGESTED: ReadonlyMap<string, string> = new Map([
  ['number', '-?[\\d.]+'],
  ['boolean', 'true|false'],
]);
const ONE_SEGMENT = '[^/]+';

/** The expression that the type of one endpoint's parameter gives. @throws TypeError for a parameter that is not declared or has another type */
function toExpression(where: string, name: string, { args, body = {} }: EndpointDescriptor): string {
  const schema = own(args, name) ?? own(body, name);
  if (schema === undefined)
    throw new TypeError(
      `${where}: the pattern has {${name}}, but the endpoint does not declare a parameter "${name}": declare it with the type integer or string, or write (?P<${name}>${ONE_SEGMENT})`,
    );
  const types = typesOf(schema);
  const [type = ''] = types.length === 1 ? types : [];
  const expression = EXPRESSIONS.get(type);
  if (expression !== undefined) return expression;
  const given = types.length === 0 ? 'has no type' : `is of type ${types.join(' or ')}`;
  throw new TypeError(
    `${where}, parameter ${name}: {${name}} must be of type integer or string, but ${given}: write (?P<${name}>${SUGGESTED.get(type) ?? ONE_SEGMENT})`,
  );
}

/**
 * The pattern of a route with each group `{name}` in the form of the index: digits for an integer, one segment for a string.
 * @throws TypeError `${where} GET: …` for a group whose parameter does not say which of the two it is
 */
export function writeGroups(where: string, { pattern, endpoints }: RouteDescriptor): string {
  return replaceTypedGroups(pattern, (name) => {
    const expressions = endpoints.map((endpoint) =>
      toExpression(`${where} ${endpoint.methods.join(', ')}`, name, endpoint),
    );
    const [first = ONE_SEGMENT] = expressions;
    const other = expressions.find((expression) => expression !== first);
    if (other !== undefined)
      throw new TypeError(
        `${where}: {${name}} is an integer for one method and a string for another: give the parameter the same type for both, or write (?P<${name}>${ONE_SEGMENT})`,
      );
    return `(?P<${name}>${first})`;
  });
}
