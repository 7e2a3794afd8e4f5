import { startExpress } from './express.ts';
import { startFastify } from './fastify.ts';
import { startHono } from './hono.ts';
import { startNodeStringify } from './node-stringify.ts';
import type { StartPeer } from './peer.ts';
import { startPlainEngine } from './plain/engine.ts';
import { startPlainExpress } from './plain/express.ts';
import { startPlainFastify } from './plain/fastify.ts';
import { startPlainHono } from './plain/hono.ts';
import { startReadyBuffer } from './ready-buffer.ts';
import { startRoutebook } from './routebook.ts';

/** All measured servers, by their name in the tables. */
export const PEERS = {
  routebook: startRoutebook(),
  'routebook without cache': startRoutebook({ cache: false }),
  'routebook on SQLite': startRoutebook({ sqlite: true }),
  'ready buffer': startReadyBuffer,
  'node + stringify': startNodeStringify,
  fastify: startFastify,
  hono: startHono,
  express: startExpress,
  'routebook alone': startPlainEngine,
  'fastify with schemas': startPlainFastify,
  'hono with zod': startPlainHono,
  'express with zod': startPlainExpress,
} as const satisfies Readonly<Record<string, StartPeer>>;

export type PeerName = keyof typeof PEERS;
