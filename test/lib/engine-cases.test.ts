import { request as sendRequest } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../adapters/fetch.ts';
import { createServer } from '../../adapters/node-http.ts';
import { engineError, RestError } from '../../lib/core/errors.ts';
import type { Engine } from '../../lib/engine/engine.ts';
import { parseAddress } from '../../lib/http/address.ts';
import { parseBody } from '../../lib/http/body.ts';
import type { WireResponse } from '../../lib/http/host.ts';
import { createCaseEngine, ENGINE_CASES, type EngineCase } from '../support/engine-cases.ts';
import { PATIENT } from '../support/patient.ts';
import { withServer } from '../support/raw.ts';

const BASE = '/en/cms-json';
const SITE = 'https://site.test';

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** What belongs to a connection, and not to the answer. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
]);

function toAnswer(status: number, headers: Iterable<readonly [string, string]>, text: string): Answer {
  const own = [...headers]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { status, text, headers: new Map(own.toSorted(([a], [b]) => a.localeCompare(b))) };
}

function headersOf({ headers = {}, body }: EngineCase): Record<string, string> {
  return body === undefined || 'Content-Type' in headers
    ? { ...headers }
    : { ...headers, 'Content-Type': 'application/json' };
}

/** What an adapter does, without one. */
async function inProcess(engine: Engine, each: EngineCase): Promise<Answer> {
  const headers = Object.fromEntries(
    Object.entries(headersOf(each)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const method = each.method ?? 'GET';
  let wire: WireResponse;
  try {
    const address = parseAddress(engine, `${BASE}${each.target}`);
    if (address === null) throw engineError('rest_no_route');
    engine.checkHead?.({ method, headers, query: address.query, siteUrl: SITE });
    wire = await engine.serve({
      method,
      ...address,
      headers,
      siteUrl: SITE,
      address: '',
      body: parseBody(Buffer.from(each.body ?? ''), headers['content-type']),
    });
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    wire = engine.refuse(error, { method, headers });
  }
  return toAnswer(
    wire.status,
    Object.entries(wire.headers),
    wire.body === null ? '' : Buffer.from(wire.body).toString(),
  );
}

function overHttp(port: number, each: EngineCase): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = each.body === undefined ? {} : { 'Content-Length': Buffer.byteLength(each.body) };
    const outgoing = sendRequest(
      {
        port,
        host: '127.0.0.1',
        method: each.method ?? 'GET',
        path: `${BASE}${each.target}`,
        headers: { ...headersOf(each), ...length },
      },
      (incoming) => {
        const chunks: Uint8Array[] = [];
        incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve(
            toAnswer(
              incoming.statusCode ?? 0,
              Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
              Buffer.concat(chunks).toString(),
            ),
          ),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(each.body);
  });
}

async function overFetch(handle: (request: Request) => Promise<Response>, each: EngineCase): Promise<Answer> {
  const init = {
    method: each.method ?? 'GET',
    headers: headersOf(each),
    ...(each.body === undefined ? {} : { body: each.body }),
  };
  const response = await handle(new Request(`http://stranger.test${BASE}${each.target}`, init));
  return toAnswer(response.status, response.headers, await response.text());
}

function check(each: EngineCase, answer: Answer): void {
  assert.is(answer.status, each.status, each.name);
  if (each.code !== undefined) {
    const { code, message, data } = JSON.parse(answer.text) as {
      code: string;
      message: string;
      data: { status: number };
    };
    assert.equal([code, data.status, typeof message], [each.code, each.status, 'string'], each.name);
  }
  if (each.answer === null) assert.is(answer.text, '', each.name);
  else if (each.answer !== undefined) assert.equal(JSON.parse(answer.text), each.answer, each.name);
  for (const [name, value] of Object.entries(each.sent ?? {}))
    assert.is(answer.headers.get(name.toLowerCase()) ?? null, value, `${each.name}: ${name}`);
  if (each.method === 'HEAD' || each.status === 204 || each.status === 304)
    assert.is(answer.text, '', each.name);
  assert.is(answer.text.includes('secret'), false, each.name);
}

const cases = suite('the same cases by every way in');

cases('in the process', async () => {
  const engine = createCaseEngine();
  for (const each of ENGINE_CASES) check(each, await inProcess(engine, each));
});

cases('over node:http, with the very same answers', async () => {
  const engine = createCaseEngine();
  await withServer(createServer(engine, { siteUrl: SITE, limits: PATIENT }), async (port) => {
    for (const each of ENGINE_CASES) {
      const answer = await overHttp(port, each);
      check(each, answer);
      assert.equal(answer, await inProcess(engine, each), each.name);
    }
  });
});

cases('over fetch, with the very same answers', async () => {
  const engine = createCaseEngine();
  const handle = createFetchHandler(engine, { siteUrl: SITE, limits: PATIENT });
  for (const each of ENGINE_CASES) {
    const answer = await overFetch(handle, each);
    check(each, answer);
    assert.equal(answer, await inProcess(engine, each), each.name);
  }
});

cases('have names of their own', () => {
  assert.is(new Set(ENGINE_CASES.map(({ name }) => name)).size, ENGINE_CASES.length);
});

cases.run();
