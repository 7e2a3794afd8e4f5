import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Corpus } from '../corpus.ts';
import {
  Content,
  isAdmin,
  pageHeaders,
  toEtag,
  UNAUTHORIZED,
  type ListArgs,
  type PostArgs,
} from './content.ts';
import { BASE, type PeerOptions, type StartPeer } from './peer.ts';
import { DATE_TIME, LIST_QUERY, POST_BODY, READ_QUERY, toAnswerSchema } from './schemas.ts';

function addRoutes(app: FastifyInstance, corpus: Corpus): void {
  const content = new Content(corpus);
  const { notFound } = corpus;
  const post = toAnswerSchema(corpus.posts[0]);
  const list = { querystring: LIST_QUERY, response: { 200: { type: 'array', items: post } } };
  app.get(`${BASE}/`, () => corpus.index);
  app.get<{ Querystring: ListArgs }>(`${BASE}/cms/v2/posts`, { schema: list }, (request, reply) => {
    const page = content.list(request.query);
    return reply.headers(pageHeaders(page, request.query.per_page)).send(page.posts);
  });
  const params = { type: 'object', properties: { id: { type: 'integer' } } };
  app.get<{ Params: { id: number } }>(
    `${BASE}/cms/v2/posts/:id`,
    { schema: { params, querystring: READ_QUERY, response: { 200: post } } },
    (request, reply): FastifyReply => {
      const found = content.read(request.params.id);
      return found === undefined ? reply.code(404).send(notFound) : reply.send(found);
    },
  );
  const create = { body: POST_BODY, response: { 201: toAnswerSchema(corpus.created) } };
  app.post<{ Body: PostArgs }>(`${BASE}/cms/v2/posts`, { schema: create }, (request, reply): FastifyReply => {
    if (!isAdmin(request.headers.authorization)) return reply.code(401).send(UNAUTHORIZED);
    return reply.code(201).send(content.create(request.body));
  });
}

/** The application without a listening server, also for `inject`. */
export function createFastify(corpus: Corpus, { etag }: PeerOptions): FastifyInstance {
  const app = fastify({
    ajv: {
      customOptions: { coerceTypes: 'array', allowUnionTypes: true, strictTypes: false },
      onCreate: (ajv) => {
        ajv.addFormat('date-time', DATE_TIME);
      },
    },
  });
  app.setErrorHandler((_error, _request, reply) => reply.code(400).send(corpus.badRequest));
  if (etag) {
    app.addHook('onSend', async (request, reply, payload) => {
      const tag = toEtag(String(payload));
      void reply.header('ETag', tag);
      if (request.headers['if-none-match'] !== tag) return payload;
      void reply.code(304);
      return null;
    });
  }
  addRoutes(app, corpus);
  return app;
}

export const startFastify: StartPeer = async (corpus, options) => {
  const app = createFastify(corpus, options);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    port: (app.server.address() as AddressInfo).port,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
};
