import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Corpus } from '../corpus.ts';

/** What a peer can be asked to do beside the plain answers. */
export interface PeerOptions {
  /** Compute ETags and answer `If-None-Match`; off where nothing asks for it. */
  readonly etag: boolean;
}

export interface Running {
  readonly port: number;
  close(): Promise<void>;
}

export type StartPeer = (corpus: Corpus, options: PeerOptions) => Promise<Running>;

export const BASE = '/en/cms-json';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Listens on a port that the system picks, on loopback. */
export async function listen(server: Server): Promise<Running> {
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => { server.close(() => resolve()); server.closeAllConnections(); }),
  };
}
