// Clients of the Model Context Protocol, unmodified: the official ones over HTTP and over `routebook mcp`, the inspector, and the conformance suite.
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServer, createServer } from '../../adapters/node-http.ts';
import { hasClients, loadClient, skipClient } from '../support/clients/installed.ts';
import { createMcpNamespace } from '../support/clients/mcp-namespace.ts';
import { toBasic, withClientServer } from '../support/clients/server.ts';
import { ROUTEBOOK, routebook } from '../support/routebook.ts';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';

const NAME = 'clients of the Model Context Protocol';
const PACKAGES = `${PROJECT}test/clients/node_modules/@modelcontextprotocol`;

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly id?: number; readonly items?: readonly unknown[] };
  readonly contents?: readonly { readonly text: string }[];
}
interface Client {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<Result>;
  readResource(resource: { readonly uri: string }): Promise<Result>;
  subscribeResource(resource: { readonly uri: string }): Promise<unknown>;
  unsubscribeResource(resource: { readonly uri: string }): Promise<unknown>;
  listen(filter: { readonly resourceSubscriptions: readonly string[] }): Promise<{ close(): Promise<void> }>;
  setNotificationHandler(
    kind: unknown,
    handle: (told: { readonly params: { readonly uri: string } }) => void,
  ): void;
  close(): Promise<void>;
}
type Construct<T = unknown> = new (...args: readonly unknown[]) => T;
type Module<N extends string> = Readonly<Record<N, Construct>>;

/** A client that is not connected, what it calls the notification of an update, and its ways to a server. */
interface Official {
  readonly client: Client;
  readonly updated: unknown;
  /** @returns what ends the subscription */
  readonly subscribe: (uri: string) => Promise<() => Promise<unknown>>;
  readonly http: Construct;
  readonly stdio: Construct;
}

const INFO = { name: 'test', version: '1' };

function loadFirst(): Official {
  const sdk = '@modelcontextprotocol/sdk';
  const { Client } = loadClient<{ readonly Client: Construct<Client> }>(`${sdk}/client/index.js`);
  const client = new Client(INFO);
  return {
    client,
    subscribe: async (uri) => {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    updated: loadClient<{ readonly ResourceUpdatedNotificationSchema: unknown }>(`${sdk}/types.js`)
      .ResourceUpdatedNotificationSchema,
    http: loadClient<Module<'StreamableHTTPClientTransport'>>(`${sdk}/client/streamableHttp.js`)
      .StreamableHTTPClientTransport,
    stdio: loadClient<Module<'StdioClientTransport'>>(`${sdk}/client/stdio.js`).StdioClientTransport,
  };
}

function loadSecond(): Official {
  const name = '@modelcontextprotocol/client';
  const { Client, StreamableHTTPClientTransport } = loadClient<
    Module<'StreamableHTTPClientTransport'> & { readonly Client: Construct<Client> }
  >(name);
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  return {
    client,
    subscribe: async (uri) => {
      const listening = await client.listen({ resourceSubscriptions: [uri] });
      return () => listening.close();
    },
    updated: 'notifications/resources/updated',
    http: StreamableHTTPClientTransport,
    stdio: loadClient<Module<'StdioClientTransport'>>(`${name}/stdio`).StdioClientTransport,
  };
}

async function use({ client, updated, subscribe }: Official, transport: unknown): Promise<void> {
  const heard = new Promise<string>((resolve) => {
    client.setNotificationHandler(updated, ({ params }) => resolve(params.uri));
  });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'wp.posts.create'));
    const call = (name: string, args: object): Promise<Result> => client.callTool({ name, arguments: args });
    assert.is((await call('wp.posts.read', { id: 'x' })).isError, true);
    const post = { title: 'Low tide', slug: 'low-tide', status: 'publish' };
    const { id } = (await call('wp.posts.create', post)).structuredContent ?? {};
    const found = await call('wp.posts.list', { slug: ['low-tide'] });
    assert.is(found.structuredContent?.items?.length, 1);
    const [uri] = ['content://en/posts/low-tide'];
    assert.match((await client.readResource({ uri })).contents?.[0]?.text ?? '', '# Low tide');
    const unsubscribe = await subscribe(uri);
    await call('wp.posts.update', { id, title: 'High tide' });
    assert.is(await heard, uri);
    await unsubscribe();
    assert.is((await call('wp.posts.remove', { id, force: true })).isError, false);
  } finally {
    await client.close();
  }
}

/** Runs a program of a package. @returns its exit code and what it printed */
async function run(file: string, args: readonly string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [`${PACKAGES}/${file}`, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { code, text };
}

/** Scenarios of things that the engine does not have: messages and questions of a server to its client, progress, several contents of one tool. */
const MISSING: Readonly<Record<string, RegExp>> = {
  '2025-11-25':
    /^(?:tools-call-(?:mixed-content|with-logging|with-progress|sampling|elicitation)|elicitation-.*)$/,
  '2026-07-28':
    /^(?:server-stateless|tools-call-(?:mixed-content|with-progress)|input-required-result-(?!missing|unsupported|ignore|validate).*)$/,
};

function clientsSuite(): void {
  const clients = suite(NAME);

  for (const [name, load] of [
    ['@modelcontextprotocol/sdk', loadFirst],
    ['@modelcontextprotocol/client', loadSecond],
  ] as const) {
    clients(`${name} over HTTP`, async () => {
      const headers = { authorization: toBasic('editor') };
      await withClientServer(
        async (origin) => {
          const official = load();
          const { http: Transport } = official;
          await use(
            official,
            new Transport(new URL(`${origin}/en/wp-json/mcp`), { requestInit: { headers } }),
          );
        },
        ['--mcp', 'all', '--plugins', 'changes'],
      );
    });

    clients(`${name} over standard input and output`, () =>
      inFolder(async (folder) => {
        const site = ['--store', `file:${folder}/data`, '--content', 'core'];
        const user = ['--role', 'editor', '--email', 'e@example.org', '--password', 'a long password'];
        await routebook(['user', 'add', 'editor', ...user, ...site]);
        const official = load();
        const { stdio: Transport } = official;
        const args = [
          ROUTEBOOK,
          'mcp',
          ...site,
          '--names',
          'wordpress',
          '--plugins',
          'changes',
          '--as',
          'editor',
          '--tools',
          'all',
        ];
        await use(official, new Transport({ command: process.execPath, args, cwd: folder }));
      }),
    );
  }

  if (Number(process.versions.node.split('.')[0]) < 22)
    clients('SKIPPED: the inspector and the conformance suite need Node 22', () => {
      console.error(`SKIPPED part of ${NAME}: the inspector and the conformance suite need Node 22`);
    });
  else {
    clients('the inspector reads the tools and has nothing against their schemas', async () => {
      await withClientServer(
        async (origin) => {
          const ask = (...args: readonly string[]): ReturnType<typeof run> =>
            run('inspector/clients/launcher/build/index.js', [
              '--cli',
              `${origin}/en/wp-json/mcp`,
              '--method',
              ...args,
            ]);
          assert.is((await ask('tools/list', '--strict')).code, 0);
          const found = await ask('tools/call', '--tool-name', 'wp.posts.list', '--tool-arg', 'per_page=1');
          assert.is((JSON.parse(found.text) as Result).structuredContent?.items?.length, 1);
          assert.match((await ask('resources/list')).text, 'content://en/posts/');
        },
        ['--mcp', 'all'],
      );
    });

    for (const [revision, missing] of Object.entries(MISSING))
      clients(`the conformance suite of ${revision} misses only what the engine does not have`, async () => {
        const server = createServer(createMcpNamespace());
        await new Promise<void>((resolve) => {
          server.listen(0, '127.0.0.1', resolve);
        });
        try {
          const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
          const { text } = await run('conformance/dist/index.js', [
            'server',
            '--url',
            url,
            '--requirements',
            revision,
          ]);
          const [scored = ''] = text.slice(text.indexOf('=== SUMMARY')).split('Not scored');
          const unscored = new Set(
            [...text.slice(text.indexOf('Not scored')).matchAll(/^ {2}[✓✗] (\S+)/gm)].map(([, name]) => name),
          );
          const results = [...scored.matchAll(/^([✓✗]) ([^:\s]+):/gm)].filter(
            ([, , name]) => !unscored.has(name),
          );
          assert.ok(results.length >= 30, text);
          assert.equal(
            results
              .filter(([, mark, name = '']) => (mark === '✗') !== missing.test(name))
              .map(([line]) => line),
            [],
          );
        } finally {
          await closeServer(server);
        }
      });
  }
  clients.run();
}

if (hasClients()) clientsSuite();
else skipClient(NAME);
