import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '../../lib/engine/engine.ts';
import { createRequest } from '../../lib/http/create-request.ts';
import {
  CAPABILITIES,
  catalogues,
  collections,
  createCommonArgs,
  createRegistry,
  registryDescriptors,
} from '../../registry/index.ts';
import { createTestPorts, TEST_CONFIG } from '../support/ports.ts';
import { createTestEngine } from '../support/site.ts';

interface IndexDocument {
  readonly namespaces: readonly string[];
  readonly routes: Readonly<
    Record<
      string,
      {
        readonly namespace: string;
        readonly endpoints: readonly {
          readonly args: Readonly<
            Record<string, { readonly description?: string; readonly required: boolean }>
          >;
        }[];
        readonly _links?: object;
      }
    >
  >;
}

async function createSite(): Promise<Engine> {
  return createTestEngine(await createRegistry(createTestPorts()), {
    capabilities: CAPABILITIES,
    commonArgs: createCommonArgs(TEST_CONFIG.languages),
    languageParam: 'ml_language',
    catalogues,
  });
}

async function readIndex(language: string): Promise<IndexDocument> {
  const response = await (await createSite()).dispatch(createRequest('/', { language }));
  assert.is(response.status, 200);
  // The engine may have a body as text, so it is compared as it is sent.
  return JSON.parse(JSON.stringify(response.body)) as IndexDocument;
}

const registry = suite('createRegistry');

registry('brings the namespaces in the order of the index, each with its own descriptor', async () => {
  assert.equal(
    (await createRegistry(createTestPorts())).map((namespace) => namespace.descriptor),
    registryDescriptors,
  );
});

registry('declares each collection once', () => {
  const names = collections.map((collection) => collection.name);
  assert.is(new Set(names).size, names.length);
});

registry.run();

const index = suite('index of the registry');

index('lists 14 namespaces in order and 97 routes', async () => {
  const document = await readIndex('en');
  assert.equal(
    document.namespaces,
    registryDescriptors.map((descriptor) => descriptor.namespace),
  );
  assert.is(Object.keys(document.routes).length, 97);
});

index('offers ml_language on every endpoint except root and batch', async () => {
  const { routes } = await readIndex('en');
  const without = Object.entries(routes)
    .filter(([, route]) => route.endpoints.some((endpoint) => !('ml_language' in endpoint.args)))
    .map(([pattern]) => pattern);
  assert.equal(without, ['/', '/batch/v1']);
});

index(
  'states for every parameter whether it is required, and links every route without identifiers to itself',
  async () => {
    for (const [pattern, route] of Object.entries((await readIndex('en')).routes)) {
      assert.is('_links' in route, !pattern.includes('(?P<'), pattern);
      for (const { args } of route.endpoints)
        assert.equal(
          Object.values(args).filter((arg) => typeof arg.required !== 'boolean'),
          [],
          pattern,
        );
    }
  },
);

index('differs between languages in descriptions and addresses only', async () => {
  const [english, frenchIndex] = [await readIndex('en'), await readIndex('fr')];
  assert.is(
    english.routes['/cms/v2/posts']?.endpoints[0]?.args['page']?.description,
    'Number of the page to show.',
  );
  assert.is(
    frenchIndex.routes['/cms/v2/posts']?.endpoints[0]?.args['page']?.description,
    'Numéro de la page à afficher.',
  );
  const bare = (document: IndexDocument) =>
    JSON.stringify(document, (key, value: unknown) =>
      (key === 'description' && typeof value === 'string') || key === 'href' || key === 'home' ? '' : value,
    );
  assert.is(bare(frenchIndex), bare(english));
});

index.run();
