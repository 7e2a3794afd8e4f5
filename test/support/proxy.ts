import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { request as httpsRequest } from 'node:https';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { PROJECT } from './sources.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}
export type Ask = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

export async function pickPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** Sends GET for the host of the examples. */
export const askAt =
  (send: typeof httpsRequest, port: number): Ask =>
  async (path, headers = {}) => {
    const outgoing = send({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      rejectUnauthorized: false,
      servername: 'site.example',
      headers: { Host: 'site.example', ...headers },
    }).end();
    const [incoming] = (await once(outgoing, 'response')) as [
      AsyncIterable<Buffer> & { statusCode: number; headers: IncomingHttpHeaders },
    ];
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    return {
      status: incoming.statusCode,
      headers: incoming.headers,
      text: Buffer.concat(chunks).toString('latin1'),
    };
  };

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Not yet.
  } finally {
    socket.destroy();
  }
}

interface Proxy {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly port: number;
}

/** Runs a proxy in front of the site for as long as the test needs it. */
export async function withProxy(
  { command, args, env, port }: Proxy,
  use: () => Promise<void>,
): Promise<void> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = once(child, 'close');
  try {
    for (let tries = 0; !(await isListening(port)); tries += 1) {
      assert.ok(tries < 100 && child.exitCode === null, output);
      await sleep(100);
    }
    await use();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

export const has = (command: string, arg: string): boolean => spawnSync(command, [arg]).error === undefined;

export function writeNginx(folder: string, site: string, port: number): string {
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${folder}/key.pem`,
    '-out',
    `${folder}/cert.pem`,
    '-days',
    '2',
    '-subj',
    '/CN=site.example',
  ]);
  assert.is(made.status, 0, String(made.stderr));
  const example = readFileSync(`${PROJECT}deploy/nginx.conf`, 'utf8')
    .replace('/var/cache/nginx/routebook', `${folder}/cache`)
    .replace('/etc/ssl/site.example.pem', `${folder}/cert.pem`)
    .replace('/etc/ssl/site.example.key', `${folder}/key.pem`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('127.0.0.1:8787', new URL(site).host);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  // As root, nginx gives its workers another user, who could not read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    `${folder}/nginx.conf`,
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths}\n${example}\n}`,
  );
  mkdirSync(`${folder}/cache`);
  return `${folder}/nginx.conf`;
}
