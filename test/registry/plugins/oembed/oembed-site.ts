import type { Engine } from '../../../../lib/engine/engine.ts';
import type { Outbound } from '../../../../lib/ports/outbound.ts';
import type { Values } from '../../../../lib/store/store.ts';
import { CAPABILITIES, capabilitiesOf } from '../../../../registry/core/accounts/roles.ts';
import type { LogEvent, Ports } from '../../../../registry/core/host/ports.ts';
import { createOembedNamespace } from '../../../../registry/plugins/oembed/index.ts';
import { createTestPorts, TEST_CONFIG, TEST_NOW } from '../../../support/ports.ts';
import { createTestEngine } from '../../../support/site.ts';

export const SITE_URL = 'http://site.test';
export const HOME = `${SITE_URL}/en`;

const POSTS: readonly Values[] = [
  { id: 101, slug: 'alpha', title: 'Alpha', author: 1, featured_media: 301 },
  { id: 102, slug: 'alpha', title: 'Alpha en français', language: 'fr' },
  { id: 103, slug: 'quotes', title: 'Fish & <b>"chips"</b> &lt;now&gt;', author: 99 },
  { id: 119, slug: 'no-title', title: '' },
  { id: 104, slug: '%e6%97%a5', title: '日', author: 1 },
  { id: 105, slug: 'nederlands', title: 'Nederlands', language: 'nl', author: 1 },
  {
    id: 126,
    slug: 'protected',
    title: 'Protected one',
    password: 'sesame',
    content: 'canary-content',
    excerpt: 'canary-excerpt',
    author: 1,
    featured_media: 301,
  },
  ...['draft', 'pending', 'private', 'future', 'trash', 'auto-draft', 'inherit'].map((status, index) => ({
    id: 135 + index,
    slug: `${status}-post`,
    title: `canary-${status}`,
    status,
  })),
  { id: 145, slug: 'due', title: 'Due', status: 'future', date_gmt: '2025-01-15T12:00:00' },
  { id: 150, slug: 'template', title: 'canary-template', type: 'template' },
];

export interface OembedSite {
  readonly engine: Engine;
  readonly logged: LogEvent[];
  /** `query`: query string of the address. */
  get(
    route: 'embed' | 'proxy',
    query: string,
    login?: string,
  ): Promise<{
    readonly status: number;
    readonly type: string;
    readonly text: string;
    readonly body: unknown;
  }>;
}

export interface OembedOptions {
  readonly outbound?: Outbound;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly now?: () => number;
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function createPorts(
  { outbound, settings = {}, now = () => TEST_NOW }: OembedOptions,
  log: Ports['log'],
): Promise<Ports> {
  const config = { ...TEST_CONFIG, namespaces: { oembed: settings } };
  const ports = createTestPorts({ now, log, config, ...(outbound === undefined ? {} : { outbound }) });
  await ports.store.commit([
    ...POSTS.map(
      (values) =>
        ({
          op: 'create',
          collection: 'posts',
          values: { type: 'post', language: 'en', status: 'publish', ...values },
        }) as const,
    ),
    {
      op: 'create',
      collection: 'users',
      values: { id: 1, login: 'admin', slug: 'admin-slug', name: 'Admin' },
    },
    {
      op: 'create',
      collection: 'media',
      values: { id: 301, file: '2023/12/pic ture.png', width: 640, height: 480 },
    },
    { op: 'create', collection: 'options', values: { group: 'site', key: 'name', value: 'Test & Site' } },
  ]);
  return ports;
}

/** A site with posts of every status behind an engine. A login is named after its role. */
export async function createOembedSite(options: OembedOptions = {}): Promise<OembedSite> {
  const logged: LogEvent[] = [];
  const ports = await createPorts(options, (event) => {
    logged.push(event);
  });
  const engine = createTestEngine([createOembedNamespace(ports)], {
    capabilities: CAPABILITIES,
    authenticate: ({ headers: { login = '' } }) => ({
      id: login === '' ? 0 : 1,
      role: login,
      capabilities: capabilitiesOf(login),
    }),
    log: (event) => {
      logged.push({ ...event });
    },
  });
  return {
    engine,
    logged,
    async get(route, query, login) {
      const answer = await engine.serve({
        method: 'GET',
        path: `/oembed/1.0/${route}`,
        query,
        language: 'en',
        siteUrl: SITE_URL,
        headers: { login },
        body: { kind: 'none' },
        address: '',
      });
      const text = String(answer.body ?? '');
      return {
        status: answer.status,
        type: answer.headers['Content-Type'] ?? '',
        text,
        body: readBody(text),
      };
    },
  };
}
