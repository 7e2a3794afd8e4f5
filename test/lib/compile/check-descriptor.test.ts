import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDescriptorCheck } from '../../../lib/compile/check-descriptor.ts';
import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { registryDescriptors } from '../../../registry/index.ts';
import { refusalOf } from '../../support/refusal.ts';

const GET = '"methods":["GET"],"handler":"read","permission":"public"';
const endpoint = (members: string): string =>
  `{"namespace":"a/v1","routes":[{"pattern":"/a/v1/b","endpoints":[{${members}}]}]}`;
const route = (members: string): string => `{"namespace":"a/v1","routes":[{${members}}]}`;
const resource = (members: string): string =>
  `{"namespace":"a/v1","routes":[],"resources":{"b":{${members}}}}`;

const example = (members: string): string =>
  endpoint(
    `${GET},"args":{"count":{"type":"integer","required":true}},"body":{"word":{"type":"string"}},"answers":{"200":{"type":"string"}},"examples":{"one":${members}}`,
  );

/** What a file may hold, and how the text that refuses it begins. */
const REFUSED: readonly (readonly [json: string, text: string])[] = [
  [
    endpoint('"methods":["get"],"args":{}'),
    'a/v1: /a/v1/b get: methods[0]: "get" is not one of GET, POST, PUT, PATCH, DELETE, in capital letters',
  ],
  [
    endpoint('"methods":["HEAD"],"args":{}'),
    'a/v1: /a/v1/b HEAD: methods[0]: "HEAD" is not one of GET, POST, PUT, PATCH, DELETE, in capital letters; GET serves HEAD as well',
  ],
  [
    endpoint('"method":"GET"'),
    'a/v1: /a/v1/b, endpoints[0]: unknown member "method" of the endpoint. Did you mean "methods"?',
  ],
  [
    endpoint(`${GET},"args":{},"permission_callback":"x"`),
    'a/v1: /a/v1/b GET: unknown member "permission_callback" of the endpoint; write permission, with \'public\' or an id',
  ],
  [endpoint(`${GET},"query":{}`), 'a/v1: /a/v1/b GET: unknown member "query" of the endpoint; write args'],
  [
    endpoint('"methods":["GET"],"handler":"read","permission":true,"args":{}'),
    "a/v1: /a/v1/b GET: permission: true is not 'public' (everybody may call it), a capability, or the id of a function of the namespace",
  ],
  [
    endpoint(`${GET},"args":{},"body":{"type":"object","properties":{"c":{"type":"string"}}}`),
    'a/v1: /a/v1/b GET: this is one schema, but parameters and members are written by name',
  ],
  [
    endpoint(`${GET},"args":{},"answers":{"type":"object"}`),
    'a/v1: /a/v1/b GET: answers has the member "type"; its members must be statuses from 200 to 299, or 2XX, such as { 200: { type: \'object\' } }',
  ],
  [
    endpoint(`${GET},"args":{"context":{"enum":5}}`),
    "a/v1: /a/v1/b GET, parameter context: enum is 5; it must be a list of the allowed values, such as ['asc', 'desc']",
  ],
  [
    route(`"pattern":"/a/v1/b","methods":["GET"],"handler":"read"`),
    'a/v1: /a/v1/b: unknown member "methods" of the route; it belongs to an endpoint: endpoints: [{ methods, handler, permission, args }]',
  ],
  [
    route(`"path":"/a/v1/b","endpoints":[]`),
    'a/v1: routes[0]: unknown member "path" of the route; write pattern',
  ],
  [
    route(`"pattern":"a/v1/b","endpoints":[{${GET},"args":{}}]`),
    'a/v1: a/v1/b GET: the pattern must begin with "/a/v1", the path of its namespace. Did you mean "/a/v1/b"?',
  ],
  [
    route(`"pattern":"b","endpoints":[{${GET},"args":{}}]`),
    'a/v1: b GET: the pattern must begin with "/a/v1", the path of its namespace. Did you mean "/a/v1/b"?',
  ],
  [
    route(`"pattern":"https://x.example/a/v1/b","endpoints":[{${GET},"args":{}}]`),
    'a/v1: https://x.example/a/v1/b GET: the pattern must begin with "/a/v1", the path of its namespace. Did you mean "/a/v1/b"?',
  ],
  [
    `{"namespace":"","routes":[{"pattern":"b","endpoints":[{${GET},"args":{}}]}]}`,
    ': b GET: the pattern must begin with "/". Did you mean "/b"?',
  ],
  ['{"name":"a/v1","routes":[]}', 'the descriptor: unknown member "name" of the namespace; write namespace'],
  [
    '{"namespace":"a/v1","routes":[],"version":1}',
    'a/v1: unknown member "version" of the namespace; the members are namespace, routes,',
  ],
  ['{"namespace":"a/v1"}', 'a/v1: routes is missing; it must be a list of routes, [{ pattern, endpoints }]'],
  [
    '{"namespace":"a/v1","routes":{}}',
    'a/v1: routes: an object is not a list of routes, [{ pattern, endpoints }]',
  ],
  ['{"namespace":"a/v1","routes":[null]}', 'a/v1: routes[0]: null is not a route, { pattern, endpoints }'],
  ['{"namespace":7,"routes":[]}', 'the descriptor: namespace: 7 is not a text such as "notes"'],
  ['{"namespace":"a/v1","routes":[],"index":true}', 'a/v1: index: true is not false; leave it out otherwise'],
  [
    route('"pattern":"/a/v1/b","endpoints":[]'),
    'a/v1: /a/v1/b: endpoints: [] is not a list of one or more endpoints, such as [{ methods, handler, permission, args }]',
  ],
  [
    route('"pattern":"/a/v1/b"'),
    'a/v1: /a/v1/b: endpoints is missing; it must be a list of one or more endpoints',
  ],
  [route('"pattern":"/a/v1/b","endpoint":[]'), 'a/v1: /a/v1/b: unknown member "endpoint" of the route'],
  [
    route('"endpoints":[{}]'),
    'a/v1: routes[0]: pattern is missing; it must be a text such as "/notes/items/{id}"',
  ],
  [
    endpoint(`${GET},"arg":{}`),
    'a/v1: /a/v1/b GET: unknown member "arg" of the endpoint. Did you mean "args"?',
  ],
  [
    endpoint('"methods":["GET","POST"],"handler":"read","permision":"public","args":{}'),
    'a/v1: /a/v1/b GET, POST: unknown member "permision" of the endpoint. Did you mean "permission"?',
  ],
  [endpoint(`${GET},"args":{},"toString":1`), 'a/v1: /a/v1/b GET: unknown member "toString"'],
  [
    endpoint(GET),
    "a/v1: /a/v1/b GET: args is missing; it must be an object of schemas by parameter, such as { id: { type: 'integer' } }, or {} for none",
  ],
  [endpoint(`${GET},"args":[]`), 'a/v1: /a/v1/b GET: args: [] is not an object of schemas by parameter'],
  [
    endpoint(`${GET},"args":{"c":"integer"}`),
    'a/v1: /a/v1/b GET, parameter c: "integer" is not a schema; a schema is an object, such as { type: \'integer\' }',
  ],
  [
    endpoint('"methods":[],"args":{}'),
    "a/v1: /a/v1/b, endpoints[0]: methods: [] is not a list of one or more methods, such as ['GET']",
  ],
  [
    endpoint('"methods":"GET","args":{}'),
    'a/v1: /a/v1/b GET: methods: "GET" is not a list of one or more methods, such as [\'GET\']',
  ],
  [
    endpoint('"args":{}'),
    "a/v1: /a/v1/b, endpoints[0]: methods is missing; it must be a list of one or more methods, such as ['GET']",
  ],
  [
    endpoint(`${GET},"args":{},"allow_batch":true`),
    'a/v1: /a/v1/b GET: allow_batch: true is not { v1: true }',
  ],
  [
    endpoint(`${GET},"args":{},"allow_batch":{"v1":false}`),
    'a/v1: /a/v1/b GET: allow_batch.v1: false is not true',
  ],
  [
    endpoint(`${GET},"args":{},"bodyForm":"list"`),
    'a/v1: /a/v1/b GET: bodyForm: "list" is not one of members, array',
  ],
  [
    endpoint(`${GET},"args":{},"cache":"posts"`),
    'a/v1: /a/v1/b GET: cache: "posts" is not a list of the collections that the response depends on, such as [\'posts\']',
  ],
  [
    endpoint(`${GET},"args":{},"shows":"list"`),
    'a/v1: /a/v1/b GET: shows: "list" is not a list of one or more forms, such as [\'record\']',
  ],
  [
    endpoint(`${GET},"args":{},"shows":["lists"]`),
    'a/v1: /a/v1/b GET: shows[0]: "lists" is not one of record, list, page,',
  ],
  [
    endpoint('"methods":["POST"],"handler":"h","permission":"public","args":{},"cache":["posts"]'),
    'a/v1: /a/v1/b POST: cache needs the method GET; responses to other methods are never cached',
  ],
  [
    endpoint(`${GET},"args":{},"shows":["list"]`),
    'a/v1: /a/v1/b GET: shows needs a resource, but the route does not name one',
  ],
  [
    route(
      `"pattern":"/a/v1/b","resource":"b","endpoints":[{${GET},"args":{},"shows":["list"],"answers":{"200":{}}}]`,
    ),
    'a/v1: /a/v1/b GET: shows and answers cannot both be given; both describe the response',
  ],
  [
    endpoint(`${GET},"args":{},"status":404`),
    'a/v1: /a/v1/b GET: status: 404 is not a whole number from 200 to 299; errors are thrown',
  ],
  [
    endpoint(`${GET},"args":{},"ifMatch":false`),
    'a/v1: /a/v1/b GET: ifMatch: false is not true; leave it out otherwise',
  ],
  [endpoint(`${GET},"args":{},"summary":5`), 'a/v1: /a/v1/b GET: summary: 5 is not a text'],
  [
    endpoint(`${GET},"args":{},"description":""`),
    'a/v1: /a/v1/b GET: description: "" is not a text that is not empty',
  ],
  [
    endpoint(`${GET},"args":{},"tags":"words"`),
    'a/v1: /a/v1/b GET: tags: "words" is not a list of one or more tags, such as [\'notes\']',
  ],
  [
    endpoint(`${GET},"args":{},"tags":["a","a"]`),
    'a/v1: /a/v1/b GET: tags: ["a","a"] is not a list of one or more tags, such as [\'notes\'], none of them twice',
  ],
  [endpoint(`${GET},"args":{},"deprecated":false`), 'a/v1: /a/v1/b GET: deprecated: false is not true'],
  [
    endpoint(`${GET},"args":{},"examples":{"one":[]}`),
    'a/v1: /a/v1/b GET: examples.one: [] is not an object',
  ],
  [
    endpoint(`${GET},"args":{},"examples":{"__proto__":{}}`),
    'a/v1: /a/v1/b GET, examples: __proto__ is not a name',
  ],
  [
    example('{"arguments":{}}'),
    'a/v1: /a/v1/b GET, example one: arguments is not a valid property of Object',
  ],
  [example('{"summary":1}'), 'a/v1: /a/v1/b GET, example one: the example[summary] is not of type string'],
  [example('{"args":[]}'), 'a/v1: /a/v1/b GET, example one: the example[args] is not of type object'],
  [
    example('{"args":{"count":1,"counts":2}}'),
    'a/v1: /a/v1/b GET, example one: unknown parameter "counts"; the parameters are count, word',
  ],
  [
    example('{"args":{"toString":1}}'),
    'a/v1: /a/v1/b GET, example one: unknown parameter "toString"; the parameters are count, word',
  ],
  [
    example('{"args":{"word":"a"}}'),
    'a/v1: /a/v1/b GET, example one: the required parameter "count" is missing',
  ],
  [example('{"args":{"count":"1"}}'), 'a/v1: /a/v1/b GET, example one: count is not of type integer'],
  [example('{"answer":1}'), 'a/v1: /a/v1/b GET, example one: answer is not of type string'],
  [
    resource('"title":"b","properties":{},"answers":{"c":{"typ":"string"}}'),
    'a/v1: resource b, answers, parameter c: unknown schema keyword "typ"',
  ],
  [
    endpoint(`${GET},"args":{},"checks":{"c":1}`),
    'a/v1: /a/v1/b GET: checks.c: 1 is not the id of a check of the namespace',
  ],
  [
    `{"namespace":"a/v1","routes":[{"pattern":"/a/v12","endpoints":[{${GET},"args":{}}]}]}`,
    'a/v1: /a/v12 GET: the pattern must begin with "/a/v1", the path of its namespace. Did you mean "/a/v1/a/v12"?',
  ],
  ...['/', '/b', 'b/', 'b//c', 'b c', '..', 'b/..', 'b?c', 'b/(?P<c>d)'].map(
    (name) =>
      [
        `{"namespace":"${name}","routes":[]}`,
        `"${name}" cannot be a namespace: a namespace must be one or more words`,
      ] as const,
  ),
  [
    resource('"title":"b"'),
    'a/v1: resource b: properties is missing; it must be an object of schemas by name',
  ],
  [
    resource('"title":"b","properties":{"c":{"typ":"string"}}'),
    'a/v1: resource b, parameter c: unknown schema keyword "typ"',
  ],
  [resource('"title":"b","properties":{},"link":{}'), 'a/v1: resource b: unknown member "link"'],
  [
    resource('"title":"b","properties":{"c":{"type":"string","context":["view","veiw"]}}'),
    'a/v1: resource b, parameter c: unknown context "veiw"; the contexts are view, edit, embed',
  ],
  [
    resource('"title":"b","properties":{"c":{"type":"object","properties":{"d":{"context":["veiw"]}}}}'),
    'a/v1: resource b, parameter c.d: unknown context "veiw"',
  ],
  [
    resource('"title":"b","properties":{},"answers":{"c":{"context":["veiw"]}}'),
    'a/v1: resource b, answers, parameter c: unknown context "veiw"',
  ],
  [
    endpoint(`${GET},"args":{"c":{"type":"string","context":["veiw"]}}`),
    'a/v1: /a/v1/b GET, parameter c: unknown context "veiw"',
  ],
  [endpoint(`${GET},"args":{"__proto__":{"type":"string"}}`), 'a/v1: /a/v1/b GET: __proto__ is not a name'],
  [
    endpoint(`${GET},"args":{},"body":{"prototype":{"type":"string"}}`),
    'a/v1: /a/v1/b GET: prototype is not a name',
  ],
  [
    endpoint(`${GET},"args":{},"checks":{"__proto__":"c"}`),
    'a/v1: /a/v1/b GET, checks: __proto__ is not a name',
  ],
  [resource('"title":"b","properties":{"__proto__":{}}'), 'a/v1: resource b: __proto__ is not a name'],
  [
    '{"namespace":"a/v1","routes":[],"resources":{"__proto__":{"title":"b","properties":{}}}}',
    'a/v1, resources: __proto__ is not a name',
  ],
  [
    resource('"title":"b","properties":{"id":{}},"links":{"self":{"href":"/b/{id}/{idd}"}}'),
    'a/v1: resource b, link self: href names a field "idd", which is not one of the properties',
  ],
  [
    resource('"title":"b","properties":{},"links":{"self":{"href":"/b","embedable":true}}'),
    'a/v1: resource b, link self: unknown member "embedable"',
  ],
];

const check = (descriptor: NamespaceDescriptor): void => createDescriptorCheck(new Validators())(descriptor);

const checking = suite('createDescriptorCheck');

for (const [json, text] of REFUSED) {
  checking(`refuses ${json}`, () => {
    const refusal = refusalOf(() => check(JSON.parse(json) as NamespaceDescriptor));
    assert.ok(refusal.startsWith(text), refusal);
  });
}

checking('accepts every namespace of the registry, and patterns of the namespace itself', () => {
  for (const descriptor of registryDescriptors) check(descriptor);
  for (const namespace of ['', 'b', 'b/v1', 'b-c/v1.0', '_b/c/d']) check({ namespace, routes: [] });
  const own = `"args":{"context":{"type":"string","enum":["teaser"]},"d":{"type":"string","context":["view","teaser"]}}`;
  check(JSON.parse(endpoint(`${GET},${own}`)) as NamespaceDescriptor);
  check(JSON.parse(route(`"pattern":"/a/v1","endpoints":[{${GET},"args":{}}]`)) as NamespaceDescriptor);
});

checking.run();
