import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SEQUENCES, type Kind, type Sent } from '../support/clients/sequences.ts';
import { toBasic, withClientServer } from '../support/clients/server.ts';

function kindOf(value: unknown): Kind | 'null' | 'undefined' {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : (typeof value as Kind);
}

/** The value at a path whose names may hold dots and slashes themselves: `routes./wp/v2/posts.namespace`. */
function readPath(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      value,
    );
}

function listRecords({ byName }: Sent, body: unknown): readonly unknown[] {
  if (byName === true) return Object.values(body as object);
  return Array.isArray(body) ? body : [body];
}

function findFaults(sent: Sent, body: unknown): readonly string[] {
  const records = listRecords(sent, body);
  if (sent.empty === true) return records.length === 0 ? [] : ['is not empty'];
  if (records.length === 0) return ['is empty'];
  return Object.entries(sent.reads ?? {}).flatMap(([path, kind]) => {
    const wrong = records.find((record) => kindOf(readPath(record, path)) !== kind);
    return wrong === undefined
      ? []
      : [
          `${path} is not a ${kind}: ${JSON.stringify(readPath(wrong, path))} in ${String(readPath(wrong, 'id') ?? readPath(wrong, 'slug'))}`,
        ];
  });
}

async function send(sent: Sent, api: string): Promise<readonly string[]> {
  const [method = '', path = ''] = sent.send.split(' ');
  const headers: Record<string, string> = {
    ...(sent.as === undefined ? {} : { Authorization: toBasic(sent.as) }),
    ...(sent.override === undefined ? {} : { 'X-HTTP-Method-Override': sent.override }),
  };
  const content = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) };
  const response = await fetch(`${api}${path}`, {
    method,
    headers: sent.body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...content,
  });
  const faults = response.status === (sent.status ?? 200) ? [] : [`has the status ${response.status}`];
  const missing =
    sent.paged === true
      ? ['X-WP-Total', 'X-WP-TotalPages'].filter((name) => !/^\d+$/.test(response.headers.get(name) ?? ''))
      : [];
  const allowed = (response.headers.get('Allow') ?? '').split(', ');
  return [
    ...faults,
    ...missing.map((name) => `lacks ${name}`),
    ...(sent.allows ?? []).filter((name) => !allowed.includes(name)).map((name) => `does not allow ${name}`),
    ...findFaults(sent, await response.json()),
  ];
}

const sequences = suite('the requests of clients');

sequences('get what the client reads', () =>
  withClientServer(async (origin) => {
    assert.ok(SEQUENCES.size > 0);
    for (const [client, requests] of SEQUENCES) {
      for (const sent of requests)
        assert.equal(await send(sent, `${origin}/en/wp-json`), [], `${sent.send} of ${client}`);
    }
  }).then(() => undefined),
);

sequences.run();
