import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { createCommonArgs } from '../../../registry/core/schemas/common-args.ts';
import { createSite, registryDescriptors } from '../../../registry/index.ts';
import frenchEndpoints from '../../../registry/messages/fr-endpoints.json' with { type: 'json' };
import french from '../../../registry/messages/fr.json' with { type: 'json' };
import { createTestPorts } from '../../support/ports.ts';

function childrenOf(schema: ArgSchema): readonly ArgSchema[] {
  return [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.oneOf ?? []),
  ];
}

function textsOf(schema: ArgSchema): readonly string[] {
  return [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...childrenOf(schema).flatMap(textsOf),
  ];
}

/** Every schema in the index, except those of the root routes, which have no descriptions: [where, schema]. */
function listShown(): readonly (readonly [string, ArgSchema])[] {
  const args = registryDescriptors.flatMap((descriptor) =>
    descriptor.routes.flatMap((route) =>
      route.endpoints.flatMap((endpoint) =>
        Object.entries(endpoint.args).map(
          ([name, schema]) => [`${endpoint.handler}: ${name}`, schema] as const,
        ),
      ),
    ),
  );
  const fields = registryDescriptors.flatMap((descriptor) =>
    Object.entries(descriptor.resources ?? {}).flatMap(([id, resource]) =>
      Object.entries(resource.properties).map(([name, schema]) => [`${id}: ${name}`, schema] as const),
    ),
  );
  return [...args, ...fields, ...Object.entries(createCommonArgs(['en']))];
}

const catalogue = suite('french');

catalogue('every parameter and field has a description', () => {
  assert.equal(
    listShown()
      .filter(([, schema]) => schema.description === undefined || schema.description === '')
      .map(([where]) => where),
    [],
  );
});

catalogue('every description has an entry', () => {
  const texts = listShown().flatMap(([, schema]) => textsOf(schema));
  assert.equal(
    [...new Set(texts)].filter((text) => !Object.hasOwn(french, text)),
    [],
  );
});

catalogue('every entry is used', () => {
  const texts = new Set(listShown().flatMap(([, schema]) => textsOf(schema)));
  assert.equal(
    Object.keys(french).filter((text) => !texts.has(text)),
    [],
  );
});

catalogue('no entry is empty or left in English', () => {
  assert.equal(
    Object.entries(french).filter(([english, text]) => text.trim() === '' || text === english),
    [],
  );
});

catalogue.run();

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

/** The operations of the whole site by method and path, as the OpenAPI document shows them in each language. */
async function listOperations(): Promise<Readonly<Record<'en' | 'fr', readonly Operation[]>>> {
  const { engine, close } = await createSite({ store: createTestPorts().store });
  const inLanguage = (language: string): readonly Operation[] => {
    const { paths } = engine.describeOpenApi({
      title: 'Site',
      version: '1',
      language,
      siteUrl: 'http://site.test',
    }) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
    return Object.values(paths).flatMap((item) => Object.values(item));
  };
  const operations = { en: inLanguage('en'), fr: inLanguage('fr') };
  await close();
  return operations;
}

const operations = listOperations();

/** One sentence: it begins with a capital letter, and another one does not begin in the middle. */
const isSentence = (text: unknown): boolean =>
  typeof text === 'string' && /^\p{Lu}[^\n]*[^\s.]$/u.test(text) && !/[.!?]\s/u.test(text);

/** A summary has no full stop, as in other OpenAPI documents. A description has one. */
const isSummary = (text: unknown): boolean => isSentence(text) && String(text).length <= 70;
const isDescription = (text: unknown): boolean =>
  typeof text === 'string' && text.endsWith('.') && isSentence(text.slice(0, -1)) && text.length > 40;

const endpoints = suite('frenchEndpoints');

endpoints(
  'every endpoint of the site has a summary and a description of one sentence in English and French',
  async () => {
    for (const list of Object.values(await operations)) {
      assert.is(list.length, 123);
      assert.equal(
        list
          .filter(({ summary, description }) => !isSummary(summary) || !isDescription(description))
          .map(({ operationId, summary, description }) => [operationId, summary, description]),
        [],
      );
    }
  },
);

endpoints('every text is translated', async () => {
  const { en, fr } = await operations;
  const untranslated = en.filter(
    ({ summary, description }, at) => summary === fr[at]?.summary || description === fr[at]?.description,
  );
  assert.equal(
    untranslated.map(({ operationId }) => operationId),
    [],
  );
});

endpoints('a description says more than the summary, and no two endpoints say the same', async () => {
  for (const list of Object.values(await operations)) {
    assert.equal(
      list.filter(({ summary, description }) => description.startsWith(summary)),
      [],
    );
    // The endpoints of several methods have one descriptor, and namespaces have the same text for their index.
    const distinct = list.filter(
      ({ operationId }, at) =>
        list.findIndex(
          (each) =>
            each.operationId.replace(/\.(?:get|post|put|patch|delete)$/, '') ===
            operationId.replace(/\.(?:get|post|put|patch|delete)$/, ''),
        ) === at && !operationId.startsWith('root.namespace.'),
    );
    assert.is(new Set(distinct.map(({ summary }) => summary)).size, distinct.length);
    assert.is(new Set(distinct.map(({ description }) => description)).size, distinct.length);
  }
});

endpoints('every entry is used', async () => {
  const { en } = await operations;
  const texts = new Set(en.flatMap(({ summary, description }) => [summary, description]));
  assert.equal(
    Object.keys(frenchEndpoints).filter((text) => !texts.has(text)),
    [],
  );
});

endpoints.run();
