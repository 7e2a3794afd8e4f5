import { own, perObject } from '../core/objects.ts';
import type { EndpointDescriptor, RouteDescriptor } from '../route/descriptor.ts';
import { type Group, readGroups, replaceTypedGroups } from '../route/pattern.ts';
import type { ArgSchema } from '../schema/schema-dialect.ts';
import { typesOf } from '../schema/schema.ts';

/** A part of a group's expression with its quantifier. Such an expression cannot contain another group. */
const PART =
  /(?<alternative>\|)|(?<place>[$^]|\\[bB])|(?<atom>\\.|\[(?:\\.|[^\]\\])*(?:\]|\\?$)|[^\\[\]])(?<count>[*?]|\+|\{\d+(?:,\d*)?\})?\??/gs;
const MAY_BE_ABSENT = /^(?:[*?]|\{0)/;

/** The characters of a number. */
const IN_NUMBERS: Readonly<Record<string, string>> = { integer: '0123456789+-.', number: '0123456789+-.eE' };
const DIGITS = '0123456789';
const BOOLEANS = ['true', 'false', 'TRUE', 'FALSE', '1', '0'];

function matchesOneOf(atom: string, characters: string): boolean {
  const expression = new RegExp(`^${atom}$`);
  return [...characters].some((character) => expression.test(character));
}

/** Whether some number matches the expression: every required part matches a character of a number, and some part matches a digit. */
function takesNumbers(expression: string, characters: string): boolean {
  let isPossible = true;
  let hasDigit = false;
  for (const { groups } of expression.matchAll(PART)) {
    if (groups?.['alternative'] !== undefined) {
      if (isPossible && hasDigit) return true;
      [isPossible, hasDigit] = [true, false];
    } else if (groups?.['atom'] !== undefined) {
      isPossible &&= MAY_BE_ABSENT.test(groups['count'] ?? '') || matchesOneOf(groups['atom'], characters);
      hasDigit ||= matchesOneOf(groups['atom'], DIGITS);
    }
  }
  return isPossible && hasDigit;
}

/** The verdicts on a schema by expression: many routes have the same group and share its schema. */
const verdictsOf = perObject((_schema: ArgSchema) => new Map<string, boolean>());

function canFill(schema: ArgSchema, { expression }: Group): boolean {
  const known = verdictsOf(schema);
  const verdict = known.get(expression) ?? findsValue(schema, expression);
  known.set(expression, verdict);
  return verdict;
}

/** Whether some text that matches the expression is a value of the schema. True if that cannot be told. */
function findsValue(schema: ArgSchema, expression: string): boolean {
  const takes = (text: string): boolean => new RegExp(`^(?:${expression})$`).test(text);
  if (schema.enum !== undefined) return schema.enum.some((value) => takes(String(value)));
  const types = typesOf(schema);
  return (
    types.length === 0 ||
    types.some((type) => {
      const characters = own(IN_NUMBERS, type);
      if (characters !== undefined) return takesNumbers(expression, characters);
      return type === 'boolean' ? BOOLEANS.some(takes) : type !== 'null';
    })
  );
}

const toBare = (name: string): string => name.toLowerCase().replaceAll('_', '');

/** Whether two names differ only in case, in underscores, or by one additional letter. */
function isNear(one: string, other: string): boolean {
  const [short = '', long = ''] = [toBare(one), toBare(other)].toSorted(
    (left, right) => left.length - right.length,
  );
  if (short === long) return true;
  return (
    long.length === short.length + 1 &&
    [...long].some((_letter, index) => long.slice(0, index) + long.slice(index + 1) === short)
  );
}

/**
 * Checks the parameters of an endpoint against the groups of its pattern. A group that no parameter describes is a string.
 * @throws TypeError `${where}: …` for a parameter that no text of its group can fill, and for a parameter whose name is nearly that of a group
 */
export function checkGroups(
  where: string,
  pattern: string,
  args: ReadonlyMap<string, { readonly schema: ArgSchema }>,
): void {
  const groups = readGroups(pattern);
  const names = new Set(groups.map(({ name }) => name));
  for (const group of groups) {
    const schema = args.get(group.name)?.schema;
    if (schema === undefined) {
      const near = [...args.keys()].find((name) => !names.has(name) && isNear(name, group.name));
      if (near !== undefined)
        throw new TypeError(
          `${where}: the pattern has a group "${group.name}" and the endpoint has a parameter "${near}": give both the same name, or declare a parameter "${group.name}" as well`,
        );
    } else if (!canFill(schema, group)) {
      const wanted =
        schema.enum === undefined
          ? `of type ${typesOf(schema).join(' or ')}`
          : `one of ${JSON.stringify(schema.enum)}`;
      throw new TypeError(
        `${where}, parameter ${group.name}: it must be ${wanted}, but the group (?P<${group.name}>${group.expression}) does not match such a text`,
      );
    }
  }
}

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
