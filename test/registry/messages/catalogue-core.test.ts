import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EndpointDescriptor } from '../../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../../lib/schema/schema-dialect.ts';
import { createCmsNamespace } from '../../../registry/core/cms.ts';
import { createContentModel } from '../../../registry/index.ts';
import { catalogues } from '../../../registry/messages/catalogues.ts';
import { changesDescriptor } from '../../../registry/plugins/changes/routes.ts';
import { createTestPorts } from '../../support/ports.ts';

/** First path segments of the core controllers whose texts are complete. */
const TRANSLATED = [
  'posts',
  'pages',
  'categories',
  'tags',
  'users',
  'types',
  'statuses',
  'taxonomies',
  'settings',
  'search',
];

const textsOf = (schema: ArgSchema): readonly (string | undefined)[] => [
  schema.description,
  ...Object.values(schema.properties ?? {}).flatMap(textsOf),
  ...(schema.items === undefined ? [] : textsOf(schema.items)),
  ...(schema.oneOf ?? []).flatMap(textsOf),
];

const core = suite('french of the core controllers');

for (const base of TRANSLATED) {
  core(`every endpoint, parameter and field of ${base} has a text in English and French`, () => {
    const { descriptor } = createCmsNamespace(createTestPorts({ content: createContentModel('core') }));
    const routes = descriptor.routes.filter(({ pattern }) => pattern.split('/')[3] === base);
    assert.ok(routes.length > 0);
    const fields = routes.flatMap(({ resource = '' }) =>
      Object.values(descriptor.resources?.[resource as keyof typeof descriptor.resources]?.properties ?? {}),
    );
    const args = routes.flatMap(({ endpoints }) =>
      endpoints.flatMap((endpoint) => Object.values(endpoint.args)),
    );
    const texts = [
      ...routes.flatMap(({ endpoints }) =>
        endpoints.flatMap(({ summary, description }) => [summary, description]),
      ),
      ...[...fields, ...args].flatMap(textsOf),
    ];
    assert.equal(
      [...args, ...fields].filter(({ description }) => description === undefined),
      [],
    );
    assert.equal(
      [...new Set(texts)].filter(
        (text) => text !== undefined && !Object.hasOwn(catalogues['fr'] ?? {}, text),
      ),
      [],
    );
    assert.equal(
      routes
        .flatMap(({ endpoints }) => endpoints)
        .filter(({ summary, description }) => summary === undefined || description === undefined),
      [],
    );
  });
}

core('texts of a type and of a taxonomy name their own records', () => {
  const content = createContentModel({
    types: [
      { name: 'event', base: 'events', supports: ['title', 'revisions'] },
      { name: 'unit', base: 'units' },
      { name: 'faq', base: 'faqs', labels: { name: 'FAQs', singular: 'FAQ' } },
    ],
    taxonomies: [{ name: 'area', base: 'areas', types: ['event'] }],
  });
  const { descriptor } = createCmsNamespace(createTestPorts({ content }));
  const endpoints = descriptor.routes.flatMap((route): readonly EndpointDescriptor[] => route.endpoints);
  const textOf = (handler: string): string =>
    endpoints
      .filter((each) => each.handler === handler)
      .map(({ summary, description }) => `${summary}: ${description}`)
      .join();
  assert.match(textOf('cms.events.list'), /^List events: Returns a page of the events that/);
  assert.match(textOf('cms.events.read'), /^Get an event: Returns an event with .* a protected event needs/);
  assert.match(textOf('cms.events.revisions.list'), /^List the revisions of an event: /);
  assert.match(textOf('cms.areas.create'), /^Create an area: Creates an area with/);
  assert.match(textOf('cms.units.read'), /^Get a unit: /);
  assert.match(textOf('cms.faqs.list'), /^List FAQs: /);
  assert.match(textOf('cms.faqs.read'), /^Get an FAQ: /);
  assert.not.match(endpoints.map(({ handler }) => textOf(handler)).join(), /[{}]/);
});

core('every endpoint and parameter of the feed and of webhooks has a text in French', () => {
  const endpoints = changesDescriptor.routes.flatMap(
    (route): readonly EndpointDescriptor[] => route.endpoints,
  );
  const texts = [
    ...endpoints.flatMap(({ summary, description }) => [summary, description]),
    ...endpoints.flatMap(({ args = {} }) => Object.values(args)).flatMap(textsOf),
  ];
  assert.equal(
    texts.filter((text) => text !== undefined && !Object.hasOwn(catalogues['fr'] ?? {}, text)),
    [],
  );
});

core.run();
