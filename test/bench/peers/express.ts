import { createServer } from 'node:http';
import express from 'express';
import { Content, isAdmin, pageHeaders, UNAUTHORIZED } from './content.ts';
import { BASE, listen, type StartPeer } from './peer.ts';
import { createChecks } from './schemas.ts';

export const startExpress: StartPeer = (corpus, { etag }) => {
  const content = new Content(corpus);
  const checks = createChecks();
  const app = express();
  app.set('etag', etag ? 'strong' : false);
  app.disable('x-powered-by');
  app.get(`${BASE}/`, (_request, response) => {
    response.json(corpus.index);
  });
  app.get(`${BASE}/cms/v2/posts`, (request, response) => {
    const query: unknown = { ...request.query };
    if (!checks.list(query)) {
      response.status(400).json(corpus.badRequest);
      return;
    }
    const page = content.list(query);
    response.set(pageHeaders(page, query.per_page)).json(page.posts);
  });
  app.get(`${BASE}/cms/v2/posts/:id`, (request, response) => {
    if (!checks.read({ ...request.query })) {
      response.status(400).json(corpus.badRequest);
      return;
    }
    const post = content.read(Number(request.params['id']));
    if (post === undefined) response.status(404).json(corpus.notFound);
    else response.json(post);
  });
  app.post(`${BASE}/cms/v2/posts`, express.json(), (request, response) => {
    const body: unknown = request.body;
    if (!isAdmin(request.headers.authorization)) response.status(401).json(UNAUTHORIZED);
    else if (checks.create(body)) response.status(201).json(content.create(body));
    else response.status(400).json(corpus.badRequest);
  });
  return listen(createServer(app));
};
