// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Identity } from '../../../../lib/core/identity.ts';
import { createRequest } from '../../../../lib/http/create-request.ts';
import { RawBody, type RestResponse } from '../../../../lib/http/response.ts';
import type { Json } from '../../../../lib/schema/schema-dialect.ts';
import type { Ports } from '../../../../registry/core/host/ports.ts';
import {
  CAPABILITIES,
  capabilitiesOf,
  catalogues,
  createCommonArgs,
  createRegistry,
  registryDescriptors,
} from '../../../../registry/index.ts';
import { toJob } from '../../../../registry/plugins/ml/records/job-record.ts';
import { loadFixture, type Fixture } from '../../../../registry/transfer/fixture/fixture.ts';
import { checkAnswer } from '../../../support/answers.ts';
import { createTestPorts, TEST_CONFIG } from '../../../support/ports.ts';
import { createTestEngine } from '../../../support/site.ts';

/** As clients send letters outside of ASCII. */
const encodeLetters = (target: string): string => target.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);

type Row = Readonly<Record<string, Json>>;

const CONTENT = '<!-- cms:paragraph -->\n<p>Hello <b>world</b> &amp; all</p>\n<!-- /cms:paragraph -->';

const toPost = (id: number, more: Row = {}): Row => ({
  id,
  author: 2,
  status: 'publish',
  slug: `post-${id}`,
  title: `Post ${id}`,
  content: CONTENT,
  excerpt: '',
  password: '',
  comment_status: 'open',
  ping_status: 'open',
  format: 'standard',
  sticky: false,
  template: '',
  featured_media: 0,
  categories: [11],
  tags: [21],
  meta: { footnotes: '' },
  date: '2025-01-01T10:00:00',
  date_gmt: '2025-01-01T10:00:00',
  modified: '2025-01-01T10:00:00',
  modified_gmt: '2025-01-01T10:00:00',
  ...more,
});

/** Users by name: a translator of English to French, a translator of English to Dutch, and users of the other roles. */
export const USERS = { admin: 1, editor: 2, manager: 3, anna: 4, noor: 5, reader: 6, author: 7 } as const;
export type UserName = keyof typeof USERS | 'nobody';

const ROLE_OF = {
  admin: 'administrator',
  editor: 'editor',
  manager: 'translation_manager',
  anna: 'translator',
  noor: 'translator',
  reader: 'subscriber',
  author: 'author',
} as const;

export const ML_FIXTURE: Fixture = {
  site: { name: 'Test', timezone_string: 'UTC', ml_language: 'en' },
  users: Object.entries(USERS).map(([login, id]) => ({
    id,
    login,
    slug: login,
    name: `${login[0]?.toUpperCase()}${login.slice(1)} Test`,
    role: ROLE_OF[login as keyof typeof USERS],
    email: `${login}@example.org`,
    password: `${login}-pass`,
    language_pairs: login === 'anna' ? ['en:fr'] : login === 'noor' ? ['en:nl'] : [],
  })),
  categories: [
    { id: 11, name: 'News', slug: 'news', parent: 0 },
    { id: 12, name: 'Sports', slug: 'sports', parent: 0, group: 12 },
    { id: 13, name: 'Le sport', slug: 'le-sport', parent: 0, group: 12, ml_language: 'fr' },
  ],
  tags: [{ id: 21, name: 'red', slug: 'red' }],
  posts: [
    toPost(101),
    toPost(102, { status: 'draft', date_gmt: '' }),
    toPost(103, { status: 'private' }),
    toPost(104, { password: 'secret' }),
    toPost(105, { ml_language: 'nl', categories: [], tags: [] }),
    toPost(106, { status: 'trash' }),
    toPost(107, { categories: [12], tags: [] }),
  ],
};

export function toIdentity(user: UserName): Identity {
  if (user === 'nobody') return { id: 0, role: '', capabilities: new Set() };
  return { id: USERS[user], role: ROLE_OF[user], capabilities: capabilitiesOf(ROLE_OF[user]) };
}

/** A response as a client reads it. */
export interface Reply {
  readonly status: number;
  /** Parsed JSON; the text of any other response. */
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
}

export interface MlSite {
  readonly ports: Ports;
  /** Sends `METHOD /path` as this user. A 2xx response of our namespaces must match the schema of its descriptor. */
  ask(user: UserName, target: string, body?: unknown): Promise<Reply>;
}

function toReply(response: RestResponse): Reply {
  const { status, headers, body } = response;
  if (body instanceof RawBody) return { status, headers, body: Buffer.from(body.content).toString('utf8') };
  return { status, headers, body: JSON.parse(JSON.stringify(body)) as unknown };
}

function checkReply(method: string, path: string, { body, headers }: Reply): void {
  if (headers['Content-Disposition'] !== undefined || path.startsWith('/ml/ate')) return;
  for (const descriptor of registryDescriptors.filter(
    (each) => path.startsWith('/ml/') && path.startsWith(`/${each.namespace}/`),
  )) {
    const isMatch = (pattern: string): boolean =>
      new RegExp(`^${pattern.replaceAll('(?P<', '(?<')}$`).test(path);
    const route = descriptor.routes.find((each) => isMatch(each.pattern));
    if (route !== undefined) checkAnswer(descriptor, [method, route.pattern], body);
  }
}

/** A site with the fixture above. `parts` replaces ports. */
export async function createMlSite(
  parts: Partial<Ports> = {},
  fixture: Fixture | null = ML_FIXTURE,
): Promise<MlSite> {
  const ports = createTestPorts(parts);
  if (fixture !== null) await loadFixture(ports.store, fixture);
  // Only the namespaces that these tests use. Compiling all of them would take most of the time.
  const namespaces = (await createRegistry(ports)).filter(({ descriptor }) =>
    /^(?:ml|cms)\//.test(descriptor.namespace),
  );
  const engine = createTestEngine(namespaces, {
    capabilities: CAPABILITIES,
    commonArgs: createCommonArgs(TEST_CONFIG.languages),
    languageParam: 'ml_language',
    catalogues,
  });
  return {
    ports,
    async ask(user, target, body) {
      const [method = 'GET', path = ''] = target.split(' ');
      const reply = toReply(
        await engine.dispatch(
          createRequest(encodeLetters(path), { method, ...(body === undefined ? {} : { body }) }),
          toIdentity(user),
        ),
      );
      if (reply.status < 300) checkReply(method, path.split('?')[0] ?? '', reply);
      return reply;
    },
  };
}

/** Asserts the status of the reply and, for an error, its code. */
export function checkStatus(reply: Reply, status: number, code?: string): Reply {
  assert.equal(
    [reply.status, ...(code === undefined ? [] : [reply.body?.code])],
    [status, ...(code === undefined ? [] : [code])],
    JSON.stringify(reply.body)?.slice(0, 400),
  );
  return reply;
}

/** What an entry of the log of a job says if nothing is wrong. */
const EVENTS: ReadonlySet<unknown> = new Set(['assigned', 'unassigned', 'delivered', 'applied']);

/** The problems in the logs of all jobs. */
export async function readProblems({
  ports,
}: MlSite): Promise<readonly (readonly [job: unknown, code: unknown])[]> {
  const { records } = await ports.store.find({ collection: 'ml_job_log' });
  return records.map(({ job, code }) => [job, code] as const).filter(([, code]) => !EVENTS.has(code));
}

export type Translate = (id: string, source: string) => string;

const toCdata = (text: string): string =>
  `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[')}]]>`;
const fromCdata = (xml: string): string =>
  xml.replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1').replaceAll('&#13;', '\r');

/** The text that a segment is part of. */
export const toText = (id: string): string => id.replace(/^body-[0-9a-f]{12}$/, 'body');

/** Fills in the targets of an exported file as a translation tool would, without our own reader. */
export function translateXliff(xliff: string, translate: Translate): string {
  if (xliff.includes('<trans-unit')) {
    return xliff.replaceAll(
      /<trans-unit id="([^"]+)"([^>]*)>\s*<source>([\s\S]*?)<\/source>\s*<target[^>]*>[\s\S]*?<\/target>/g,
      (...[, id = '', rest = '', source = '']: string[]) =>
        `<trans-unit id="${id}"${rest}><source>${source}</source><target state="translated">${toCdata(translate(toText(id), fromCdata(source)))}</target>`,
    );
  }
  return xliff.replaceAll(
    /<unit id="([^"]+)"([^>]*)>((?:(?!<segment)[\s\S])*)<segment[^>]*>\s*<source([^>]*)>([\s\S]*?)<\/source>(?:\s*<target[\s\S]*?<\/target>)?/g,
    (...[, id = '', rest = '', before = '', space = '', source = '']: string[]) =>
      `<unit id="${id}"${rest}>${before}<segment state="translated"><source${space}>${source}</source><target>${toCdata(translate(toText(id), fromCdata(source)))}</target>`,
  );
}

const french: Translate = (id, source) =>
  id === 'URL'
    ? `${source}-fr`
    : source
        .replaceAll('Post', 'Article')
        .replaceAll('Hello', 'Bonjour')
        .replaceAll('News', 'Nouvelles')
        .replaceAll('red', 'rouge');

/** Creates a job and returns its id. */
export async function createJob(site: Pick<MlSite, 'ask'>, post = 101, more: Row = {}): Promise<number> {
  const { body } = checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/ate/jobs', {
      jobs: [{ post_id: post, target_language: 'fr', ...more }],
    }),
    200,
  );
  const job = Number(Object.keys(body.jobs)[0]);
  await waitForMachines(site);
  return job;
}

/** Waits until the machines have translated what is queued. */
export async function waitForMachines({ ask }: Pick<MlSite, 'ask'>): Promise<void> {
  for (let round = 0; round < 1000; round += 1) {
    const { body } = await ask('admin', 'GET /ml/tm/v1/jobs?status=2');
    if (body.total === 0) return;
    await wait(5);
  }
  throw new Error('the machines did not finish');
}

/** The file of a job. */
export async function fetchFile(site: Pick<MlSite, 'ask'>, job: number, version = '1.2'): Promise<string> {
  const { body } = checkStatus(
    await site.ask('admin', `GET /ml/tm/v1/xliff/fetch/${job}?version=${version}`),
    200,
  );
  return Buffer.from(body.content, 'base64').toString('utf8');
}

export const toReports = (job: number, xliff: string | Uint8Array): unknown => ({
  ml_job_id: String(job),
  ate_job_data: [{ translated_xliff: { content: Buffer.from(xliff).toString('base64') } }],
});

/** Translates and delivers a job. */
export async function deliverJob(
  site: Pick<MlSite, 'ask'>,
  job: number,
  { translate = french, version = '1.2' }: { translate?: Translate; version?: string } = {},
): Promise<void> {
  const xliff = translateXliff(await fetchFile(site, job, version), translate);
  checkStatus(await site.ask('admin', 'POST /ml/tm/v1/ate/jobs/store', toReports(job, xliff)), 200);
}

/** Applies a job and returns the translated post in the edit context. */
export async function applyJob(site: MlSite, job: number, post = 101): Promise<any> {
  const { body } = checkStatus(
    await site.ask('admin', 'POST /ml/tm/v1/tp/apply-translations', [{ id: job, type: 'post' }]),
    200,
  );
  assert.equal(
    body.map((each: any) => [each.id, each.status, each.errors]),
    [[job, 10, undefined]],
  );
  return readTranslation(site, post);
}

/** The French post of the same group. */
export async function readTranslation(site: MlSite, post = 101, language = 'fr'): Promise<any> {
  const source = await site.ports.store.get('posts', post);
  const { records } = await site.ports.store.find({
    collection: 'posts',
    where: {
      op: 'and',
      of: [
        { op: 'eq', field: 'group', value: Number(source?.['group']) },
        { op: 'eq', field: 'language', value: language },
      ],
    },
  });
  assert.is(records.length, 1, `translations of ${post} into ${language}`);
  return (await site.ask('admin', `GET /cms/v2/posts/${records[0]?.id}?context=edit`)).body;
}

/** The stored job. */
export async function readJob(site: MlSite, id: number): Promise<Readonly<Record<string, any>>> {
  const job = await site.ports.store.get('ml_jobs', id);
  return job === null ? {} : toJob(job);
}
