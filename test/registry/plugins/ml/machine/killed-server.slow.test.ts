// oxlint-disable typescript/no-explicit-any -- answers are looked at as the JSON that they are
// The real server is killed in the middle of its queue (SIGKILL) and started again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '../../../../support/loopback.ts';
import { startProgram } from '../../../../support/start-program.ts';
import { inFolder } from '../../../../support/temporary.ts';
import { until } from '../../../../support/until.ts';

const DELAY_MS = 60;
const POSTS = [9, 10, 11, 12, 13, 14] as const;

/** A server of LibreTranslate that takes its time. `sent`: how often each text was sent. */
async function startMachine(): Promise<{
  readonly origin: string;
  readonly sent: ReadonlyMap<string, number>;
  readonly requests: () => number;
  close(): Promise<void>;
}> {
  const sent = new Map<string, number>();
  let requests = 0;
  const server = await listen((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => {
        body += part;
      })
      .on('end', () => {
        const { q } = JSON.parse(body) as { readonly q: readonly string[] };
        requests += 1;
        for (const text of q) sent.set(text, (sent.get(text) ?? 0) + 1);
        setTimeout(() => {
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ translatedText: q.map((text) => `FR ${text}`) }));
        }, DELAY_MS);
      });
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    sent,
    requests: () => requests,
    close: () => server.close(),
  };
}

async function ask(origin: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${origin}/en/cms-json/ml/tm/v1/${path}`, {
    headers: {
      authorization: `Basic ${Buffer.from('manager:managerpass').toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return response.json();
}

const killed = suite('a server that is killed in the middle of the machine queue');
killed('loses no job, and sends only the texts again that it was working on', () =>
  inFolder(async (folder) => {
    const machine = await startMachine();
    const config = join(folder, 'config.json');
    writeFileSync(config, JSON.stringify({ services: { libretranslate: { origin: machine.origin } } }));
    const start = () =>
      startProgram('adapters/cli/bin.js', [
        'serve',
        '--port',
        '0',
        '--store',
        `file:${join(folder, 'data')}`,
        '--fixtures',
        'demo',
        '--config',
        config,
      ]);
    let server = await start();
    try {
      const { jobs } = await ask(server.origin, 'ate/jobs', {
        jobs: POSTS.map((post) => ({ post_id: post, target_language: 'fr' })),
      });
      assert.is(Object.keys(jobs).length, POSTS.length);
      await until(
        async () => (await ask(server.origin, 'jobs?status=4')).total >= 1,
        'the first finished job',
      );
      process.kill(server.pid, 'SIGKILL');
      await server.stop();
      const before = new Map(machine.sent);
      server = await start();
      await until(async () => (await ask(server.origin, 'jobs?status=2')).total === 0, 'all jobs');
      const { jobs: done } = await ask(server.origin, 'jobs?limit=100');
      assert.equal(
        done.map((job: any) => [job.status, job.automatic, job.review_status]),
        POSTS.map(() => [4, true, 'NEEDS_REVIEW']),
      );
      const again = [...machine.sent].filter(([, count]) => count > 1);
      assert.ok(
        again.every(([text, count]) => count === 2 && before.has(text)),
        JSON.stringify(again).slice(0, 300),
      );
      assert.ok(
        again.length < before.size && machine.sent.size > before.size,
        `${again.length} of ${before.size} texts were sent again, ${machine.sent.size} in all`,
      );
    } finally {
      await server.stop();
      await machine.close();
    }
  }),
);
killed.run();
