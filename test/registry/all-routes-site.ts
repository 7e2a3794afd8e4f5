import { createMemoryStore } from '../../adapters/memory-store.ts';
import type { Outbound } from '../../lib/ports/outbound.ts';
import type { Upstream } from '../../lib/ports/upstream.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import type { Ports } from '../../registry/core/host/ports.ts';
import { collections } from '../../registry/index.ts';
import { writeMo } from '../../registry/plugins/ml/mo/mo.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { fixture } from '../conformance/recorded.ts';
import { remember } from '../support/load-fixture.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createWholeSite, type WholeSite } from '../support/whole-site.ts';
import type { MlSite } from './plugins/ml/ml-site.ts';
import { createSecscanSite } from './plugins/secscan/secscan-site.ts';

type Row = Readonly<Record<string, Json>>;

export type Login = 'admin' | 'editor' | 'author' | 'contributor' | 'subscriber' | 'translator' | 'manager';

const TRANSLATORS = [
  {
    id: 8,
    login: 'translator',
    name: 'Translator',
    slug: 'translator',
    role: 'translator',
    email: 'translator@site.test',
    language_pairs: ['en:fr'],
  },
  {
    id: 9,
    login: 'manager',
    name: 'Manager',
    slug: 'manager',
    role: 'translation_manager',
    email: 'manager@site.test',
  },
];

const TRANSLATED: Readonly<Record<string, Row>> = {
  104: { group: 104 },
  107: { group: 104, ml_language: 'fr', categories: [] },
};

/** Names of all collections. */
export const NAMES: readonly string[] = collections.map((collection) => collection.name);

/** The recorded site with two translators, and two posts that are translations of each other. Nobody has a password: hashing them would take most of the time. */
const FIXTURE: Fixture = {
  ...fixture,
  posts: (fixture.posts ?? []).map((post): Row => Object.assign({}, post, TRANSLATED[String(post['id'])])),
  users: [
    ...(fixture.users ?? []).map(({ password: _password, ...user }): Row =>
      Object.assign(user, { email: `${String(user['login'])}@site.test` }),
    ),
    ...TRANSLATORS,
  ],
};

/** Responses of the connected services, by path. */
const SERVICES: Readonly<Record<string, unknown>> = {
  '/oauth/token': { access_token: 'a', refresh_token: 'b', expires_in: 3600 },
  '/keyphrases/related': { columnNames: ['a', 'b', 'c', 'd', 'e'], rows: [['wine', 1, [1], 'x', 5]] },
  '/websites/9/limits': { limit: 10, usage: 1, historyDays: 30 },
  '/websites/9/keyphrases': { results: { wine: { id: 1, keyword: 'wine' } } },
  '/websites/9/keyphrases/history': { results: { wine: { position: 1 } } },
  '/campaign': { discount: 0.5, months: 3 },
  '/subscription': { status: 'active', expires: '2026-01-01', products: ['builder'] },
};

/** The oEmbed provider of pictures on another host. */
const PROVIDERS = [{ hosts: ['pictures.test'], endpoint: 'https://pictures.test/oembed' }];

const toBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function createUpstream(connected: ReadonlySet<string>): Upstream {
  return {
    origin: (service) => (connected.has(service) ? 'https://service.test' : null),
    request: async (_service, { path }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: toBytes(SERVICES[path] ?? {}),
    }),
  };
}

/** The outside world: every request is answered by that provider. */
const outbound: Outbound = async ({ url }) => ({
  status: 200,
  url,
  headers: {},
  body: toBytes({
    version: '1.0',
    type: 'photo',
    title: 'There',
    url: 'https://pictures.test/1.png',
    width: 10,
    height: 5,
  }),
});

async function* listLines(): AsyncIterable<string> {
  yield '{"id":101,"title":"Imported"}';
}

const createParts = (): Pick<Ports, 'files' | 'imports' | 'media' | 'outbound'> => ({
  files: createMemoryFiles({
    'plugins/shop/shop-fr_FR.mo': writeMo({
      headers: {},
      messages: [{ context: '', id: 'Cart', plural: '', translations: ['Panier'] }],
    }),
  }),
  imports: { lines: async () => listLines() },
  media: { size: async () => 5 },
  outbound,
});

/** What the set-up helpers of the translation tests need. */
export type Translating = Pick<MlSite, 'ask'>;

/** A whole site on which every route can succeed. */
export interface BusySite {
  readonly site: WholeSite;
  /** The machine side of the scan, on the same store and with the same secret. */
  readonly machine: Awaited<ReturnType<typeof createSecscanSite>>;
  readonly translating: Translating;
  /** Names of the connected services; more can be added. */
  readonly connected: Set<string>;
  /** Restores the initial state. No background work may be running. */
  reset(): Promise<void>;
}

function toTranslating(site: WholeSite): Translating {
  return {
    async ask(user, request, body) {
      const [method = '', target = ''] = request.split(' ');
      return site.ask({ method, target, as: user, ...(body === undefined ? {} : { body }) });
    },
  };
}

const CONNECTED = ['kwtool', 'ranktracker', 'pkg'] as const;

/** The recorded site, with translators, connected tools, files, pictures and outbound requests. Jobs go to the local translation service. */
export async function createBusySite(): Promise<BusySite> {
  const store = createMemoryStore(collections);
  const connected = new Set<string>(CONNECTED);
  const machine = await createSecscanSite({ store });
  const site = await createWholeSite({
    fixture: FIXTURE,
    store,
    ...createParts(),
    upstream: createUpstream(connected),
    config: {
      secscan: { controllerPublicKey: machine.controller.publicKey },
      seo: {
        ranktracker: {
          authorizeUrl: 'https://tracker.test/',
          clientId: 'x',
          redirectUrl: 'https://back.test/',
        },
      },
      oembed: { providers: PROVIDERS },
    },
  });
  const restore = await remember(store);
  return {
    site,
    machine,
    connected,
    translating: toTranslating(site),
    async reset() {
      await restore();
      connected.clear();
      for (const service of CONNECTED) connected.add(service);
    },
  };
}
