import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import type { Names } from '../../../../lib/core/names.ts';
import type { Engine } from '../../../../lib/engine/engine.ts';
import type { EndpointDescriptor } from '../../../../lib/route/descriptor.ts';
import type { ArgSchema } from '../../../../lib/schema/schema-dialect.ts';
import { Validators } from '../../../../lib/schema/validate.ts';
import type { Store, Values } from '../../../../lib/store/store.ts';
import { CAPABILITIES, capabilitiesOf } from '../../../../registry/core/accounts/roles.ts';
import { NEUTRAL_NAMES } from '../../../../registry/core/host/names.ts';
import type { LogEvent, Ports } from '../../../../registry/core/host/ports.ts';
import { collections } from '../../../../registry/index.ts';
import { createSeoNamespace } from '../../../../registry/plugins/seo/index.ts';
import { seoSettingsDescriptor } from '../../../../registry/plugins/seo/routes/connected-routes.ts';
import { seoDescriptor } from '../../../../registry/plugins/seo/routes/routes.ts';
import { createTestPorts, TEST_CONFIG } from '../../../support/ports.ts';
import { createTestEngine } from '../../../support/site.ts';

export const SITE_URL = 'http://site.test';
export const HOME = `${SITE_URL}/en`;

const USERS: Readonly<Record<string, number>> = {
  administrator: 1,
  editor: 2,
  author: 3,
  contributor: 4,
  subscriber: 5,
};

const paragraph = (text: string): string => `<!-- cms:paragraph -->\n<p>${text}</p>\n<!-- /cms:paragraph -->`;

const POSTS: readonly Values[] = [
  {
    id: 101,
    slug: 'alpha',
    title: 'Alpha &amp; <em>more</em>',
    author: 2,
    group: 7,
    categories: [2],
    tags: [11],
    featured_media: 301,
    modified_gmt: '2024-02-01T09:00:00',
    excerpt: 'A hand-written excerpt.',
    content: paragraph(
      'See <a href="/en/beta/">beta</a>, <a href="http://site.test/en/alpha/#top">me</a>, <a href="#x">here</a>, <a href="/en/later/">later</a>, <a href="https://other.example/x">other</a> and <a href="mailto:a@b.example">mail</a>. <img src="/uploads/a.png" alt="alpha picture">',
    ),
  },
  { id: 102, slug: 'beta', title: 'Beta', author: 3, content: paragraph('Plain words of beta.') },
  {
    id: 103,
    slug: 'alpha-fr',
    title: 'Alpha en français',
    author: 2,
    language: 'fr',
    group: 7,
    content: paragraph('Des mots.'),
  },
  {
    id: 104,
    slug: 'nederlands',
    title: 'Alfa',
    author: 2,
    language: 'nl',
    group: 7,
    content: paragraph('Woorden.'),
  },
  {
    id: 105,
    slug: 'secret',
    title: 'Secret',
    author: 2,
    password: 'sesame',
    excerpt: 'canary-excerpt',
    content: paragraph('canary-content <img src="/uploads/canary.png">'),
    categories: [2],
    featured_media: 301,
  },
  ...['draft', 'pending', 'private', 'future', 'trash', 'auto-draft'].map((status, index) => ({
    id: 110 + index,
    slug: `${status}-post`,
    title: `canary-${status}`,
    status,
    author: 2,
    content: paragraph(`canary-${status}`),
    date_gmt: '2030-01-01T00:00:00',
  })),
];

const PUBLISHED: Values = {
  type: 'post',
  language: 'en',
  status: 'publish',
  date: '2024-01-05T10:00:00',
  date_gmt: '2024-01-05T09:00:00',
  modified_gmt: '2024-01-05T09:00:00',
};

const SEED: readonly (readonly [collection: string, records: readonly Values[]])[] = [
  ['posts', POSTS.map((values) => Object.assign({}, PUBLISHED, values))],
  [
    'users',
    Object.entries(USERS).map(([login, id]) => ({
      id,
      login,
      slug: `${login}-slug`,
      name: `The ${login}`,
      role: login,
      url: login === 'editor' ? 'https://editor.example/' : '',
    })),
  ],
  [
    'terms',
    [
      {
        id: 2,
        taxonomy: 'category',
        name: 'News',
        slug: 'news',
        description: 'All the <b>news</b>, also of <a href="/en/beta/">beta</a>.',
      },
      { id: 11, taxonomy: 'post_tag', name: 'red', slug: 'red', language: 'en', group: 3 },
      {
        id: 12,
        taxonomy: 'post_tag',
        name: 'rouge &amp; <em>noir</em>',
        slug: 'rouge',
        language: 'fr',
        group: 3,
      },
    ],
  ],
  [
    'media',
    [
      {
        id: 301,
        title: 'Picture',
        file: '2023/12/picture.png',
        mime_type: 'image/png',
        width: 640,
        height: 480,
      },
    ],
  ],
  // Settings store names and descriptions as markup.
  [
    'options',
    [
      { group: 'site', key: 'name', value: 'Test &amp; Site' },
      { group: 'site', key: 'description', value: 'Just a site' },
    ],
  ],
];

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface SeoSite {
  readonly engine: Engine;
  readonly store: Store;
  readonly ports: Ports;
  readonly logged: readonly LogEvent[];
  /** `target`: method and path with query, `GET /seo/v1/statistics`. A `body` is sent as JSON. `role` '' is an anonymous caller. */
  call(target: string, body?: unknown, role?: string): Promise<Answer>;
}

export interface SeoSiteOptions {
  readonly ports?: Partial<Ports>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly names?: Names;
}

/** Writes posts of every status, terms, users and an image into an empty store. */
export async function seedStore(store: Store): Promise<Store> {
  await store.commit(
    SEED.flatMap(([collection, records]) =>
      records.map((values) => ({ op: 'create', collection, values }) as const),
    ),
  );
  return store;
}

const validators = new Validators();

function findEndpoint(method: string, path: string): EndpointDescriptor | undefined {
  const route = [...seoDescriptor.routes, ...seoSettingsDescriptor.routes].find(({ pattern }) =>
    new RegExp(`^${pattern.replaceAll('(?P<', '(?<')}$`).test(path),
  );
  const endpoints: readonly EndpointDescriptor[] = route?.endpoints ?? [];
  return endpoints.find(({ methods }) => methods.some((each) => each === method));
}

/** @throws Error when a 200 response does not match the schema of its endpoint */
function checkAnswer(method: string, path: string, body: unknown): void {
  const schema = findEndpoint(method, path)?.answers?.[200];
  if (schema === undefined) throw new Error(`${method} ${path} has no response schema`);
  const fault = validators.compile(schema as ArgSchema)('answer', body);
  if (fault !== null) throw new Error(`${method} ${path}: ${fault.message}`);
}

/** A site behind an engine. The caller is the user with the given role. Every 200 response is checked against its schema. */
export async function createSeoSite({
  ports: given = {},
  settings = {},
  names = NEUTRAL_NAMES,
}: SeoSiteOptions = {}): Promise<SeoSite> {
  const logged: LogEvent[] = [];
  const log = (event: LogEvent): void => {
    logged.push(event);
  };
  const store = given.store ?? (await seedStore(createMemoryStore(collections)));
  const ports = createTestPorts({
    log,
    ...given,
    store,
    config: { ...TEST_CONFIG, namespaces: { seo: settings } },
  });
  const engine = createTestEngine([createSeoNamespace(ports)], {
    capabilities: CAPABILITIES,
    names,
    log: (event) => {
      logged.push({ ...event });
    },
    authenticate: ({ headers: { login = '' } }) => ({
      id: USERS[login] ?? 0,
      role: login,
      capabilities: capabilitiesOf(login),
    }),
  });
  return {
    engine,
    store,
    ports,
    logged,
    async call(target, body, role = 'administrator') {
      const [, method = '', path = '', query = ''] = /^(\w+) ([^?]+)\??(.*)$/.exec(target) ?? [];
      const answer = await engine.serve({
        method,
        path,
        query,
        language: 'en',
        siteUrl: SITE_URL,
        headers: { login: role },
        address: '',
        body: body === undefined ? { kind: 'none' } : { kind: 'json', value: body },
      });
      const text = String(answer.body ?? '');
      const parsed = JSON.parse(text) as Record<string, unknown>;
      if (answer.status === 200 && names === NEUTRAL_NAMES) checkAnswer(method, path, parsed);
      return { status: answer.status, text, body: parsed };
    },
  };
}
