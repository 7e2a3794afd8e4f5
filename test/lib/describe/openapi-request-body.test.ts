import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUploadEngine } from '../../support/upload-engine.ts';

const PLACE = { title: 'Test', version: '1', language: 'en', siteUrl: 'http://site.test' };

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody: { readonly required: boolean; readonly content: Readonly<Record<string, unknown>> };
}

const document = createUploadEngine({
  save: async () => 'id',
  remove: async () => undefined,
}).describeOpenApi(PLACE);

function operationOf(path: string): Operation {
  const { post } = (document['paths'] as Readonly<Record<string, { readonly post: Operation }>>)[path] ?? {};
  if (post === undefined) throw new Error(`the document has no POST ${path}`);
  return post;
}

const bodies = suite('OpenAPI: the media types of bodies');

bodies('are those that the endpoint accepts', () => {
  const rows = [
    ['/up/v1/bytes', ['application/octet-stream', 'image/*']],
    ['/up/v1/stream', ['application/json', '*/*']],
    ['/up/v1/hook', ['application/json']],
    ['/up/v1/plain', ['application/json', 'application/x-www-form-urlencoded']],
  ] as const;
  for (const [path, types] of rows)
    assert.equal(Object.keys(operationOf(path).requestBody.content), types, path);
  assert.equal(operationOf('/up/v1/bytes').requestBody.content['image/*'], {});
});

bodies('without args leave the parameters to the query', () => {
  assert.equal(
    operationOf('/up/v1/bytes').parameters.map((each) => [each.in, each.name]),
    [['query', 'note']],
  );
  assert.equal(operationOf('/up/v1/stream').parameters, []);
  assert.equal(operationOf('/up/v1/hook').parameters, []);
});

bodies('show the files of a form', () => {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const { schema, encoding } = operationOf('/up/v1/form').requestBody.content['multipart/form-data'] as {
    schema: { properties: object; required: object };
    encoding: object;
  };
  assert.equal(schema.required, ['title', 'photo']);
  assert.equal(
    Object.fromEntries(
      Object.entries(schema.properties).filter(([name]) => name === 'photo' || name === 'icon'),
    ),
    { photo: { type: 'array', items: file, maxItems: 2 }, icon: file },
  );
  assert.equal(Object.entries(encoding).find(([name]) => name === 'icon')?.[1], { contentType: 'image/png' });
});

bodies.run();
