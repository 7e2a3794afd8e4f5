import { startExpress } from './express.ts';
import { startFastify } from './fastify.ts';
import { startHono } from './hono.ts';
import { startNodeStringify } from './node-stringify.ts';
import type { StartPeer } from './peer.ts';
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
} as const satisfies Readonly<Record<string, StartPeer>>;

export type PeerName = keyof typeof PEERS;
