import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDescriptorCheck } from '../../../lib/route/check-descriptor.ts';
import type { NamespaceDescriptor } from '../../../lib/route/descriptor.ts';
import { Validators } from '../../../lib/schema/validate.ts';
import { registryDescriptors } from '../../../registry/index.ts';
import { refusalOf } from '../../support/refusal.ts';

const GET = '"methods":["GET"],"handler":"read","permission":"public"';
const endpoint = (members: string): string => `{"namespace":"a/v1","routes":[{"pattern":"/a/v1/b","endpoints":[{${members}}]}]}`;
const route = (members: string): string => `{"namespace":"a/v1","routes":[{${members}}]}`;
const resource = (members: string): string => `{"namespace":"a/v1","routes":[],"resources":{"b":{${members}}}}`;

const example = (members: string): string => endpoint(`${GET},"args":{"count":{"type":"integer","required":true}},"body":{"word":{"type":"string"}},"answers":{"200":{"type":"string"}},"examples":{"one":${members}}`);

/** What a file may hold, and how the text that refuses it begins. */
const REFUSED: readonly (readonly [json: string, text: string])[] = [
  ['{"namespace":"a/v1","routes":[],"version":1}', 'a/v1: unknown member "version" of the namespace; the members are namespace, routes,'],
  ['{"namespace":"a/v1"}', 'a/v1: routes is a required property'],
  ['{"namespace":"a/v1","routes":{}}', 'a/v1: namespace[routes] is not of type array'],
  ['{"namespace":"a/v1","routes":[null]}', 'a/v1: namespace[routes][0] is not of type object'],
  ['{"namespace":7,"routes":[]}', '7: namespace[namespace] is not of type string'],
  ['{"namespace":"a/v1","routes":[],"index":true}', 'a/v1: namespace[index] is not false'],
  [route('"pattern":"/a/v1/b","endpoints":[]'), 'a/v1: /a/v1/b: route[endpoints] must contain at least 1 item.'],
  [route('"pattern":"/a/v1/b"'), 'a/v1: /a/v1/b: endpoints is a required property'],
  [route('"pattern":"/a/v1/b","endpoint":[]'), 'a/v1: /a/v1/b: unknown member "endpoint" of the route'],
  [route('"endpoints":[{}]'), 'a/v1: undefined: pattern is a required property'],
  [endpoint(`${GET},"arg":{}`), 'a/v1: /a/v1/b GET: unknown member "arg" of the endpoint; the members are methods, handler, permission,'],
  [endpoint('"methods":["GET","POST"],"handler":"read","permision":"public","args":{}'), 'a/v1: /a/v1/b GET, POST: unknown member "permision"'],
  [endpoint(`${GET},"args":{},"toString":1`), 'a/v1: /a/v1/b GET: unknown member "toString"'],
  [endpoint(GET), 'a/v1: /a/v1/b GET: args is a required property'],
  [endpoint(`${GET},"args":[]`), 'a/v1: /a/v1/b GET: endpoint[args] is not of type object'],
  [endpoint(`${GET},"args":{"c":"integer"}`), 'a/v1: /a/v1/b GET: endpoint[args][c] is not of type object'],
  [endpoint('"methods":[],"args":{}'), 'a/v1: /a/v1/b : endpoint[methods] must contain at least 1 item.'],
  [endpoint('"methods":"GET","args":{}'), 'a/v1: /a/v1/b GET: endpoint[methods] is not of type array'],
  [endpoint('"args":{}'), 'a/v1: /a/v1/b : methods is a required property'],
  [endpoint(`${GET},"args":{},"allow_batch":true`), 'a/v1: /a/v1/b GET: endpoint[allow_batch] is not of type object'],
  [endpoint(`${GET},"args":{},"allow_batch":{"v1":false}`), 'a/v1: /a/v1/b GET: endpoint[allow_batch][v1] is not true'],
  [endpoint(`${GET},"args":{},"bodyForm":"list"`), 'a/v1: /a/v1/b GET: endpoint[bodyForm] is not one of'],
  [endpoint(`${GET},"args":{},"cache":"posts"`), 'a/v1: /a/v1/b GET: endpoint[cache] is not of type array'],
  [endpoint(`${GET},"args":{},"shows":"list"`), 'a/v1: /a/v1/b GET: endpoint[shows] is not of type array'],
  [endpoint(`${GET},"args":{},"shows":["lists"]`), 'a/v1: /a/v1/b GET: endpoint[shows][0] is not one of record, list, page,'],
  [endpoint('"methods":["POST"],"handler":"h","permission":"public","args":{},"cache":["posts"]'), 'a/v1: /a/v1/b POST: cache needs the method GET; responses to other methods are never cached'],
  [endpoint(`${GET},"args":{},"shows":["list"]`), 'a/v1: /a/v1/b GET: shows needs a resource, but the route does not name one'],
  [route(`"pattern":"/a/v1/b","resource":"b","endpoints":[{${GET},"args":{},"shows":["list"],"answers":{"200":{}}}]`), 'a/v1: /a/v1/b GET: shows and answers cannot both be given; both describe the response'],
  [endpoint(`${GET},"args":{},"status":404`), 'a/v1: /a/v1/b GET: endpoint[status] must be between 200 (inclusive) and 299 (inclusive)'],
  [endpoint(`${GET},"args":{},"ifMatch":false`), 'a/v1: /a/v1/b GET: endpoint[ifMatch] is not true'],
  [endpoint(`${GET},"args":{},"summary":5`), 'a/v1: /a/v1/b GET: endpoint[summary] is not of type string'],
  [endpoint(`${GET},"args":{},"description":""`), 'a/v1: /a/v1/b GET: endpoint[description] must be at least 1 character'],
  [endpoint(`${GET},"args":{},"tags":"words"`), 'a/v1: /a/v1/b GET: endpoint[tags] is not of type array'],
  [endpoint(`${GET},"args":{},"tags":["a","a"]`), 'a/v1: /a/v1/b GET: endpoint[tags] has duplicate items'],
  [endpoint(`${GET},"args":{},"deprecated":false`), 'a/v1: /a/v1/b GET: endpoint[deprecated] is not true'],
  [endpoint(`${GET},"args":{},"examples":{"one":[]}`), 'a/v1: /a/v1/b GET: endpoint[examples][one] is not of type object'],
  [endpoint(`${GET},"args":{},"examples":{"__proto__":{}}`), 'a/v1: /a/v1/b GET, examples: __proto__ is not a name'],
  [example('{"arguments":{}}'), 'a/v1: /a/v1/b GET, example one: arguments is not a valid property of Object'],
  [example('{"summary":1}'), 'a/v1: /a/v1/b GET, example one: the example[summary] is not of type string'],
  [example('{"args":[]}'), 'a/v1: /a/v1/b GET, example one: the example[args] is not of type object'],
  [example('{"args":{"count":1,"counts":2}}'), 'a/v1: /a/v1/b GET, example one: unknown parameter "counts"; the parameters are count, word'],
  [example('{"args":{"toString":1}}'), 'a/v1: /a/v1/b GET, example one: unknown parameter "toString"; the parameters are count, word'],
  [example('{"args":{"word":"a"}}'), 'a/v1: /a/v1/b GET, example one: the required parameter "count" is missing'],
  [example('{"args":{"count":"1"}}'), 'a/v1: /a/v1/b GET, example one: count is not of type integer'],
  [example('{"answer":1}'), 'a/v1: /a/v1/b GET, example one: answer is not of type string'],
  [resource('"title":"b","properties":{},"answers":{"c":{"typ":"string"}}'), 'a/v1: resource b, answers, parameter c: unknown schema keyword "typ"'],
  [endpoint(`${GET},"args":{},"checks":{"c":1}`), 'a/v1: /a/v1/b GET: endpoint[checks][c] is not of type string'],
  [`{"namespace":"a/v1","routes":[{"pattern":"/a/v12","endpoints":[{${GET},"args":{}}]}]}`, 'a/v1: /a/v12 GET: the pattern must begin with the path of its namespace'],
  ...['/', '/b', 'b/', 'b//c', 'b c', '..', 'b/..', 'b?c', 'b/(?P<c>d)'].map((name) => [`{"namespace":"${name}","routes":[]}`, `"${name}" cannot be a namespace: a namespace must be one or more words`] as const),
  [resource('"title":"b"'), 'a/v1: resource b: properties is a required property'],
  [resource('"title":"b","properties":{"c":{"typ":"string"}}'), 'a/v1: resource b, parameter c: unknown schema keyword "typ"'],
  [resource('"title":"b","properties":{},"link":{}'), 'a/v1: resource b: unknown member "link"'],
  [resource('"title":"b","properties":{"c":{"type":"string","context":["view","veiw"]}}'), 'a/v1: resource b, parameter c: unknown context "veiw"; the contexts are view, edit, embed'],
  [resource('"title":"b","properties":{"c":{"type":"object","properties":{"d":{"context":["veiw"]}}}}'), 'a/v1: resource b, parameter c.d: unknown context "veiw"'],
  [resource('"title":"b","properties":{},"answers":{"c":{"context":["veiw"]}}'), 'a/v1: resource b, answers, parameter c: unknown context "veiw"'],
  [endpoint(`${GET},"args":{"c":{"type":"string","context":["veiw"]}}`), 'a/v1: /a/v1/b GET, parameter c: unknown context "veiw"'],
  [endpoint(`${GET},"args":{"__proto__":{"type":"string"}}`), 'a/v1: /a/v1/b GET: __proto__ is not a name'],
  [endpoint(`${GET},"args":{},"body":{"prototype":{"type":"string"}}`), 'a/v1: /a/v1/b GET: prototype is not a name'],
  [endpoint(`${GET},"args":{},"checks":{"__proto__":"c"}`), 'a/v1: /a/v1/b GET, checks: __proto__ is not a name'],
  [resource('"title":"b","properties":{"__proto__":{}}'), 'a/v1: resource b: __proto__ is not a name'],
  ['{"namespace":"a/v1","routes":[],"resources":{"__proto__":{"title":"b","properties":{}}}}', 'a/v1, resources: __proto__ is not a name'],
  [resource('"title":"b","properties":{"id":{}},"links":{"self":{"href":"/b/{id}/{idd}"}}'), 'a/v1: resource b, link self: href names a field "idd", which is not one of the properties'],
  [resource('"title":"b","properties":{},"links":{"self":{"href":"/b","embedable":true}}'), 'a/v1: resource b, link self: unknown member "embedable"'],
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
