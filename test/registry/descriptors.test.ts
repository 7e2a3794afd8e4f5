import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ArgsCompiler } from '../../lib/compile/compile-args.ts';
import { compileTable } from '../../lib/compile/table.ts';
import { CallCounts } from '../../lib/compile/terms/call-counts.ts';
import type { Names } from '../../lib/core/names.ts';
import type { EndpointDescriptor } from '../../lib/route/descriptor.ts';
import { Validators } from '../../lib/schema/validate.ts';
import { CAPABILITIES } from '../../registry/core/accounts/roles.ts';
import { collections, registryDescriptors } from '../../registry/index.ts';
import { createStub } from '../support/stub-namespace.ts';

const NAMES: Names = {
  apiSegment: 'cms-json',
  headerPrefix: 'X-CMS',
  apiRelation: 'https://example.org/api',
  segments: {},
  params: {},
  curie: { neutral: 'cms', wire: 'cms', href: 'https://example.org/{rel}' },
};

function listEndpoints(): readonly EndpointDescriptor[] {
  return registryDescriptors.flatMap((descriptor) =>
    descriptor.routes.flatMap((route) => [...route.endpoints]),
  );
}

const descriptors = suite('registryDescriptors');

for (const descriptor of registryDescriptors) {
  descriptors(`${descriptor.namespace} loses nothing on its way through JSON`, () => {
    assert.equal(JSON.parse(JSON.stringify(descriptor)), descriptor);
  });
}

descriptors('name the namespaces in the order of the index', () => {
  assert.equal(
    registryDescriptors.map((descriptor) => descriptor.namespace),
    [
      'oembed/1.0',
      'ml/v1',
      'secscan/v1',
      'seo/v1',
      'ml/tm/v1',
      'ml/ate/v1',
      'ml/st/v1',
      'builder/photofeed',
      'builder',
      'pkg/installer/v1',
      'cms/v2',
      'cms-site-health/v1',
      'cms-block-editor/v1',
      'cms-abilities/v1',
    ],
  );
});

descriptors('compile: schemas, patterns and permissions hold', () => {
  const table = compileTable(registryDescriptors.map(createStub), () => ({
    answers: null,
    names: NAMES,
    args: new ArgsCompiler(NAMES, new Validators()),
    capabilities: CAPABILITIES,
    counts: new CallCounts(null),
    calls: null,
    commonArgs: { ml_language: { type: 'string', enum: ['nl', 'en', 'fr'] } },
  }));
  assert.is(table.routes.length, 84);
});

descriptors('use a permission word that exists: public, a capability of a role, or a dotted id', () => {
  const unknown = listEndpoints()
    .map((endpoint) => endpoint.permission)
    .filter(
      (permission) => permission !== 'public' && !CAPABILITIES.has(permission) && !permission.includes('.'),
    );
  assert.equal(unknown, []);
});

descriptors('give each endpoint a handler id of its own', () => {
  const ids = listEndpoints().map((endpoint) => endpoint.handler);
  assert.is(new Set(ids).size, ids.length);
});

descriptors('check first, and cache by, only what there is', () => {
  const strangers = listEndpoints().flatMap((endpoint) =>
    (endpoint.checkFirst ?? []).filter((name) => !(name in endpoint.args)),
  );
  assert.equal(strangers, []);
  const known = new Set(collections.map(({ name }) => name));
  assert.equal(
    listEndpoints().flatMap(({ cache }) => (cache ?? []).filter((name) => !known.has(name))),
    [],
  );
});

descriptors('show a resource that the namespace describes', () => {
  for (const descriptor of registryDescriptors) {
    for (const { resource } of descriptor.routes) {
      if (resource !== undefined)
        assert.ok(descriptor.resources !== undefined && resource in descriptor.resources, resource);
    }
  }
});

descriptors.run();
