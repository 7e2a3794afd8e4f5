import { atPlace } from './at-place.ts';
import { checkMembers } from './check-members.ts';
import { checkArgs, checkSchema } from './check-schema.ts';
import type { NamespaceDescriptor } from './descriptor.ts';
import type { ArgSchemas } from './schema-dialect.ts';
import type { Validators } from './validate.ts';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const NAMED = { type: 'object', additionalProperties: { type: 'object' } } as const;

// The types of `descriptor.ts` as data. Not required here is what is missed elsewhere in better words: handler, permission.
const NAMESPACE = {
  namespace: { ...TEXT, required: true },
  routes: { type: 'array', items: { type: 'object' }, maxItems: Number.MAX_SAFE_INTEGER, required: true },
  index: { type: 'boolean', enum: [false] },
  resources: NAMED,
} as const;

const ROUTE = {
  pattern: { ...TEXT, required: true },
  endpoints: { type: 'array', items: { type: 'object' }, minItems: 1, required: true },
  resource: TEXT,
} as const;

const ENDPOINT = {
  methods: { type: 'array', items: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }, minItems: 1, required: true },
  handler: TEXT,
  permission: TEXT,
  allow_batch: { type: 'object', properties: { v1: { type: 'boolean', enum: [true], required: true } }, additionalProperties: false },
  args: { ...NAMED, required: true },
  body: NAMED,
  bodyForm: { type: 'string', enum: ['members', 'array'] },
  checkFirst: TEXTS,
  checks: { type: 'object', additionalProperties: TEXT },
  cache: TEXTS,
  answer: { type: 'object' },
  shows: { type: 'array', items: { type: 'string', enum: ['record', 'list', 'page', 'removal'] }, minItems: 1 },
  status: { type: 'integer', minimum: 200, maximum: 299 },
  ifMatch: { type: 'boolean', enum: [true] },
} as const;

const RESOURCE = { title: { ...TEXT, required: true }, properties: { ...NAMED, required: true }, answers: NAMED, links: NAMED } as const;
const LINK = { href: { ...TEXT, required: true }, embeddable: { type: 'boolean', enum: [true] }, when: TEXT } as const;

function isWithin(pattern: string, namespace: string): boolean {
  return namespace === '' || pattern === `/${namespace}` || pattern.startsWith(`/${namespace}/`);
}

/** Segments of a path, so that its routes can be reached by the address that the name says. */
const NAME = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

function checkName(namespace: string): void {
  if (!NAME.test(namespace)) throw new TypeError(`${JSON.stringify(namespace)} can not be a namespace: it is one or more words of ASCII letters, digits, "-", "_" and ".", with one slash between two, such as "vendor/v1"`);
}

/**
 * Makes the check that holds descriptors which no compiler saw (from a .json file) to their types.
 * @returns a function that throws a TypeError naming namespace, pattern and method of the first thing that does not fit.
 */
export function createDescriptorCheck(validators: Validators): (descriptor: NamespaceDescriptor) => void {
  const toCheck = (part: string, members: ArgSchemas) => {
    const validate = validators.compile({ type: 'object', properties: members });
    return (where: string, value: object): void => {
      atPlace(where, () => checkMembers(`the ${part}`, value, Object.keys(members)));
      const invalid = validate(part, value);
      if (invalid !== null) throw new TypeError(`${where}: ${invalid.message}`);
    };
  };
  const [checkNamespace, checkRoute, checkEndpoint] = [toCheck('namespace', NAMESPACE), toCheck('route', ROUTE), toCheck('endpoint', ENDPOINT)];
  const [checkResource, checkLink] = [toCheck('resource', RESOURCE), toCheck('link', LINK)];
  return (descriptor) => {
    const { namespace } = descriptor;
    checkNamespace(namespace, descriptor);
    checkName(namespace);
    for (const route of descriptor.routes) {
      const where = `${namespace}: ${route.pattern}`;
      checkRoute(where, route);
      for (const endpoint of route.endpoints) {
        const place = `${where} ${[endpoint.methods].flat().join(', ')}`;
        checkEndpoint(place, endpoint);
        checkSchema(`${place}, answer`, endpoint.answer ?? {});
        if (endpoint.shows !== undefined && route.resource === undefined) throw new TypeError(`${place}: shows says how the resource of the route is shown, which has none`);
        if (endpoint.shows !== undefined && endpoint.answer !== undefined) throw new TypeError(`${place}: shows and answer both say what is answered`);
      }
      const methods = route.endpoints.flatMap((endpoint) => endpoint.methods).join(', ');
      if (!isWithin(route.pattern, namespace)) throw new TypeError(`${where} ${methods}: the pattern does not lie within the path of its namespace, "/${namespace}"`);
      if (route.pattern.length > 1 && route.pattern.endsWith('/')) throw new TypeError(`${where} ${methods}: the pattern ends in "/", which is taken off a path before it is looked up`);
    }
    for (const [id, resource] of Object.entries(descriptor.resources ?? {})) {
      const where = `${namespace}: resource ${id}`;
      checkResource(where, resource);
      checkArgs(where, resource.properties);
      checkArgs(`${where}, answers`, resource.answers ?? {});
      for (const [relation, link] of Object.entries(resource.links ?? {})) checkLink(`${where}, link ${relation}`, link);
    }
  };
}
