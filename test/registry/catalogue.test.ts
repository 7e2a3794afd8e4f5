import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ArgSchema } from '../../lib/schema/schema-dialect.ts';
import { french } from '../../registry/catalogue/fr.ts';
import { createCommonArgs } from '../../registry/common-args.ts';
import { registryDescriptors } from '../../registry/index.ts';

function childrenOf(schema: ArgSchema): readonly ArgSchema[] {
  return [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items]), ...(schema.oneOf ?? [])];
}

function textsOf(schema: ArgSchema): readonly string[] {
  return [...(schema.description === undefined ? [] : [schema.description]), ...childrenOf(schema).flatMap(textsOf)];
}

/** Every schema in the index, except those of the root routes, which have no descriptions: [where, schema]. */
function listShown(): readonly (readonly [string, ArgSchema])[] {
  const args = registryDescriptors.flatMap((descriptor) => descriptor.routes.flatMap((route) => route.endpoints.flatMap((endpoint) => (
    Object.entries(endpoint.args).map(([name, schema]) => [`${endpoint.handler}: ${name}`, schema] as const)
  ))));
  const fields = registryDescriptors.flatMap((descriptor) => Object.entries(descriptor.resources ?? {}).flatMap(([id, resource]) => (
    Object.entries(resource.properties).map(([name, schema]) => [`${id}: ${name}`, schema] as const)
  )));
  return [...args, ...fields, ...Object.entries(createCommonArgs(['en']))];
}

const catalogue = suite('french');

catalogue('every parameter and field has a description', () => {
  assert.equal(listShown().filter(([, schema]) => schema.description === undefined || schema.description === '').map(([where]) => where), []);
});

catalogue('every description has an entry', () => {
  const texts = listShown().flatMap(([, schema]) => textsOf(schema));
  assert.equal([...new Set(texts)].filter((text) => !Object.hasOwn(french, text)), []);
});

catalogue('every entry is used', () => {
  const texts = new Set(listShown().flatMap(([, schema]) => textsOf(schema)));
  assert.equal(Object.keys(french).filter((text) => !texts.has(text)), []);
});

catalogue('no entry is empty or left in English', () => {
  assert.equal(Object.entries(french).filter(([english, text]) => text.trim() === '' || text === english), []);
});

catalogue.run();
