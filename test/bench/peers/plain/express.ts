import { createServer } from 'node:http';
import express from 'express';
import { listen, type StartPeer } from '../peer.ts';
import { createItem, ITEMS, readItem } from './item.ts';
import { ITEM_PATH, ITEM_QUERY, NEW_ITEM } from './zod.ts';

/** Express with zod. */
export const startPlainExpress: StartPeer = async () => {
  const app = express();
  app.set('etag', false);
  app.disable('x-powered-by');
  app.get(`${ITEMS}/:id`, (request, response) => {
    const path = ITEM_PATH.safeParse(request.params);
    const query = ITEM_QUERY.safeParse(request.query);
    if (path.success && query.success) response.json(readItem(path.data.id, query.data.limit));
    else
      response.status(400).json({ issues: [...(path.error?.issues ?? []), ...(query.error?.issues ?? [])] });
  });
  app.post(ITEMS, express.json(), (request, response) => {
    const { success, data, error } = NEW_ITEM.safeParse(request.body);
    if (success) response.status(201).json(createItem(data));
    else response.status(400).json({ issues: error.issues });
  });
  return listen(createServer(app));
};
