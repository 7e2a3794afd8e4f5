// oxlint-disable typescript/no-explicit-any -- notices are looked at as the JSON that they are
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWebhook } from '../../../adapters/cli/serve/webhook.ts';
import type { TranslationNotice } from '../../../registry/index.ts';
import { listen } from '../../support/loopback.ts';

const SECRET = 'a secret of many letters';
const NOTICE: TranslationNotice = { kind: 'assigned', to: [{ id: 4, name: 'Ann é', email: 'ann@example.org' }], job: { id: 7, post: 9, title: 'Été', source: 'en', target: 'fr', status: 1, deadline: '', automatic: false, translator: 4 } };

interface Hit { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }

async function withReceiver(status: number, run: (url: string, hits: readonly Hit[]) => Promise<void>): Promise<void> {
  const hits: Hit[] = [];
  const server = await listen((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => { body += part; }).on('end', () => {
      hits.push({ url: request.url ?? '', headers: request.headers, body });
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
webhook('sends the notice as JSON with a signature of its bytes', () => withReceiver(204, async (url, hits) => {
  await createWebhook({ url, secret: SECRET })(NOTICE, new AbortController().signal);
  const [{ url: path, headers, body }] = hits as [Hit];
  const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']];
  assert.equal([path, JSON.parse(body), headers['content-type']], ['/hook?site=1', NOTICE, 'application/json']);
  assert.is(headers['webhook-signature'], `v1,${createHmac('sha256', SECRET).update(`${id}.${time}.${body}`).digest('base64')}`);
  assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 60);
}));
webhook('takes a key in base64, and sends each notice with an id of its own', () => withReceiver(200, async (url, hits) => {
  const key = Buffer.alloc(24, 7);
  const send = createWebhook({ url, secret: `whsec_${key.toString('base64')}` });
  for (let count = 0; count < 2; count += 1) await send(NOTICE, new AbortController().signal);
  const [{ headers, body }, second] = hits as [Hit, Hit];
  assert.is(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`);
  assert.is.not(second.headers['webhook-id'], headers['webhook-id']);
}));
webhook('fails for another status, and follows no redirect', async () => {
  for (const status of [302, 500]) {
    await withReceiver(status, async (url, hits) => {
      const failed = await createWebhook({ url, secret: SECRET })(NOTICE, new AbortController().signal)?.then(() => 'sent', String);
      assert.equal([failed, hits.length], [`Error: the webhook answered ${status}`, 1]);
    });
  }
});
webhook('refuses other addresses and short secrets without repeating them', () => {
  for (const [url, secret] of [['ftp://x.example/', SECRET], ['https://user:pw@x.example/', SECRET], ['nowhere', SECRET], ['https://x.example/#a', SECRET], ['https://x.example/', 'short'], ['https://x.example/', 'whsec_AAAA'], ['https://x.example/', `whsec_!!!!${'A'.repeat(40)}`], ['https://x.example/?a=1&a=2', SECRET]] as const) {
    assert.throws(() => createWebhook({ url, secret }), (error: unknown) => error instanceof TypeError && !String(error).includes(secret) && !String(error).includes('pw'));
  }
});
webhook.run();
