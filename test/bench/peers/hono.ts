import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Corpus } from '../corpus.ts';
import { Content, isAdmin, pageHeaders, toEtag, UNAUTHORIZED } from './content.ts';
import { BASE, listen, type PeerOptions, type StartPeer } from './peer.ts';
import { createChecks } from './schemas.ts';

/** The application without a listening server, also for `request`. */
export function createHono(corpus: Corpus, { etag }: PeerOptions): Hono {
  const content = new Content(corpus);
  const checks = createChecks();
  const app = new Hono();
  app.get(`${BASE}/`, (context) => context.json(corpus.index));
  app.get(`${BASE}/cms/v2/posts`, (context) => {
    const query: unknown = context.req.query();
    if (!checks.list(query)) return context.json(corpus.badRequest, 400);
    const page = content.list(query);
    return context.json(page.posts, 200, pageHeaders(page, query.per_page));
  });
  app.get(`${BASE}/cms/v2/posts/:id`, (context) => {
    if (!checks.read(context.req.query())) return context.json(corpus.badRequest, 400);
    const post = content.read(Number(context.req.param('id')));
    if (post === undefined) return context.json(corpus.notFound, 404);
    if (!etag) return context.json(post);
    const tag = toEtag(JSON.stringify(post));
    return context.req.header('if-none-match') === tag
      ? context.body(null, 304, { ETag: tag })
      : context.json(post, 200, { ETag: tag });
  });
  app.post(`${BASE}/cms/v2/posts`, async (context) => {
    const body: unknown = await context.req.json();
    if (!isAdmin(context.req.header('authorization'))) return context.json(UNAUTHORIZED, 401);
    return checks.create(body)
      ? context.json(content.create(body), 201)
      : context.json(corpus.badRequest, 400);
  });
  return app;
}

export const startHono: StartPeer = (corpus, options) =>
  listen(createServer(getRequestListener(createHono(corpus, options).fetch)));
