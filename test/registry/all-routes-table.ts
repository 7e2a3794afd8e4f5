import { toReceiveToken } from '../../registry/plugins/ml/services/services.ts';
import { TEST_CONFIG } from '../support/ports.ts';
import { SITE_URL, type Asking } from '../support/whole-site.ts';
import type { BusySite, Login } from './all-routes-site.ts';
import { createJob, deliverJob } from './plugins/ml/ml-site.ts';
import { SITE_ID } from './plugins/secscan/secscan-site.ts';

/** What a call sends. */
export interface Sent {
  /** Values of the groups in the path. */
  readonly path?: Readonly<Record<string, number | string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The credentials of a machine. Other callers do not send them. */
  readonly proof?: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
  /** Default 200. */
  readonly status?: number;
}

type Prepare = (busy: BusySite) => Promise<Sent>;

/** `by`: a caller with as few rights as the route needs; null for an anonymous caller, or for a machine with its proof. */
export type Row = readonly [pair: string, by: Login | null, sends?: Sent | Prepare];

const WRITE = ['POST', 'PUT', 'PATCH'] as const;
const PAGE = `${SITE_URL}/en/alpha/`;
const XML =
  '<wpml-config><custom-types><custom-type translate="1">post</custom-type></custom-types></wpml-config>';

const edit = { context: 'edit' } as const;

/** Creates a job of post 101 first. */
const withJob =
  (sends: (job: number) => Sent): Prepare =>
  async ({ translating }) =>
    sends(await createJob(translating, 101, { batch_name: 'Spring' }));

const withBatch: Prepare = async (busy) => {
  await withJob(() => ({}))(busy);
  const {
    records: [batch],
  } = await busy.site.store.find({ collection: 'ml_batches' });
  return { body: { batchId: [batch?.id ?? 0] } };
};

/** Creates a job with a finished translation. */
const withTranslation =
  (sends: (job: number) => Sent): Prepare =>
  async ({ translating }) => {
    const job = await createJob(translating);
    await deliverJob(translating, job);
    return sends(job);
  };

/** Connects the engine to which the proxy forwards calls. */
const withEngine =
  (sends: Sent): Prepare =>
  async ({ connected }) => {
    connected.add('ate');
    return sends;
  };

const toProof = (token: string): Pick<Sent, 'proof'> => ({
  proof: { headers: { 'x-authorization': `Bearer ${token}` } },
});

/** Connects the machine side and calls with its token. */
const withToken =
  (sends: Sent = {}): Prepare =>
  async ({ machine }) => {
    await machine.connect();
    return { ...sends, ...toProof(await machine.token()) };
  };

const withIssue: Prepare = async (busy) => {
  await busy.site.store.commit([
    { op: 'create', collection: 'scan_issues', values: { id: 1, status: 'new', severity: 75, data: {} } },
  ]);
  return withToken({ body: { issue: { id: 1, status: 'ignoreC' } } })(busy);
};

const withPremium: Prepare = async ({ machine }) => ({
  body: { 'public-key': machine.dashboard.publicKey, 'site-id': SITE_ID },
  ...toProof(await machine.premiumToken()),
});

/** Sends a signed nonce of this site, signed by the connected dashboard or by its controller. */
const withSignature =
  (signer: 'dashboard' | 'controller', name: string): Prepare =>
  async ({ machine }) => {
    await machine.connect();
    const data = `${await machine.readNonce()}|${name}`;
    return { body: { data, signature: machine[signer].sign(data) } };
  };

/** Authorizes the keyword tool for this user. */
const withKeywords =
  (sends: Sent): Prepare =>
  async ({ site }) => {
    await site.ask({
      method: 'POST',
      target: '/seo/v1/kwtool/authenticate',
      as: 'contributor',
      body: { code: 'x' },
    });
    return sends;
  };

/** Starts the authorization of the rank tracker. */
const withChallenge =
  (sends: Sent): Prepare =>
  async ({ site }) => {
    await site.ask({ target: '/seo/v1/ranktracker/authorization-url', as: 'author' });
    return sends;
  };

/** Authorizes the rank tracker. */
const withTracker =
  (sends: Sent = {}): Prepare =>
  async (busy) => {
    await withChallenge(sends)(busy);
    await busy.site.ask({
      method: 'POST',
      target: '/seo/v1/ranktracker/authenticate',
      as: 'author',
      body: { code: 'x', websiteId: 9 },
    });
    return sends;
  };

const INDEXES: readonly string[] = [
  'oembed/1.0',
  'ml/v1',
  'secscan/v1',
  'seo/v1',
  'ml/tm/v1',
  'ml/ate/v1',
  'ml/st/v1',
  'builder/photofeed',
  'builder',
  'pkg/installer/v1',
  'cms/v2',
];

/** Every pair of method and route that the registry serves, with a call that succeeds. */
export const ROWS: readonly Row[] = [
  ['GET /', null],
  [
    'POST /batch/v1',
    'author',
    { body: { requests: [{ path: '/cms/v2/posts', body: { title: 'One' } }] }, status: 207 },
  ],
  ...INDEXES.map((namespace): Row => [`GET /${namespace}`, null]),

  ['GET /oembed/1.0/embed', null, { query: { url: PAGE } }],
  ['GET /oembed/1.0/proxy', 'contributor', { query: { url: 'https://pictures.test/1' } }],

  ['GET /cms/v2/posts', 'editor', { query: { ...edit, per_page: '100' } }],
  ['POST /cms/v2/posts', 'contributor', { body: { title: 'New', content: 'Text' }, status: 201 }],
  ['GET /cms/v2/posts/{id}', 'editor', { path: { id: 101 }, query: edit }],
  ...WRITE.map((method): Row => [
    `${method} /cms/v2/posts/{id}`,
    'author',
    { path: { id: 103 }, body: { title: 'Changed' } },
  ]),
  // Without force, the response is the post in the trash, a status that the recorded schema does not list.
  ['DELETE /cms/v2/posts/{id}', 'author', { path: { id: 103 }, query: { force: 'true' } }],
  ['GET /cms/v2/posts/{parent}/revisions', 'author', { path: { parent: 144 } }],
  ['GET /cms/v2/posts/{parent}/revisions/{id}', 'author', { path: { parent: 144, id: 401 } }],
  [
    'DELETE /cms/v2/posts/{parent}/revisions/{id}',
    'author',
    { path: { parent: 144, id: 401 }, query: { force: 'true' } },
  ],
  ['GET /cms/v2/posts/{id}/autosaves', 'editor', { path: { id: 145 } }],
  ['POST /cms/v2/posts/{id}/autosaves', 'author', { path: { id: 144 }, body: { title: 'Saved' } }],

  ['GET /ml/v1/custom-xml-config', 'admin'],
  ['POST /ml/v1/custom-xml-config', 'admin', { body: { content: XML } }],
  ['POST /ml/v1/custom-xml-config/validate', 'admin', { body: { content: XML.replace('translate', 'x') } }],
  [
    'POST /ml/tm/v1/ate/jobs/store',
    'translator',
    withJob((job) => ({ body: { ml_job_id: String(job), ate_job_data: [] } })),
  ],
  ['GET /ml/tm/v1/xliff/fetch/{jobId}', 'translator', withJob((job) => ({ path: { jobId: job } }))],
  ['POST /ml/tm/v1/ams/register_manager', 'manager'],
  ['GET /ml/tm/v1/ams/synchronize/translators', 'manager'],
  ['GET /ml/tm/v1/ams/synchronize/managers', 'manager'],
  ['GET /ml/tm/v1/ams/status', 'manager'],
  ['GET /ml/tm/v1/ams/console', 'manager'],
  ['GET /ml/tm/v1/ams/engines', 'manager'],
  ['POST /ml/tm/v1/ams/engines', 'manager', { body: [{ engine: 'memory', enabled: false }] }],
  ['POST /ml/tm/v1/ate/jobs', 'manager', { body: { jobs: [{ post_id: 101, target_language: 'nl' }] } }],
  ['GET /ml/tm/v1/ate/jobs/{ateJobId}', 'translator', withJob((job) => ({ path: { ateJobId: job } }))],
  ['GET /ml/tm/v1/jobs', 'translator', withJob(() => ({ query: { scope: 'all', limit: '5' } }))],
  ['POST /ml/tm/v1/jobs/assign', 'translator', withJob((job) => ({ body: { jobId: job, translatorId: 8 } }))],
  ['POST /ml/tm/v1/jobs/cancel', 'manager', withJob((job) => ({ body: [{ id: job, type: 'post' }] }))],
  [
    'GET /ml/tm/v1/tp/xliff/download/{job_id}/{job_type}',
    'translator',
    withTranslation((job) => ({ path: { job_id: job, job_type: 'post' }, query: { json: 'true' } })),
  ],
  [
    'POST /ml/tm/v1/tp/apply-translations',
    'translator',
    withTranslation((job) => ({ body: [{ id: job, type: 'post' }] })),
  ],
  ['POST /ml/tm/v1/tp/batches/sync', 'translator', withBatch],
  ['GET /ml/tm/v1/tp/batches/status', 'translator', withJob(() => ({}))],
  ['POST /ml/tm/v1/ate/jobs/sync', 'translator', withJob(() => ({}))],
  [
    'POST /ml/tm/v1/ate/jobs/download',
    'translator',
    withTranslation((job) => ({ body: { jobs: [{ jobId: job }] } })),
  ],
  ['POST /ml/tm/v1/ate/jobs/retry', 'translator', withJob((job) => ({ body: { jobsToProcess: [job] } }))],
  [
    'GET /ml/tm/v1/ate/jobs/receive/{mlJobId}',
    null,
    withTranslation((job) => ({
      path: { mlJobId: job },
      proof: { query: { t: toReceiveToken(TEST_CONFIG.secret, job) } },
    })),
  ],
  [
    'GET /ml/tm/v1/ate/jobs/{ateJobId}/fix',
    'translator',
    withTranslation((job) => ({ path: { ateJobId: job } })),
  ],
  ['GET /ml/ate/v1/ate/proxy', 'manager', withEngine({ query: { url: '/jobs', method: 'GET' } })],
  ...[...WRITE, 'DELETE'].map((method): Row => [
    `${method} /ml/ate/v1/ate/proxy`,
    'manager',
    withEngine({ body: { url: '/jobs', method, body: { a: 1 } } }),
  ]),
  ['POST /ml/st/v1/import_mo_strings', 'admin', { body: { plugins: ['shop'] } }],
  ['POST /ml/st/v1/pre_generate_mo_files', 'admin'],
  ['POST /ml/st/v1/settings', 'admin', { body: { group: 'MO', key: 'pregen-dismissed', data: true } }],

  ['GET /secscan/v1/authenticate', null],
  ['POST /secscan/v1/authenticate', null, withSignature('dashboard', SITE_ID)],
  ['POST /secscan/v1/authenticate-premium', null, withSignature('controller', 'admin@site.test')],
  ['GET /secscan/v1/config', null, withToken({ query: { fields: 'scan.*' } })],
  ...WRITE.map((method): Row => [
    `${method} /secscan/v1/config`,
    null,
    withToken({ body: { fields: { 'scan.revisions': true } } }),
  ]),
  ...WRITE.map((method): Row => [`${method} /secscan/v1/disconnect`, null, withToken()]),
  ...WRITE.map((method): Row => [`${method} /secscan/v1/premium-connect`, null, withPremium]),
  ['GET /secscan/v1/scan/issues', null, withToken()],
  ['POST /secscan/v1/scan', null, withToken()],
  ['DELETE /secscan/v1/scan', null, withToken()],
  ...WRITE.map((method): Row => [`${method} /secscan/v1/scan/issue`, null, withIssue]),

  ['GET /seo/v1/file_size', 'admin', { query: { url: `${SITE_URL}/uploads/a.png` } }],
  ['GET /seo/v1/statistics', 'subscriber'],
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-post-type',
    'contributor',
    { body: { postTypeName: 'post' } },
  ],
  [
    'POST /seo/v1/new-content-type-visibility/dismiss-taxonomy',
    'contributor',
    { body: { taxonomyName: 'post_tag' } },
  ],
  [
    'POST /seo/v1/introductions/{introduction_id}/seen',
    'contributor',
    { path: { introduction_id: 'welcome' } },
  ],
  ['GET /seo/v1/videohost_embed_permission', 'contributor'],
  ['POST /seo/v1/videohost_embed_permission', 'contributor', { body: { value: false } }],
  ['POST /seo/v1/alerts/dismiss', 'contributor', { body: { key: 'webinar-promo' } }],
  [
    'POST /seo/v1/configuration/site_representation',
    'admin',
    { body: { company_or_person: 'company', company_name: 'We' } },
  ],
  [
    'POST /seo/v1/configuration/social_profiles',
    'admin',
    { body: { other_social_urls: ['https://social.test/we'] } },
  ],
  ['GET /seo/v1/configuration/check_capability', 'admin', { query: { user_id: '1' } }],
  ['POST /seo/v1/configuration/enable_tracking', 'admin', { body: { tracking: true } }],
  ['POST /seo/v1/configuration/save_configuration_state', 'admin', { body: { finishedSteps: ['one'] } }],
  ['GET /seo/v1/configuration/get_configuration_state', 'admin'],
  ['POST /seo/v1/import/{plugin}/{type}', 'admin', { path: { plugin: 'file', type: 'posts' } }],
  ['GET /seo/v1/get_head', null, { query: { url: PAGE } }],
  ...['posts', 'terms', 'post-type-archives', 'general', 'prepare', 'indexables-complete', 'complete'].map(
    (step): Row => [`POST /seo/v1/indexing/${step}`, 'contributor'],
  ),
  ['POST /seo/v1/link-indexing/posts', 'contributor'],
  ['POST /seo/v1/link-indexing/terms', 'contributor'],
  ['POST /seo/v1/integrations/set_active', 'admin', { body: { active: true, integration: 'kwtool' } }],
  ['GET /seo/v1/meta/search', 'author', { query: { post_id: '103' } }],
  ['POST /seo/v1/kwtool/authenticate', 'contributor', { body: { code: 'x' } }],
  ['POST /seo/v1/kwtool/country_code', 'contributor', { body: { country_code: 'nl' } }],
  [
    'GET /seo/v1/kwtool/related_keyphrases',
    'contributor',
    withKeywords({ query: { keyphrase: 'wine', country_code: 'nl' } }),
  ],
  ['GET /seo/v1/ranktracker/authorization-url', 'author'],
  ['POST /seo/v1/ranktracker/authenticate', 'author', withChallenge({ body: { code: 'x', websiteId: 9 } })],
  ['POST /seo/v1/ranktracker/keyphrases/track', 'author', withTracker({ body: { keyphrases: ['wine'] } })],
  ['POST /seo/v1/ranktracker/keyphrases', 'author', withTracker({ body: { keyphrases: ['wine'] } })],
  ['DELETE /seo/v1/ranktracker/keyphrases/untrack', 'author', withTracker({ query: { keyphraseID: '5' } })],
  ['GET /seo/v1/ranktracker/account/limit', 'author', withTracker()],
  ['GET /seo/v1/ranktracker/account/upgrade-campaign', 'author', withTracker()],
  ['GET /seo/v1/workouts', 'editor'],
  ['POST /seo/v1/workouts', 'editor', { body: { cornerstone: { finishedSteps: ['chooseCornerstones'] } } }],

  ['GET /builder/photofeed/media', null],
  ['GET /builder/photofeed/{id}/children', null, { path: { id: 105 } }],
  [
    'POST /builder/rendered_content',
    'editor',
    { body: { content: '<h2>Head</h2>[gallery]', with: ['stats'] } },
  ],
  ['GET /pkg/installer/v1/push/fetch-subscription', null],
];

/** The request of a row. `proof`: that of a machine, which other callers do not have. */
export function toAsking(
  [name]: Row,
  { path = {}, query, body }: Sent,
  { as, proof = {} }: { readonly as: Login | null; readonly proof?: Sent['proof'] },
): Asking {
  const [method = '', pattern = ''] = name.split(' ');
  const target = pattern.replaceAll(/\{(\w+)\}/g, (_group, group: string) => String(path[group]));
  const sent = new URLSearchParams({ ...query, ...proof.query }).toString();
  return {
    method,
    target: sent === '' ? target : `${target}?${sent}`,
    as,
    ...(body === undefined ? {} : { body }),
    ...(proof.headers === undefined ? {} : { headers: proof.headers }),
  };
}

/** What a row sends, after what it needs was made. */
export async function prepare([, , sends = {}]: Row, busy: BusySite): Promise<Sent> {
  return typeof sends === 'function' ? sends(busy) : sends;
}

/** Whether the row needs nothing before its call. */
export const isPlain = ([, , sends]: Row): boolean => typeof sends !== 'function';
