import { type DocumentRule, findFaults, type DocumentRules } from '../core/check-document.ts';
import { adviseOn, findUnknownMember, OBJECT } from '../core/check-options.ts';
import { createGivenCheck, own, perObject } from '../core/objects.ts';
import { STREAM_FORMATS } from '../http/stream-body.ts';
import type {
  EndpointDescriptor,
  NamespaceDescriptor,
  ExampleDescriptor,
  RouteDescriptor,
} from '../route/descriptor.ts';
import { groupsOf } from '../route/pattern.ts';
import { checkSchema, listChildren } from '../schema/check-schema.ts';
import type { ArgSchema, Json } from '../schema/schema-dialect.ts';
import type { Validators } from '../schema/validate.ts';

/** Where a function belongs whose id stands in a descriptor, which is data. */
const FUNCTIONS: Readonly<Record<string, string>> = { handler: 'handlers', permission: 'permissions' };

/** @throws TypeError for a function in the place of its id */
function checkInline(where: string, value: object): void {
  const [name] =
    Object.entries(value).find(
      ([member, content]) => typeof content === 'function' && Object.hasOwn(FUNCTIONS, member),
    ) ?? [];
  if (name === undefined) return;
  throw new TypeError(
    `${where}: ${name} is a function, but a descriptor is data: write an id, such as ${name}: 'notes.${name}', and give the function under this id to defineNamespace, in its ${own(FUNCTIONS, name)}`,
  );
}

/** The members of one part of a descriptor. */
export interface DescriptorPart {
  /** `endpoint`. */
  readonly name: string;
  readonly members: DocumentRules;
  /** Members that other libraries have, and what to write here. */
  readonly foreign: Readonly<Record<string, string>>;
}

function checkMembers(
  { name, members, foreign }: DescriptorPart,
  toWhere: () => string,
  value: object,
): void {
  const known = Object.keys(members);
  const unknown = findUnknownMember(value, new Set(known));
  if (unknown !== undefined)
    throw new TypeError(
      `${toWhere()}: unknown member "${unknown}" of the ${name}${adviseOn(unknown, known, { what: 'members', foreign })}`,
    );
  const { value: fault } = findFaults('', value, { ...OBJECT, members }).next();
  if (fault === undefined) return;
  checkInline(toWhere(), value);
  throw new TypeError(`${toWhere()}: ${fault as string}`);
}

const onceFor = perObject((_part: DescriptorPart) => createGivenCheck());

/** Checks one part of a descriptor, which may not have been compiled. @throws TypeError `${where}: …` for the first mistake */
export function checkPart(part: DescriptorPart, toWhere: () => string, value: object): void {
  onceFor(part)(value, () => checkMembers(part, toWhere, value));
}

const FORMATS = Object.keys(STREAM_FORMATS);

/** What `streams` of an endpoint must be. */
export const STREAMS: DocumentRule = {
  wanted: `one of ${FORMATS.join(', ')}, or a list of different ones of them`,
  fits(value) {
    const given: readonly unknown[] = [value].flat();
    return (
      given.length > 0 &&
      new Set(given).size === given.length &&
      given.every((each) => FORMATS.some((format) => format === each))
    );
  },
};

const SUCCESS = /^2(?:\d\d|XX)$/;

/** @throws TypeError for statuses and schemas that no response can have */
export function checkAnswers(where: string, { answers, shows, status }: EndpointDescriptor): void {
  if (answers === undefined) return;
  const statuses = Object.entries(answers);
  const wrong = statuses.find(([name]) => !SUCCESS.test(name));
  if (wrong !== undefined || statuses.length === 0)
    throw new TypeError(
      `${where}: answers ${wrong === undefined ? 'is empty' : `has the member "${wrong[0]}"`}; its members must be statuses from 200 to 299, or 2XX, such as { 200: { type: 'object' } }`,
    );
  for (const [name, schema] of statuses) checkSchema(`${where}, answers.${name}`, schema);
  if (shows !== undefined)
    throw new TypeError(`${where}: shows and answers cannot both be given; both describe the response`);
  if (status !== undefined)
    throw new TypeError(
      `${where}: status and answers cannot both be given; the members of answers are the statuses`,
    );
}

/** A stream is sent while it is made: it cannot be kept, nor be part of another response. @throws TypeError */
export function checkStreams(
  where: string,
  { streams, cache, allow_batch: batch }: EndpointDescriptor,
): void {
  if (streams === undefined) return;
  if (cache !== undefined)
    throw new TypeError(`${where}: streams and cache cannot both be given; a stream is not cached`);
  if (batch !== undefined)
    throw new TypeError(`${where}: streams and allow_batch cannot both be given; a batch is one response`);
}

/** Every resource has these contexts. */
export const CONTEXTS = ['view', 'edit', 'embed'] as const;

/** Contexts in which fields can be shown: those of every resource, and those that the `context` parameter of an endpoint accepts. */
export function contextsOf({ routes }: NamespaceDescriptor): ReadonlySet<unknown> {
  const asked = routes
    .flatMap((route) => route.endpoints)
    .flatMap(({ args, body }) => [args['context'], body?.['context']]);
  return new Set<unknown>([
    ...CONTEXTS,
    ...asked.flatMap((schema) => (Array.isArray(schema?.enum) ? (schema.enum as readonly unknown[]) : [])),
  ]);
}

/** @throws TypeError for a field with a context that no request can ask for. */
export function checkContexts(where: string, schema: ArgSchema, known: ReadonlySet<unknown>): void {
  const unknown = schema.context?.find((context) => !known.has(context));
  if (unknown !== undefined)
    throw new TypeError(`${where}: unknown context "${unknown}"; the contexts are ${[...known].join(', ')}`);
  for (const [name, child] of listChildren(schema)) checkContexts(`${where}.${name}`, child, known);
}

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
