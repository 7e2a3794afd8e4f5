// oxlint-disable typescript/no-explicit-any -- notices are looked at as the JSON that they are
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Repeated, type RepeatOptions } from '../../../adapters/cli/serve/repeat.ts';
import { createWebhook } from '../../../adapters/cli/serve/webhook.ts';
import type { TranslationNotice } from '../../../registry/index.ts';
import { listen } from '../../support/loopback.ts';

const SECRET = 'a secret of many letters';
const NOTICE: TranslationNotice = {
  kind: 'assigned',
  to: [{ id: 4, name: 'Ann é', email: 'ann@example.org' }],
  job: {
    id: 7,
    post: 9,
    title: 'Été',
    source: 'en',
    target: 'fr',
    status: 1,
    deadline: '',
    automatic: false,
    translator: 4,
  },
};

interface Hit {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function withReceiver(
  statuses: number | readonly number[],
  run: (url: string, hits: readonly Hit[]) => Promise<void>,
): Promise<void> {
  const hits: Hit[] = [];
  const server = await listen((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => {
        body += part;
      })
      .on('end', () => {
        hits.push({ url: request.url ?? '', headers: request.headers, body });
        const status = [statuses].flat()[Math.min(hits.length, [statuses].flat().length) - 1] ?? 500;
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
  });
  try {
    await run(`http://127.0.0.1:${server.port}/hook?site=1`, hits);
  } finally {
    await server.close();
  }
}

const webhook = suite('createWebhook');
webhook('sends the notice as JSON with a signature of its bytes', () =>
  withReceiver(204, async (url, hits) => {
    const now = Math.floor(Date.now() / 1000);
    await createWebhook({ url, secret: SECRET }).notify(NOTICE, new AbortController().signal);
    const [{ url: path, headers, body }] = hits as [Hit];
    const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']];
    assert.equal(
      [path, JSON.parse(body), headers['content-type']],
      ['/hook?site=1', NOTICE, 'application/json'],
    );
    assert.is(
      headers['webhook-signature'],
      `v1,${createHmac('sha256', SECRET).update(`${id}.${time}.${body}`).digest('base64')}`,
    );
    assert.ok(Number(time) >= now && Number(time) <= Date.now() / 1000, String(time));
  }),
);
webhook('takes a key in base64, and sends each notice with an id of its own', () =>
  withReceiver(200, async (url, hits) => {
    const key = Buffer.alloc(24, 7);
    const send = createWebhook({ url, secret: `whsec_${key.toString('base64')}` });
    for (let count = 0; count < 2; count += 1) await send.notify(NOTICE, new AbortController().signal);
    const [{ headers, body }, second] = hits as [Hit, Hit];
    assert.is(
      headers['webhook-signature'],
      `v1,${createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`,
    );
    assert.is.not(second.headers['webhook-id'], headers['webhook-id']);
  }),
);
/** The messages of a webhook with short pauses, after so many requests or messages. */
async function collect(
  url: string,
  hits: readonly Hit[],
  {
    requests,
    messages,
    delays = [20, 20],
  }: { requests: number; messages: number; delays?: readonly number[] },
) {
  const logged: string[] = [];
  const hook = createWebhook({
    url,
    secret: SECRET,
    repeat: {
      delays,
      log: ({ level, message }) => {
        logged.push(`${level}: ${message}`);
      },
    },
  });
  await hook.notify(NOTICE, new AbortController().signal);
  for (let turn = 0; (hits.length < requests || logged.length < messages) && turn < 500; turn += 1)
    await wait(5);
  // The last response may be on its way, and `close` would abort its request.
  await wait(100);
  await hook.close();
  return logged;
}

const NEXT =
  'warn: the notice "assigned" of translation job 7 could not be delivered. Next attempt in 0.02 s';
const LOST = 'error: the notice "assigned" of translation job 7 was not delivered';
webhook('repeats a notice with its id and a signature of its own until the receiver takes it', () =>
  withReceiver([503, 429, 204], async (url, hits) => {
    assert.equal(await collect(url, hits, { requests: 3, messages: 2 }), [NEXT, NEXT]);
    assert.is(hits.length, 3);
    assert.is(new Set(hits.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size, 1);
    for (const { headers, body } of hits)
      assert.is(
        headers['webhook-signature'],
        `v1,${createHmac('sha256', SECRET).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`,
      );
  }),
);
webhook('repeats a notice when nobody listens, and gives it up in the end', async () => {
  const server = await listen(() => undefined);
  await server.close();
  assert.equal(await collect(`http://127.0.0.1:${server.port}/`, [], { requests: 0, messages: 3 }), [
    NEXT,
    NEXT,
    `${LOST}: 3 attempts failed`,
  ]);
});
webhook('does not repeat what the receiver refuses, and follows no redirect', async () => {
  for (const status of [302, 401, 410])
    await withReceiver(status, async (url, hits) => {
      assert.equal(
        [await collect(url, hits, { requests: 1, messages: 1 }), hits.length],
        [[`${LOST}: the receiver refused it`], 1],
      );
    });
});
webhook('says what is lost when the server stops', () =>
  withReceiver(500, async (url, hits) => {
    const logged: string[] = [];
    const hook = createWebhook({
      url,
      secret: SECRET,
      repeat: {
        delays: [60_000],
        most: 1,
        log: ({ message }) => {
          logged.push(message);
        },
      },
    });
    for (let count = 0; count < 2; count += 1) await hook.notify(NOTICE, new AbortController().signal);
    await hook.close();
    assert.equal(
      [hits.length, logged.slice(1)],
      [
        2,
        [`${LOST}: too many are repeated already (1)`, `${LOST}: the server stops`].map((line) =>
          line.replace('error: ', ''),
        ),
      ],
    );
  }),
);
webhook('refuses other addresses and short secrets without repeating them', () => {
  for (const [url, secret] of [
    ['ftp://x.example/', SECRET],
    ['https://user:pw@x.example/', SECRET],
    ['nowhere', SECRET],
    ['https://x.example/#a', SECRET],
    ['https://x.example/', 'short'],
    ['https://x.example/', 'whsec_AAAA'],
    ['https://x.example/', `whsec_!!!!${'A'.repeat(40)}`],
    ['https://x.example/?a=1&a=2', SECRET],
  ] as const) {
    assert.throws(
      () => createWebhook({ url, secret }),
      (error: unknown) =>
        error instanceof TypeError && !String(error).includes(secret) && !String(error).includes('pw'),
    );
  }
});
webhook.run();

const hang = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
const fail = (): Promise<void> => Promise.reject(new Error('down'));
const { signal: never } = new AbortController();

/** Repetitions without a pause, and what they log. */
function open(options: RepeatOptions = {}) {
  const logged: string[] = [];
  return {
    logged,
    repeated: new Repeated({
      delays: [0],
      ...options,
      log: ({ message }) => {
        logged.push(message);
      },
    }),
  };
}

/** Resolves when the second attempt runs. */
async function failFirst(
  repeated: Repeated,
  what: string,
  second: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const attempts: AbortSignal[] = [];
  await repeated.deliver(what, (signal) => (attempts.push(signal) === 1 ? fail() : second(signal)), never);
  while (attempts.length === 1) await wait(1);
}

const repeat = suite('Repeated');
repeat('counts deliveries that wait, and those whose next attempt runs', async () => {
  const { logged, repeated } = open({ most: 1 });
  await failFirst(repeated, 'a', hang);
  await repeated.deliver('b', fail, never);
  await repeated.close();
  assert.equal(logged, [
    'a could not be delivered. Next attempt in 0 s',
    'b was not delivered: too many are repeated already (1)',
    'a was not delivered: the server stops',
  ]);
});
for (const [name, second] of [
  ['delivered', () => Promise.resolve()],
  ['given up', fail],
] as const) {
  repeat(`has room again when a delivery is ${name}`, async () => {
    const { logged, repeated } = open({ most: 1 });
    for (const what of ['a', 'b']) {
      await failFirst(repeated, what, second);
      await wait(1);
    }
    await repeated.close();
    assert.equal(
      logged.filter((line) => line.includes('too many')),
      [],
    );
    assert.is(logged.length, name === 'delivered' ? 2 : 4);
  });
}
repeat('aborts attempts that run when the server stops, and says that they are lost', async () => {
  const { logged, repeated } = open();
  const first = repeated.deliver('a', hang, never);
  await wait(1);
  await repeated.close();
  await first;
  assert.equal(logged, ['a was not delivered: the server stops']);
  await repeated.deliver('b', hang, never);
  assert.equal(logged.slice(1), ['b was not delivered: the server stops']);
});
repeat('does not wait for an attempt that does not end, and says once that it is lost', async () => {
  const { logged, repeated } = open();
  let end: (error: Error) => void = () => undefined;
  const first = repeated.deliver(
    'a',
    () =>
      new Promise((_resolve, reject) => {
        end = reject;
      }),
    never,
  );
  await wait(1);
  await repeated.close();
  assert.equal(logged, ['a was not delivered: the server stops']);
  end(new Error('late'));
  await first;
  assert.is(logged.length, 1);
});
repeat.run();
