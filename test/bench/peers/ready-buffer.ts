import { createServer } from 'node:http';
import { BASE, JSON_TYPE, listen, type StartPeer } from './peer.ts';

/** The upper limit: node's own server, which writes prepared bytes. It only distinguishes kinds of URLs. */
export const startReadyBuffer: StartPeer = (corpus) => {
  const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const post = toBytes(corpus.posts.at(-1));
  const list = toBytes(corpus.posts.slice(0, 10));
  const index = toBytes(corpus.index);
  return listen(
    createServer((request, response) => {
      const url = request.url ?? '';
      const body = url === `${BASE}/` ? index : url.startsWith('/en/cms-json/cms/v2/posts/') ? post : list;
      response.writeHead(200, ['Content-Type', JSON_TYPE, 'Content-Length', String(body.length)]);
      response.end(request.method === 'HEAD' ? undefined : body);
    }),
  );
};
