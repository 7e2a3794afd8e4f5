import * as assert from 'uvu/assert';
import type { Operation, Store, Values } from '../../../../lib/store/store.ts';
import type { Ports } from '../../../../registry/core/host/ports.ts';
import { releaseLock, takeLock } from '../../../../registry/core/limits/locks.ts';
import { readSecscanHost } from '../../../../registry/plugins/secscan/connection/host.ts';
import { createScope } from '../../../../registry/plugins/secscan/rules/rule.ts';
import { changeScanState, SCAN_LOCK } from '../../../../registry/plugins/secscan/scan/scan-state.ts';
import { runScan, type ScanEnd } from '../../../../registry/plugins/secscan/scan/scan.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../../registry/plugins/secscan/settings/settings.ts';
import { HARMLESS, OWN_URL, PLANTED } from './planted.ts';

export const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  'links.blockedHosts': ['blocked.test'],
  'users.suspiciousLogins': ['wpsupport*'],
};

/** The facts of the host for a site that breaks every rule about the site itself. */
export const PLANTED_HOST = {
  dataDirectory: '/srv/www/data',
  servedDirectories: ['/srv/www'],
  freeMegabytes: async () => 10,
  weakPasswordUsers: async () => [3],
};

const STATUSES = ['publish', 'draft', 'pending', 'private', 'future'] as const;
const REPEATED = 51;
const AT_ONCE = 500;

export const toPost = (values: Values): Operation => ({
  op: 'create',
  collection: 'posts',
  values: { type: 'post', language: 'en', status: 'publish', title: 'A post', ...values },
});

/** Runs one scan under its lock. */
export async function scan(
  ports: Ports,
  settings: Settings = SETTINGS,
  signal: AbortSignal = new AbortController().signal,
): Promise<ScanEnd> {
  const key = await takeLock(ports, SCAN_LOCK);
  assert.ok(key !== null);
  const { id } = await changeScanState(ports, (state) => ({
    id: state.id + 1,
    status: 'running',
    stop_requested: false,
  }));
  const end = await runScan(ports, {
    id,
    key,
    scope: createScope(OWN_URL, settings),
    host: readSecscanHost(ports.config),
    signal,
  });
  await releaseLock(ports, SCAN_LOCK, key);
  return end;
}

/** `rule kind object` of every issue, sorted. */
export async function listIssues({ store }: Pick<Ports, 'store'>): Promise<readonly string[]> {
  const { records } = await store.find({ collection: 'scan_issues' });
  return records
    .map(({ data }) => {
      const { rule, kind, object } = data as Readonly<Record<string, unknown>>;
      return `${String(rule)} ${String(kind)} ${String(object)}`;
    })
    .sort();
}

/** The fault of post `id` of `count`; null for none. */
function toFault(id: number, count: number): readonly [rule: string, values: Values] | null {
  const every = Math.floor(count / (PLANTED.length + 1));
  const planted = id % every === 0 ? PLANTED[id / every - 1] : undefined;
  if (planted !== undefined) return planted;
  // Between the planted posts, which are at least five apart.
  return id % every === 1 && id / every < REPEATED
    ? ['repeated-link', { content: '<p>Some words of a text</p><a href="https://sold.test/here">x</a>' }]
    : null;
}

function toClean(id: number): Values {
  const harmless = id % 3 === 0 ? (HARMLESS[id % HARMLESS.length] ?? {}) : {};
  const content = `${String(harmless['content'] ?? '').replaceAll(/(href="https?:\/\/[^/"]+\/)/g, `$1${id}/`)}<p>${'Some words of text. '.repeat(20)}<a href="https://other.test/${id}">x</a></p>`;
  return { ...harmless, content };
}

const OTHERS: readonly Operation[] = [
  ...['trash', 'auto-draft'].map((status) => toPost({ status, content: '<script>1</script>' })),
  {
    op: 'create',
    collection: 'users',
    values: { id: 1, login: 'admin', slug: 'a', role: 'administrator', email: 'admin@site.test' },
  },
  {
    op: 'create',
    collection: 'users',
    values: { id: 2, login: 'WPSupport7', slug: 'b', role: 'administrator', email: '' },
  },
  {
    op: 'create',
    collection: 'users',
    values: { id: 3, login: 'writer', slug: 'c', role: 'author', email: '' },
  },
  {
    op: 'create',
    collection: 'options',
    values: {
      id: 41,
      group: 'seo',
      key: 'social',
      value: { other: ['https://good.test/', 'see https://user:secret@example.com/ there'] },
    },
  },
  {
    op: 'create',
    collection: 'options',
    values: { id: 42, group: 'secscan', key: 'x', value: 'https://user:secret@example.com/' },
  },
];

/** Fills a store with `count` posts, some of which break one rule each. @returns the issues that a scan must find, sorted */
export async function plantSite(store: Store, count: number): Promise<readonly string[]> {
  const wanted = [
    'option-credentials option 41',
    'weak-user-password user 3',
    'administrator-without-email user 2',
    'administrator-name user 2',
    'served-data site 0',
    'disk-space site 0',
  ];
  let waiting: Operation[] = [];
  for (let id = 1; id <= count; id += 1) {
    const fault = toFault(id, count);
    if (fault !== null) wanted.push(`${fault[0]} post ${id}`);
    waiting.push(
      toPost({
        id,
        slug: `post-${id}`,
        title: `Post number ${id}`,
        status: STATUSES[id % STATUSES.length] ?? 'publish',
        ...(fault?.[1] ?? toClean(id)),
      }),
    );
    if (waiting.length === AT_ONCE || id === count) {
      await store.commit(waiting);
      waiting = [];
    }
  }
  await store.commit(OTHERS);
  assert.ok(wanted.filter((each) => each.startsWith('repeated')).length >= SETTINGS['links.maxPosts']);
  assert.ok(PLANTED.every(([rule]) => wanted.some((each) => each.startsWith(`${rule} `))));
  return wanted.sort();
}
