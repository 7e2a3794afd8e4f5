import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Ajv2020 from 'ajv/dist/2020.js';
import { defineNamespace } from '../../lib/index.ts';
import { createSite } from '../../registry/index.ts';
import { createTestEngine } from '../support/site.ts';
import { createTestPorts } from '../support/ports.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: { readonly type?: string; readonly description?: string } }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { readonly schema: { readonly type?: unknown; readonly properties: object; readonly required?: readonly string[] } }>> };
  readonly responses: object;
}

interface OpenApi {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

async function describe(language: string): Promise<OpenApi> {
  const { engine, close } = await createSite({ store: createTestPorts().store });
  const document = engine.describeOpenApi({ title: 'Site', version: '1', language, siteUrl: 'http://site.test' });
  await close();
  return JSON.parse(JSON.stringify(document)) as OpenApi;
}

const openapi = suite('describeOpenApi');

openapi('describes every method and route once', async () => {
  const { openapi: version, servers, paths } = await describe('en');
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  assert.is(version, '3.1.0');
  assert.equal(servers, [{ url: 'http://site.test/en/cms-json' }]);
  assert.is(Object.keys(paths).length, 97);
  assert.is(operations.length, 123);
  assert.is(new Set(operations.map((operation) => operation.operationId)).size, operations.length);
});

openapi('names each group of a pattern as a path parameter, and no other', async () => {
  const { paths } = await describe('en');
  for (const [path, item] of Object.entries(paths)) {
    const groups = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.not.match(path, /\(\?P/);
    for (const { parameters } of Object.values(item)) assert.equal(parameters.filter((each) => each.in === 'path').map((each) => each.name), groups, path);
  }
});

openapi('puts the parameters of a write into its body', async () => {
  const { paths } = await describe('en');
  const create = paths['/cms/v2/posts']?.['post'];
  assert.ok(create?.requestBody?.content['application/json']?.schema.properties);
  assert.equal(paths['/batch/v1']?.['post']?.requestBody?.content['application/json']?.schema.required, ['requests']);
  assert.is(paths['/cms/v2/posts']?.['get']?.requestBody, undefined);
});

openapi('says which operations are open to everybody', async () => {
  const { paths } = await describe('en');
  assert.equal(paths['/seo/v1/get_head']?.['get']?.security, [{}]);
  assert.equal(paths['/seo/v1/workouts']?.['get']?.security, [{ applicationPassword: [] }]);
  assert.equal(paths['/cms/v2/posts/{id}']?.['get']?.security, [{ applicationPassword: [] }, {}]);
});

openapi('speaks the language that is asked for', async () => {
  const text = async (language: string): Promise<string | undefined> => (
    (await describe(language)).paths['/cms/v2/posts']?.['get']?.parameters.find((each) => each.name === 'page')?.schema.description
  );
  assert.is.not(await text('en'), await text('fr'));
});

openapi('writes every schema as JSON Schema 2020-12, as OpenAPI 3.1 has it', async () => {
  const ajv = new Ajv2020.default({ strict: false, logger: false });
  const wrong: string[] = [];
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (name === 'schema' && ajv.validateSchema(part as object) !== true) wrong.push(`${place}: ${ajv.errorsText()}`);
      visit(part, `${place}/${name}`);
    }
  };
  const document = await describe('en');
  visit(document.paths, '');
  for (const schema of Object.values(document.components.schemas)) visit({ schema }, 'components');
  assert.equal(wrong, []);
});

openapi('describes what an endpoint reads beyond its declared parameters', async () => {
  const { paths } = await describe('en');
  const signed = paths['/secscan/v1/authenticate']?.['post']?.requestBody?.content['application/json']?.schema;
  assert.ok(Object.keys(signed?.properties ?? {}).length > 1);
  const cancel = paths['/ml/tm/v1/jobs/cancel']?.['post']?.requestBody;
  assert.equal(cancel?.content['application/json']?.schema.type, ['array', 'object']);
  assert.equal(Object.keys(cancel?.content['application/x-www-form-urlencoded']?.schema.properties ?? {}), ['jobs', 'ml_language']);
});

openapi('holds what clients send to limits, and says none of what the server answers', async () => {
  const list = { type: 'array', items: { type: 'string' } } as const;
  const engine = createTestEngine([defineNamespace({
    namespace: 'probe/v1',
    routes: [{ pattern: '/probe/v1/words', endpoints: [{ methods: ['POST'], handler: 'write', permission: 'public', args: { words: list }, answer: list }] }],
  }, { write: () => [] })]);
  const { paths } = JSON.parse(JSON.stringify(engine.describeOpenApi({ title: 'Site', version: '1', language: 'en', siteUrl: 'http://site.test' }))) as OpenApi;
  const operation = paths['/probe/v1/words']?.['post'];
  assert.match(JSON.stringify(operation?.requestBody), '"maxItems":100');
  assert.not.match(JSON.stringify(operation?.responses), 'maxItems');
});

openapi.run();
