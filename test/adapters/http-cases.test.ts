import { request as sendRequest } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../adapters/fetch.ts';
import { createServer } from '../../adapters/node-http.ts';
import { createEchoHost } from '../support/echo-host.ts';
import type { EchoHost } from '../support/echo-host.ts';
import { PATIENT } from '../support/patient.ts';
import { withServer } from '../support/raw.ts';
import { HTTP_CASES } from './http-cases.ts';
import type { HttpCase } from './http-cases.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

function sendTo(port: number, { method = 'GET', target, headers = {}, body }: HttpCase): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path: target,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }) },
      },
      (incoming) => {
        const chunks: Uint8Array[] = [];
        incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        incoming.on('end', () => {
          outgoing.destroy();
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function handOver(
  handle: (request: Request) => Promise<Response>,
  { method = 'GET', target, headers = {}, body }: HttpCase,
): Promise<Answer> {
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await handle(new Request(`http://stranger.example${target}`, init));
  return { status: response.status, text: await response.text() };
}

function check({ name, status, code, seen, method }: HttpCase, answer: Answer, host: EchoHost): void {
  assert.is(answer.status, status, name);
  const last = host.served.pop();
  assert.is(host.served.length, 0, name);
  assert.is(last !== undefined, seen !== undefined, `${name}: whether the host was asked`);
  if (code !== undefined) assert.equal(pickError(answer.text), { code, status }, name);
  if (last === undefined || seen === undefined) return;
  for (const key of Object.keys(seen))
    assert.is(JSON.stringify(Reflect.get(last, key)), JSON.stringify(seen[key]), `${name}: ${key}`);
  if (method === 'HEAD') assert.is(answer.text, '', name);
}

function pickError(text: string): unknown {
  const { code, data } = JSON.parse(text);
  return { code, status: data.status };
}

const cases = suite('node-http and fetch, the same cases');

cases('node-http', async () => {
  const host = createEchoHost();
  const server = createServer(host, { limits: PATIENT });
  await withServer(server, async (port) => {
    for (const each of HTTP_CASES) {
      check(each, await sendTo(port, each), host);
      assert.is(
        (await sendTo(port, { name: 'next', target: '/en/cms-json', status: 200 })).status,
        200,
        `after ${each.name}`,
      );
      assert.is(host.served.pop()?.siteUrl, `http://127.0.0.1:${port}`);
    }
  });
});

cases('fetch', async () => {
  const host = createEchoHost();
  const handle = createFetchHandler(host, { siteUrl: 'https://site.example', limits: PATIENT });
  for (const each of HTTP_CASES) {
    check(each, await handOver(handle, each), host);
    assert.is(
      (await handOver(handle, { name: 'next', target: '/en/cms-json', status: 200 })).status,
      200,
      `after ${each.name}`,
    );
    assert.is(host.served.pop()?.siteUrl, 'https://site.example');
  }
});

cases.run();
