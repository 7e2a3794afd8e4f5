import {
  checkDocument,
  type DocumentRule,
  type DocumentRules,
  findFaults,
  mapOf,
  objectOf,
  TEXTS,
} from '../core/check-document.ts';
import { adviseOn, countUpTo, OBJECT, TEXT } from '../core/check-options.ts';
import { createGivenCheck, findUnknownMember, isObject, own, perObject } from '../core/objects.ts';
import { TOKEN } from '../core/text.ts';
import { STREAM_FORMATS } from '../http/stream-body.ts';
import {
  type BodyReading,
  type EndpointDescriptor,
  type ExampleDescriptor,
  MULTIPART,
  type NamespaceDescriptor,
  type RouteDescriptor,
} from '../route/descriptor.ts';
import { groupsOf } from '../route/pattern.ts';
import { checkNames, checkSchema, listChildren } from '../schema/check-schema.ts';
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

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const RANGE = new RegExp(`^(?:\\*/\\*|(?!\\*)${TOKEN}/(?:\\*|(?!.*\\*)${TOKEN}))$`);
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const WORDS: ReadonlySet<unknown> = new Set(['args', 'bytes', 'stream']);
const TRUE: DocumentRule = { wanted: 'true', fits: (value) => value === true };
const TYPES: DocumentRule = {
  ...TEXTS,
  wanted: 'a list of media types such as ["image/png"], at least one',
  fits: (value) => Array.isArray(value) && value.length > 0,
};
const FILE = objectOf({ required: TRUE, maxCount: countUpTo(), maxBytes: countUpTo(), types: TYPES });
const READING: DocumentRule = {
  wanted: '"args", "bytes", "stream" or an object with files',
  fits: (value) => WORDS.has(value) || isObject(value),
  members: { capability: TEXT, files: { ...mapOf(FILE), needed: true } },
};
const ACCEPTS = mapOf(READING);

function checkRange(where: string, range: string, reading: BodyReading): void {
  if (!RANGE.test(range) || range !== range.toLowerCase())
    throw new TypeError(
      `${where}: accepts names "${range}", which must be a media type in lower case without parameters, such as "image/png", "image/*" or "*/*"`,
    );
  if (reading === 'args' && range !== JSON_TYPE && range !== FORM_TYPE)
    throw new TypeError(
      `${where}: accepts reads "${range}" as args; only ${JSON_TYPE} and ${FORM_TYPE} hold args, so write "bytes" or "stream"`,
    );
  if (typeof reading !== 'object') return;
  if (range !== MULTIPART)
    throw new TypeError(`${where}: accepts has files for "${range}"; only ${MULTIPART} has files`);
  checkNames(`${where}, files`, reading.files);
}

/** @throws TypeError for an endpoint whose bodies cannot be read as declared */
export function checkAccepts(where: string, endpoint: EndpointDescriptor): void {
  const { accepts, maxBodyBytes, methods, allow_batch: batch } = endpoint;
  if (accepts === undefined) {
    if (maxBodyBytes !== undefined)
      throw new TypeError(`${where}: maxBodyBytes needs accepts; without it the server limits the body`);
    return;
  }
  checkDocument(`${where}: accepts`, accepts, ACCEPTS);
  if (Object.keys(accepts).length === 0)
    throw new TypeError(`${where}: accepts must name a media type, such as "application/json": "args"`);
  for (const [range, reading] of Object.entries(accepts)) checkRange(where, range, reading);
  const bodiless = methods.find((method) => !WITH_BODY.has(method));
  if (bodiless !== undefined)
    throw new TypeError(`${where}: accepts needs methods that have a body, and ${bodiless} has none`);
  if (batch !== undefined && accepts[JSON_TYPE] !== 'args')
    throw new TypeError(
      `${where}: allow_batch needs accepts to read ${JSON_TYPE} as args, because the items of a batch have no other body`,
    );
}
