import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRequest } from '../../../lib/http/create-request.ts';
import { RestResponse } from '../../../lib/http/response.ts';
import { JsonText, toJsonList, writeJson } from '../../../lib/json/json-document.ts';
import { createProbe } from '../../support/probe.ts';
import { createTestEngine } from '../../support/site.ts';

const SPACED = '{ "a" : 1, "é": {"b":[1, 2]} }';
const VALUE = { a: 1, é: { b: [1, 2] } };

/** Both forms of one document. */
const FORMS = [SPACED, Buffer.from(SPACED)] as const;

const written = suite('JsonText');

for (const content of FORMS) {
  const kind = typeof content === 'string' ? 'text' : 'bytes';
  const open = () =>
    createTestEngine([
      createProbe({
        endpoint: { methods: ['GET'] },
        handler: () => new RestResponse(new JsonText(content), { links: {} }),
      }),
    ]);
  const plain = () =>
    createTestEngine([createProbe({ endpoint: { methods: ['GET'] }, handler: () => new JsonText(content) })]);

  written(`${kind}: is sent as it is`, async () => {
    assert.is(String((await plain().serve(createRequest('/probe/v1/it'))).body), SPACED);
  });

  written(`${kind}: is read for whoever looks at the answer in the process`, async () => {
    assert.equal((await plain().dispatch(createRequest('/probe/v1/it'))).body, VALUE);
  });

  written(`${kind}: is read for fields, links and an envelope`, async () => {
    const ask = async (query: string, engine = open()): Promise<unknown> =>
      JSON.parse(String((await engine.serve(createRequest(`/probe/v1/it${query}`))).body));
    assert.equal(await ask('?_fields=a'), { a: 1, _links: {} });
    assert.equal(await ask(''), { ...VALUE, _links: {} });
    assert.equal(((await ask('?_envelope', plain())) as { body: unknown }).body, VALUE);
  });
}

written('is read once for an answer, and again for another one', () => {
  const document = new JsonText(SPACED);
  const response = new RestResponse(document);
  assert.is(response.body, response.body);
  assert.is.not(response.body, new RestResponse(document).body);
});

written.run();

const list = suite('toJsonList');

list('joins what is written', () => {
  const joined = (...texts: readonly string[]): string =>
    String(toJsonList(texts.map((text) => Buffer.from(text))).content);
  assert.is(joined(), '[]');
  assert.is(joined('{"é":2}'), '[{"é":2}]');
  assert.is(joined('1', '{"a":2}', '[3]'), '[1,{"a":2},[3]]');
});

list.run();

const write = suite('writeJson');

write('refuses what is no JSON', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  for (const value of [undefined, 1n, () => 1, cycle])
    assert.throws(
      () => writeJson(value),
      (error: unknown) => error instanceof TypeError,
    );
});

write.run();
