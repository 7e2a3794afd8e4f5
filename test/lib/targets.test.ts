import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServer } from '../../adapters/node-http.ts';
import { RestError, toStatus } from '../../lib/core/errors.ts';
import { ANONYMOUS } from '../../lib/core/identity.ts';
import type { Engine } from '../../lib/engine/engine.ts';
import { createRequest } from '../../lib/http/create-request.ts';
import { defineNamespace } from '../../lib/route/namespace.ts';
import { PATIENT } from '../support/patient.ts';
import { talk, withServer } from '../support/raw.ts';
import { createTestEngine } from '../support/site.ts';

type Outcome = string | { readonly http: string; readonly batch: string };

/** What each target leads to: the word that the route got, or a status and a code. `http` is also the outcome of `createRequest`. */
const ROWS: readonly (readonly [title: string, target: string, outcome: Outcome])[] = [
  ['a plain path', '/shop/v1/words/a', 'a'],
  ['a query', '/shop/v1/words/a?x=%20', 'a'],
  ['a slash at the end of the query', '/shop/v1/words/a?x=/', 'a'],
  ['a slash and a question mark in the query', '/shop/v1/words/a?x=/?', 'a'],
  ['an encoded word', '/shop/v1/words/%C3%A9', 'é'],
  ['a word that is encoded twice', '/shop/v1/words/%2541', '%41'],
  ['an encoded slash', '/shop/v1%2Fwords/a', '404 rest_no_route'],
  ['NUL', '/shop/v1/words/a%00', '400 rest_invalid_encoding'],
  ['a bad percent sign', '/shop/v1/words/%zz', '400 rest_invalid_encoding'],
  ['bytes that are not UTF-8', '/shop/v1/words/%ff', '400 rest_invalid_encoding'],
  ['a bad percent sign in the query', '/shop/v1/words/a?x=%zz', '400 rest_invalid_encoding'],
  ['a letter outside of ASCII', '/shop/v1/words/\u00e9', '400 rest_invalid_encoding'],
  ['a doubled slash', '/shop//v1/words/a', '404 rest_no_route'],
  // Recorded: WordPress has no route for it in a batch.
  ['a trailing slash', '/shop/v1/words/a/', { http: 'a', batch: '404 rest_no_route' }],
  ['two trailing slashes', '/shop/v1/words/a//', '404 rest_no_route'],
];

const engine = createTestEngine([
  defineNamespace(
    {
      namespace: 'shop/v1',
      routes: [
        {
          pattern: '/shop/v1/words/(?P<word>[^/]+)',
          endpoints: [
            {
              methods: ['POST'],
              handler: 'say',
              permission: 'public',
              allow_batch: { v1: true },
              args: { word: { type: 'string' } },
            },
          ],
        },
      ],
    },
    { say: ({ word }) => ({ word }) },
  ),
]);

interface Answer {
  readonly word?: string;
  readonly code?: string;
}

const toOutcome = (status: number, { word, code }: Answer): string => word ?? `${status} ${code}`;

async function inProcess(target: string): Promise<string> {
  try {
    const { status, body } = await engine.dispatch(createRequest(target, { method: 'POST' }));
    return toOutcome(status, body as Answer);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return `${toStatus(error, ANONYMOUS)} ${error.code}`;
  }
}

async function inBatch(path: string): Promise<string> {
  const { body } = await engine.dispatch(
    createRequest('/batch/v1', { method: 'POST', body: { requests: [{ path }] } }),
  );
  const {
    responses: [item],
  } = JSON.parse(JSON.stringify(body)) as { responses: [{ status: number; body: Answer }] };
  return toOutcome(item.status, item.body);
}

async function overHttp(host: Engine, target: string): Promise<string> {
  let outcome = '';
  await withServer(createServer(host, { limits: PATIENT }), async (port) => {
    const { text } = await talk(
      port,
      `POST /en/cms-json${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    outcome = toOutcome(
      Number(text.slice(9, 12)),
      JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as Answer,
    );
  });
  return outcome;
}

const targets = suite('targets');

for (const [title, target, outcome] of ROWS) {
  const { http, batch } = typeof outcome === 'string' ? { http: outcome, batch: outcome } : outcome;
  targets(`${title} means the same over HTTP, in the process and in a batch`, async () => {
    assert.equal(
      [await overHttp(engine, target), await inProcess(target), await inBatch(target)],
      [http, http, batch],
    );
  });
}

for (const target of ['http://host/shop/v1/words/a', 'shop/v1/words/a', '', '/shop/v1/words/a#b']) {
  targets(`${JSON.stringify(target)} is refused by createRequest`, async () =>
    assert.is(await inProcess(target), '400 rest_bad_request'),
  );
}

targets.run();
