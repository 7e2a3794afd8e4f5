import { createRequest, type Identity } from 'routebook';
import { createMemoryStore } from 'routebook/memory-store';
import {
  capabilitiesOf,
  collections,
  createSite,
  ENGINE_STATUS,
  OutboundRefused,
  upstreamError,
  type EngineJob,
  type EngineRecord,
  type EngineSite,
  type EngineState,
  type EngineUser,
  type FeedEntry,
  type FeedPage,
  type FeedQuery,
  type Job,
  type JobField,
  type JobRow,
  type JobTarget,
  type JobTargets,
  type OembedProvider,
  type Outbound,
  type Photo,
  type PhotoProvider,
  type Shortcode,
  type ShortcodeSource,
  type Subscription,
  type TextEngine,
  type TextRequest,
  type TranslationEngine,
  type Upstream,
  type XliffState,
} from 'routebook/registry';
// Code that a host writes for the extension points of the documentation, with the names that the package exports. A name that is not exported does not compile.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const photo: Photo = {
  id: '7',
  media_type: 'IMAGE',
  media_url: 'https://p.test/7.png',
  permalink: 'https://p.test/7',
  thumbnail_url: 'https://p.test/7.png',
};
const entry: FeedEntry = { ...photo, caption: 'Low tide' };
const provider: PhotoProvider = {
  list: async ({ limit }: FeedQuery): Promise<FeedPage> => ({ entries: [entry].slice(0, limit), next: null }),
  children: async (id) => (id === '7' ? [photo] : null),
};

const badge: Shortcode = {
  block: false,
  render: ({ attributes, inner }: ShortcodeSource) => `<b>${attributes['kind'] ?? ''}: ${inner}</b>`,
};

const state: XliffState = 'initial';
const shout = ({ id, source }: JobField): readonly [string, JobTarget] => [
  id,
  { text: source.toUpperCase(), state },
];
const capitals: TextEngine = {
  id: 'capitals',
  label: 'Capitals',
  languages: [],
  translate: async ({ fields }: TextRequest) => new Map(fields.map(shout)),
};

const textsOf = (job: Job): JobTargets => job.targets;
const status: EngineState = { activated: true, mode: 'remote', registered_at: '2025-01-02T03:04:05' };
const agency: TranslationEngine = {
  name: 'remote',
  createJobs: async (jobs: readonly EngineJob[]) =>
    new Map(jobs.map(({ job }) => [job.id, 100 + Object.keys(textsOf(job)).length])),
  readJobs: async (jobs: readonly JobRow[]) =>
    new Map(
      jobs.map((job): [number, EngineRecord] => [
        job.id,
        { id: job.engine_job, status: ENGINE_STATUS.translating, xliff: null },
      ]),
    ),
  fetchXliff: async () => null,
  confirm: async () => undefined,
  cancel: async () => undefined,
  register: async (_site: EngineSite) => undefined,
  state: async () => status,
  syncUsers: async (_kind, users: readonly EngineUser[]) =>
    users.map(({ email }) => ({ email, subscription: true })),
  consoleUrl: async () => null,
};

const providers: readonly OembedProvider[] = [
  { hosts: ['films.test'], endpoint: 'https://films.test/oembed' },
];
const outbound: Outbound = async () => {
  throw new OutboundRefused('outbound requests are switched off');
};
const upstream: Upstream = {
  origin: (service) => (service === 'ate' ? 'https://ate.test' : null),
  request: async (service) => {
    throw upstreamError('service_timeout', { data: { service } });
  },
};

const ADMIN: Identity = { id: 1, role: 'administrator', capabilities: capabilitiesOf('administrator') };

const parts = suite('parts of the host');

parts('are called where the documentation says so', async () => {
  const heard: string[] = [];
  const onSubscription = (subscription: Subscription): void => {
    heard.push(subscription.status);
  };
  const site = await createSite({
    store: createMemoryStore(collections),
    outbound,
    upstream,
    config: {
      photofeed: { provider },
      builder: { shortcodes: { badge } },
      ml: { engine: agency, textEngines: [capitals] },
      oembed: { providers },
      pkg: { onSubscription },
    },
  });
  const ask = async (path: string, method = 'GET', body?: unknown): Promise<unknown> =>
    (await site.engine.dispatch(createRequest(path, { method, body }), ADMIN)).body;
  try {
    assert.equal(await ask('/builder/photofeed/media'), {
      code: 200,
      json: { data: [entry], paging: { cursors: {} } },
    });
    assert.equal(await ask('/builder/photofeed/7/children'), { code: 200, json: { data: [photo] } });
    assert.match(
      JSON.stringify(
        await ask('/builder/rendered_content', 'POST', { content: '[badge kind="new"]tide[/badge]' }),
      ),
      '<b>new: tide</b>',
    );
    assert.match(JSON.stringify(await ask('/ml/tm/v1/ams/engines')), '"capitals"');
    assert.match(JSON.stringify(await ask('/ml/tm/v1/ams/status')), '"registered_at":"2025-01-02T03:04:05"');
    assert.equal(await ask('/pkg/installer/v1/push/fetch-subscription'), { message: 'OK' });
    assert.equal(heard, ['none']);
  } finally {
    await site.close();
  }
});

parts('that cannot fulfil a request result in their own error, not in an internal error', async () => {
  const site = await createSite({ store: createMemoryStore(collections), outbound, upstream });
  const codeOf = async (path: string, options: object = {}): Promise<unknown> =>
    ((await site.engine.dispatch(createRequest(path, options), ADMIN)).body as { code: unknown }).code;
  try {
    assert.is(await codeOf('/oembed/1.0/proxy?url=https://films.test/1'), 'oembed_invalid_url');
    assert.is(
      await codeOf('/ml/ate/v1/ate/proxy', { method: 'POST', body: { url: '/jobs', method: 'POST' } }),
      'service_timeout',
    );
  } finally {
    await site.close();
  }
});

parts.run();
