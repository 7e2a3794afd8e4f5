import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { validator } from 'hono/validator';
import { listen, type StartPeer } from '../peer.ts';
import { createItem, ITEMS, readItem } from './item.ts';
import { ITEM_PATH, ITEM_QUERY, NEW_ITEM } from './zod.ts';

/** Hono with zod. */
export const startPlainHono: StartPeer = async () => {
  const app = new Hono();
  const path = validator('param', (value, context) => {
    const { success, data, error } = ITEM_PATH.safeParse(value);
    return success ? data : context.json({ issues: error.issues }, 400);
  });
  const query = validator('query', (value, context) => {
    const { success, data, error } = ITEM_QUERY.safeParse(value);
    return success ? data : context.json({ issues: error.issues }, 400);
  });
  const body = validator('json', (value, context) => {
    const { success, data, error } = NEW_ITEM.safeParse(value);
    return success ? data : context.json({ issues: error.issues }, 400);
  });
  app.get(`${ITEMS}/:id`, path, query, (context) =>
    context.json(readItem(context.req.valid('param').id, context.req.valid('query').limit)),
  );
  app.post(ITEMS, body, (context) => context.json(createItem(context.req.valid('json')), 201));
  return listen(createServer(getRequestListener(app.fetch)));
};
