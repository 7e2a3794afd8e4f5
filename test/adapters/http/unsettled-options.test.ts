import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../../adapters/fetch.ts';
import { createServer } from '../../../adapters/node-http.ts';
import { createEngine, type Engine } from '../../../lib/engine/engine.ts';
import { PATIENT } from '../../support/patient.ts';
import { createProbe } from '../../support/probe.ts';

const SLOTS = 2;
const PATH = '/probe/v1/it';
const HANG = { 'x-hang': '1' };
/** Long enough for any answer on a busy machine. */
const ANSWER_MS = 30_000;

type Option = 'context' | 'authenticate';

interface Opened {
  readonly engine: Engine;
  /** The option, which never settles for requests with the header. */
  readonly context: { readonly context?: (request: { readonly headers: unknown }) => null | Promise<null> };
  readonly log: readonly string[];
  /** Resolves when the option was called for as many requests as the server serves at once. */
  readonly allHang: Promise<void>;
}

function open(option: Option, handlerTimeoutMs: number): Opened {
  const log: string[] = [];
  let hanging = 0;
  let note = (): void => undefined;
  const allHang = new Promise<void>((resolve) => {
    note = resolve;
  });
  const hang = ({ headers }: { readonly headers: unknown }): null | Promise<null> => {
    const value =
      headers instanceof Headers ? headers.get('x-hang') : (headers as Record<string, unknown>)['x-hang'];
    if (value === undefined || value === null) return null;
    hanging += 1;
    if (hanging === SLOTS) note();
    return new Promise(() => undefined);
  };
  const engine = createEngine({
    namespaces: [createProbe()],
    handlerTimeoutMs,
    log: ({ message }) => {
      log.push(message);
    },
    ...(option === 'authenticate' ? { authenticate: hang } : {}),
  });
  return { engine, context: option === 'context' ? { context: hang } : {}, log, allHang };
}

type Ask = (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;

const LIMITS = { ...PATIENT, inFlight: SLOTS };

const ADAPTERS: Readonly<Record<string, (opened: Opened) => Promise<{ readonly ask: Ask; close(): void }>>> =
  {
    async createServer({ engine, context }) {
      const server = createServer(engine, { limits: LIMITS, ...context });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
      return {
        ask: (headers, signal) => fetch(url, { headers, signal }),
        close: () => {
          server.close();
          server.closeAllConnections();
        },
      };
    },
    async createFetchHandler({ engine, context }) {
      const handle = createFetchHandler(engine, { siteUrl: 'http://site.test', limits: LIMITS, ...context });
      return {
        ask: (headers, signal) => handle(new Request(`http://site.test${PATH}`, { headers, signal })),
        close: () => undefined,
      };
    },
  };

const LOGGED: Readonly<Record<Option, string>> = {
  context: `reading GET ${PATH} took too long in context`,
  authenticate: `answering GET ${PATH} took too long in authenticate`,
};

const unsettled = suite('a promise that never settles');

for (const [name, start] of Object.entries(ADAPTERS)) {
  for (const option of ['context', 'authenticate'] as const) {
    unsettled(`of ${option} is a 504, and ${name} serves the next request`, async () => {
      const opened = open(option, 200);
      const { ask, close } = await start(opened);
      try {
        const stuck = await Promise.all(
          Array.from({ length: SLOTS }, async () => (await ask(HANG, AbortSignal.timeout(ANSWER_MS))).status),
        );
        assert.equal(
          [stuck, opened.log],
          [
            [504, 504],
            [LOGGED[option], LOGGED[option]],
          ],
        );
        assert.is((await ask({}, AbortSignal.timeout(ANSWER_MS))).status, 200);
      } finally {
        close();
      }
    });

    unsettled(`of ${option} is given up when the client leaves ${name}`, async () => {
      const opened = open(option, 600_000);
      const { ask, close } = await start(opened);
      try {
        const client = new AbortController();
        const stuck = Array.from({ length: SLOTS }, () =>
          ask(HANG, client.signal).then(
            ({ status }) => status,
            (error: Error) => error.name,
          ),
        );
        await opened.allHang;
        // It waits in line, because every place is taken.
        const next = ask({}, AbortSignal.timeout(ANSWER_MS));
        client.abort();
        const left = name === 'createServer' ? 'AbortError' : 499;
        assert.equal(await Promise.all(stuck), [left, left]);
        assert.equal([(await next).status, opened.log], [200, []]);
      } finally {
        close();
      }
    });
  }
}

unsettled.run();
