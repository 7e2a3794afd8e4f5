import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TextEngine } from '../../../../../registry/plugins/ml/engine/text-engine.ts';
import { readTranslationOptions } from '../../../../../registry/plugins/ml/services/service-options.ts';
import { TEST_CONFIG } from '../../../../support/ports.ts';
import { createJob, createMlSite, fetchFile } from '../ml-site.ts';

const toEngine = (id: string): TextEngine => ({
  id,
  label: id,
  languages: ['en', 'fr'],
  translate: async ({ fields }) =>
    new Map(
      fields
        .filter((field) => field.id === 'title')
        .map((field) => [field.id, { text: `${id}: ${field.source}`, state: 'initial' }]),
    ),
});

const options = suite('readTranslationOptions');
options('defaults', () => {
  assert.equal(readTranslationOptions({ namespaces: {} }), {
    engine: null,
    textEngines: [],
    appliedStatus: 'draft',
    consoleUrl: null,
    serviceName: null,
    extraRoutes: null,
    machines: { deepl: {}, libretranslate: {} },
  });
});
const WRONG: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['status', { appliedStatus: 'publish' }],
  ['address', { consoleUrl: 'javascript:1' }],
  ['no address', { consoleUrl: 7 }],
  ['engine', { engine: { name: 'local' } }],
  ['text engines', { textEngines: [{ id: 'x' }] }],
  ['two of one id', { textEngines: [toEngine('a'), toEngine('a')] }],
  ['a second memory', { textEngines: [toEngine('memory')] }],
];
for (const [name, ml] of WRONG)
  options(`refuses a wrong ${name}`, () => {
    assert.throws(
      () => readTranslationOptions({ namespaces: { ml } }),
      (error: unknown) => error instanceof TypeError,
    );
  });
options('engines prefill texts in the configured order', async () => {
  const site = await createMlSite({
    config: { ...TEST_CONFIG, namespaces: { ml: { textEngines: [toEngine('a'), toEngine('b')] } } },
  });
  assert.match(await fetchFile(site, await createJob(site)), '<![CDATA[a: Post 101]]>');
  await site.ask('admin', 'POST /ml/tm/v1/ams/engines', [{ engine: 'b' }, { engine: 'a', enabled: false }]);
  assert.match(await fetchFile(site, await createJob(site, 107)), '<![CDATA[b: Post 107]]>');
  assert.not.match(await fetchFile(site, await createJob(site, 101, { target_language: 'nl' })), 'b: Post');
});
options('an engine that does not return a Map is named in the log', async () => {
  for (const [value, named] of [
    [undefined, 'undefined'],
    [{ title: 'x' }, 'a plain object'],
    ['x', 'a text'],
  ] as const) {
    const mistaken = { ...toEngine('mistaken'), translate: async () => value as never };
    const logged: unknown[] = [];
    const site = await createMlSite({
      log: ({ error }) => {
        logged.push(error);
      },
      config: { ...TEST_CONFIG, namespaces: { ml: { textEngines: [mistaken] } } },
    });
    await createJob(site).catch(() => undefined);
    assert.ok(
      logged.some(
        (error) =>
          String(error) ===
          `TypeError: the text engine "mistaken" returned ${named}; it must return a Map of translations by field id`,
      ),
    );
  }
});
options.run();
