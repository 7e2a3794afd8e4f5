import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createNamespaceIndex, createRoot } from '../../lib/engine/root-routes.ts';
import type { EndpointDescriptor, NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import type { ArgSchema, ArgSchemas } from '../../lib/schema/schema-dialect.ts';
import { registryDescriptors } from '../../registry/index.ts';
import { TEST_NAMES } from '../support/site.ts';
import { BATCH_ALLOWED, INTERFACE } from './interface-tables.ts';

type Pairs = ReadonlyMap<string, ArgSchemas>;

/** Everything that the site serves: the root routes, and the index and routes of each namespace. */
function listDescriptors(): readonly NamespaceDescriptor[] {
  const root = createRoot({}).descriptor;
  return [
    root,
    ...registryDescriptors.flatMap((descriptor) => {
      const index = createNamespaceIndex(descriptor, TEST_NAMES, {});
      return index === null ? [descriptor] : [index.descriptor, descriptor];
    }),
  ];
}

/** `(?P<id>\d+)` as the document writes it: `{id}`. */
function toPath(pattern: string): string {
  return pattern.replaceAll(/\(\?P<(\w+)>(?:[^()[\]]|\[[^\]]*\])+\)/g, '{$1}');
}

function listEndpoints(): readonly (readonly [path: string, endpoint: EndpointDescriptor])[] {
  return listDescriptors().flatMap(({ routes }) =>
    routes.flatMap((route) => route.endpoints.map((endpoint) => [toPath(route.pattern), endpoint] as const)),
  );
}

function servedPairs(): Pairs {
  return new Map(
    listEndpoints().flatMap(([path, endpoint]) =>
      endpoint.methods.map((method) => [`${method} ${path}`, endpoint.args] as const),
    ),
  );
}

function documentedPairs(): Pairs {
  return new Map(
    INTERFACE.flatMap(([methods, path, params = {}]) =>
      methods.split(', ').map((method) => [`${method} ${path}`, params] as const),
    ),
  );
}

/** A schema without its descriptions. The types of a union are sorted, because the document does not order them. */
function toFacts(schema: ArgSchema): object {
  const { description: _description, title: _title, ...rest } = schema;
  const children = (members: ArgSchemas) =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, toFacts(member)]));
  return {
    ...rest,
    ...(Array.isArray(rest.type) ? { type: [...rest.type].sort() } : {}),
    ...(rest.items === undefined ? {} : { items: toFacts(rest.items) }),
    ...(rest.properties === undefined ? {} : { properties: children(rest.properties) }),
    ...(rest.oneOf === undefined ? {} : { oneOf: rest.oneOf.map(toFacts) }),
  };
}

function namespaceOf(pair: string): string {
  const path = pair.slice(pair.indexOf(' ') + 2);
  return (
    registryDescriptors
      .map((descriptor) => descriptor.namespace)
      .filter((name) => path === name || path.startsWith(`${name}/`))
      .sort((a, b) => b.length - a.length)[0] ?? ''
  );
}

const transcription = suite('registry and interface.md');

transcription('serve the same method and route pairs', () => {
  const served = [...servedPairs().keys()];
  const documented = [...documentedPairs().keys()];
  assert.equal(
    served.filter((pair) => !documentedPairs().has(pair)),
    [],
    'served, but not in the document',
  );
  assert.equal(
    documented.filter((pair) => !servedPairs().has(pair)),
    [],
    'in the document, but not served',
  );
});

transcription('have the same routes in the same order within each namespace', () => {
  for (const { namespace } of registryDescriptors) {
    const routesOf = (pairs: Pairs) => [
      ...new Set(
        [...pairs.keys()]
          .filter((pair) => namespaceOf(pair) === namespace)
          .map((pair) => pair.slice(pair.indexOf(' ') + 1)),
      ),
    ];
    assert.equal(routesOf(servedPairs()), routesOf(documentedPairs()), namespace);
  }
});

for (const [pair, params] of documentedPairs()) {
  transcription(`${pair}: same parameters, in the same order, with the same facts`, () => {
    const args = servedPairs().get(pair) ?? {};
    assert.equal(Object.keys(args), Object.keys(params));
    for (const [name, schema] of Object.entries(params))
      assert.equal(toFacts(args[name] ?? {}), toFacts(schema), name);
  });
}

transcription('allow batches of the same routes', () => {
  const allowed = listEndpoints()
    .filter(([, endpoint]) => endpoint.allow_batch?.v1 === true)
    .flatMap(([path, endpoint]) => endpoint.methods.map((method) => `${method} ${path}`));
  assert.equal([...allowed].sort(), [...BATCH_ALLOWED].sort());
});

transcription('count 97 routes and 123 method and route pairs, of which 79 routes belong to plugins', () => {
  const routes = new Set(INTERFACE.map(([, path]) => path));
  assert.is(routes.size, 97);
  assert.is(servedPairs().size, 123);
  const plugins = registryDescriptors.filter((descriptor) => descriptor.namespace !== 'cms/v2');
  assert.is(
    plugins.reduce((sum, descriptor) => sum + descriptor.routes.length, 0),
    79,
  );
});

transcription.run();

const GROUPS: readonly (readonly [group: string, fits: readonly string[], refused: readonly string[]])[] = [
  ...['id', 'parent', 'jobId', 'ateJobId', 'mlJobId', 'job_id'].map(
    (group) => [group, ['1', '007'], ['a', '1a', '-1', '']] as const,
  ),
  ...['introduction_id', 'plugin', 'type'].map(
    (group) => [group, ['ai-fix_1', 'A'], ['a.b', 'a b', '']] as const,
  ),
  ['job_type', ['post', 'st_1'], ['st-batch', '']],
];

const groups = suite('identifier groups');

for (const [group, fits, refused] of GROUPS) {
  groups(`{${group}} takes what the conventions of interface.md 4 say`, () => {
    const expressions = registryDescriptors
      .flatMap((descriptor) => descriptor.routes)
      .flatMap(({ pattern }) =>
        [...pattern.matchAll(/\(\?P<(\w+)>((?:[^()[\]]|\[[^\]]*\])+)\)/g)]
          .filter((match) => match[1] === group)
          .map((match) => new RegExp(`^(?:${match[2]})$`)),
      );
    assert.ok(expressions.length > 0, 'no route has this group');
    for (const expression of expressions) {
      assert.equal(
        fits.filter((text) => !expression.test(text)),
        [],
      );
      assert.equal(
        refused.filter((text) => expression.test(text)),
        [],
      );
    }
  });
}

groups.run();
