import type { ErrorDetail, RestError } from '../../../../lib/index.ts';
import {
  changeOption,
  isObject,
  own,
  type Ports,
  readOption,
  type UpstreamAnswer,
  type UpstreamRequest,
  upstreamError,
} from '../../../plugin.ts';
import { type JobRow, toMoment } from '../records/job-record.ts';
import type { EngineJob, EngineRecord, EngineState, TranslationEngine } from './engine.ts';

/** The members of a JSON response. */
export type Members = Readonly<Record<string, unknown>>;
type Service = 'ate' | 'ams';

type Client = Pick<Ports, 'upstream' | 'store' | 'now'>;

/** Where each kind of engine stores its registration. */
const REGISTRATIONS: Readonly<Record<EngineState['mode'], readonly [group: string, name: string]>> = {
  local: ['ml', 'desk'],
  remote: ['ml', 'engine'],
};

async function readState({ store }: Client, mode: EngineState['mode']): Promise<EngineState> {
  const stored = await readOption(store, ...REGISTRATIONS[mode]);
  const registered = isObject(stored) ? String(stored['registered_at'] ?? '') : '';
  return { activated: registered !== '', mode, registered_at: registered };
}

/** Registering a second manager does not change the registration. */
async function register(
  { store, now }: Client,
  mode: EngineState['mode'],
  site: Readonly<Record<string, string>>,
): Promise<void> {
  await changeOption(
    store,
    REGISTRATIONS[mode],
    (value) => value ?? { ...site, registered_at: toMoment(now()) },
  );
}

const badResponse = (service: string, { status }: UpstreamAnswer, detail: ErrorDetail): RestError =>
  upstreamError('service_bad_response', { ...detail, data: { service, upstream_status: status } });

function checkAnswer(service: string, answer: UpstreamAnswer, detail: ErrorDetail = {}): void {
  if (answer.status < 200 || answer.status > 299) throw badResponse(service, answer, detail);
}

/** The members of a JSON response; none if it is empty. `detail`: of the error. @throws RestError `service_bad_response` */
export function toMembers(service: string, answer: UpstreamAnswer, detail: ErrorDetail = {}): Members {
  checkAnswer(service, answer, detail);
  if (answer.body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'));
    if (isObject(value)) return value;
  } catch (cause) {
    throw badResponse(service, answer, { ...detail, cause });
  }
  throw badResponse(service, answer, detail);
}

const send = async ({ upstream }: Client, service: Service, request: UpstreamRequest): Promise<Members> =>
  toMembers(service, await upstream.request(service, request));

const toId = (value: unknown): number | null =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : null;

const toEngineJob = ({ job, xliff, permalink, notifyUrl }: EngineJob): Members => ({
  id: job.id,
  source_id: job.id,
  source_language: { code: job.source },
  target_language: { code: job.target },
  file: {
    content: Buffer.from(xliff).toString('base64'),
    name: `job-${job.id}.xliff`,
    type: 'application/x-xliff+xml',
  },
  permalink,
  notify_url: notifyUrl,
  deadline: job.deadline,
});

async function createJobs(client: Client, jobs: readonly EngineJob[]): Promise<ReadonlyMap<number, number>> {
  const answer = await send(client, 'ate', {
    method: 'POST',
    path: '/jobs',
    body: { jobs: jobs.map(toEngineJob) },
  });
  const created = isObject(answer['jobs']) ? answer['jobs'] : {};
  return new Map(
    jobs.flatMap(({ job }) => {
      const id = toId(own(created, String(job.id)));
      return id === null ? [] : [[job.id, id] as const];
    }),
  );
}

function toRecord(id: number, value: unknown): EngineRecord | null {
  if (!isObject(value) || !Number.isSafeInteger(value['status'])) return null;
  return {
    id,
    status: Number(value['status']),
    xliff: typeof value['translated_xliff'] === 'string' ? value['translated_xliff'] : null,
  };
}

async function readJobs(client: Client, jobs: readonly JobRow[]): Promise<ReadonlyMap<number, EngineRecord>> {
  const known = jobs.filter((job) => job.engine === 'remote' && job.engine_job > 0);
  if (known.length === 0) return new Map();
  const records = await send(client, 'ate', {
    method: 'GET',
    path: '/jobs',
    query: { ids: known.map((job) => job.engine_job).join(',') },
  });
  return new Map(
    known.flatMap((job) => {
      const record = toRecord(job.engine_job, own(records, String(job.engine_job)));
      return record === null ? [] : [[job.id, record] as const];
    }),
  );
}

/** Path of a file of the engine, relative to its base URL; null for a URL outside it. */
function toEnginePath(base: string, address: string): Pick<UpstreamRequest, 'path' | 'query'> | null {
  const root = `${base.replace(/\/$/, '')}/`;
  if (!URL.canParse(address, root)) return null;
  const url = new URL(address, root);
  if (!url.href.startsWith(root)) return null;
  return {
    path: url.pathname.slice(new URL(root).pathname.length - 1),
    query: Object.fromEntries(url.searchParams),
  };
}

async function fetchXliff({ upstream }: Client, record: EngineRecord): Promise<Uint8Array | null> {
  if (record.xliff === null) return null;
  const found = toEnginePath(upstream.origin('ate') ?? '', record.xliff);
  if (found === null) throw upstreamError('service_bad_response', { data: { service: 'ate' } });
  const answer = await upstream.request('ate', { method: 'GET', ...found });
  checkAnswer('ate', answer);
  return answer.body;
}

async function syncUsers(
  client: Client,
  kind: 'translators' | 'managers',
  users: readonly { readonly email: string }[],
) {
  const answer = await send(client, 'ams', { method: 'POST', path: `/${kind}`, body: { [kind]: users } });
  const list = Array.isArray(answer[kind]) ? answer[kind].filter(isObject) : [];
  return users.map(({ email }) => ({
    email,
    subscription: list.some((user) => user['email'] === email && user['subscription'] === true),
  }));
}

/** A translation service behind the connections `ate` (jobs) and `ams` (accounts). docs/translation.md describes the responses it must give. */
export function createHttpEngine(client: Client): TranslationEngine {
  const tell = async (path: string, jobs: readonly JobRow[]): Promise<void> => {
    const ids = jobs.filter((job) => job.engine === 'remote').map((job) => job.engine_job);
    if (ids.length > 0) await send(client, 'ate', { method: 'POST', path, body: { ids } });
  };
  return {
    name: 'remote',
    createJobs: (jobs) => createJobs(client, jobs),
    readJobs: (jobs) => readJobs(client, jobs),
    fetchXliff: (record) => fetchXliff(client, record),
    confirm: (jobs) => tell('/jobs/confirm', jobs),
    cancel: (jobs) => tell('/jobs/cancel', jobs),
    async register(site) {
      await send(client, 'ams', { method: 'POST', path: '/register', body: site });
      await register(client, 'remote', {});
    },
    state: () => readState(client, 'remote'),
    syncUsers: (kind, users) => syncUsers(client, kind, users),
    async consoleUrl() {
      if (!(await readState(client, 'remote')).activated) return null;
      const { url } = await send(client, 'ams', { method: 'GET', path: '/console' });
      return typeof url === 'string' && /^https?:/.test(url) ? url : null;
    },
  };
}

/**
 * The built-in engine: people fetch XLIFF files, translate them outside the site and deliver them. Its job ids are those of the
 * site, and its records are those that the site has stored.
 */
export function createLocalService(client: Client, consoleUrl: string | null): TranslationEngine {
  return {
    name: 'local',
    createJobs: async (jobs) => new Map(jobs.map(({ job }) => [job.id, job.id])),
    readJobs: async (jobs) =>
      new Map(jobs.map((job) => [job.id, { id: job.engine_job, status: job.engine_status, xliff: null }])),
    fetchXliff: async () => null,
    confirm: async () => undefined,
    cancel: async () => undefined,
    register: ({ uuid, manager }) => register(client, 'local', { uuid, manager: manager.email }),
    state: () => readState(client, 'local'),
    syncUsers: async (_kind, users) => users.map(({ email }) => ({ email, subscription: true })),
    async consoleUrl() {
      return (await readState(client, 'local')).activated ? consoleUrl : null;
    },
  };
}
