import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Corpus } from '../corpus.ts';

/** Optional features of a peer. */
export interface PeerOptions {
  /** Whether to compute ETags and handle `If-None-Match`. Off for workloads that do not use it. */
  readonly etag: boolean;
}

export interface Running {
  readonly port: number;
  close(): Promise<void>;
}

export type StartPeer = (corpus: Corpus, options: PeerOptions) => Promise<Running>;

export const BASE = '/en/cms-json';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Listens on a loopback port that the system chooses. */
export async function listen(server: Server): Promise<Running> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
