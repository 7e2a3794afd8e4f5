import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFetchHandler } from '../../../../adapters/fetch.ts';
import { closeServer, createServer } from '../../../../adapters/node-http.ts';
import { PATIENT } from '../../../support/patient.ts';
import { inFolder } from '../../../support/temporary.ts';
import { createWholeSite } from '../../../support/whole-site.ts';

const FIXTURE = {
  site: { name: 'L' },
  users: [
    { id: 1, login: 'ada', password: 'abcdEFGHijklMNOPqrstUVWX', name: 'Ada', slug: 'ada', role: 'author' },
  ],
};
const PATH = '/en/cms-json/cms/v2/posts?context=edit';

const toHeaders = (password: string): { readonly Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`,
});

/** The distinct statuses of 120 wrong logins, and that of a correct one after them. */
async function attack(
  send: (password: string) => Promise<number>,
): Promise<readonly [wrong: readonly number[], right: number]> {
  const statuses = new Set<number>();
  for (let index = 0; index < 120; index += 1)
    statuses.add(await send(`aaaaBBBBccccDDDDeeee${1000 + index}`));
  return [[...statuses], await send('abcdEFGHijklMNOPqrstUVWX')];
}

const hosts = suite('logins of callers without an address');

hosts('are not locked out by each other with createFetchHandler', async () => {
  const site = await createWholeSite({ fixture: FIXTURE });
  const handle = createFetchHandler(site.engine, { siteUrl: 'https://site.example', limits: PATIENT });
  const send = async (password: string): Promise<number> =>
    (await handle(new Request(`https://site.example${PATH}`, { headers: toHeaders(password) }))).status;
  assert.equal(await attack(send), [[401, 429], 200]);
  await site.close();
});

hosts('are not locked out by each other on a local socket', () =>
  inFolder(async (folder) => {
    const site = await createWholeSite({ fixture: FIXTURE });
    const socketPath = join(folder, 'site.sock');
    const server = createServer(site.engine, { siteUrl: 'https://site.example', limits: PATIENT }).listen(
      socketPath,
    );
    await once(server, 'listening');
    const send = async (password: string): Promise<number> => {
      const [response] = (await once(
        request({ socketPath, path: PATH, headers: { ...toHeaders(password), Connection: 'close' } }).end(),
        'response',
      )) as [NodeJS.ReadableStream & { statusCode: number }];
      await once(response.resume(), 'end');
      return response.statusCode;
    };
    assert.equal(await attack(send), [[401, 429], 200]);
    await closeServer(server);
    await site.close();
  }),
);

hosts.run();
