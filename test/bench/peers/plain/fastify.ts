import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import type { StartPeer } from '../peer.ts';
import { createItem, ITEMS, readItem, type NewItem } from './item.ts';

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };
const READ = {
  params: { type: 'object', properties: { id: INTEGER } },
  querystring: {
    type: 'object',
    properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
  },
  response: {
    200: {
      type: 'object',
      properties: { id: INTEGER, name: TEXT, limit: INTEGER, tags: { type: 'array', items: TEXT } },
    },
  },
};
const CREATE = {
  body: {
    type: 'object',
    required: ['name', 'quantity', 'active'],
    properties: {
      name: { type: 'string', minLength: 1 },
      quantity: { type: 'integer', minimum: 1 },
      active: { type: 'boolean' },
    },
  },
  response: {
    201: {
      type: 'object',
      properties: { id: INTEGER, name: TEXT, quantity: INTEGER, active: { type: 'boolean' } },
    },
  },
};

/** Fastify with schemas of parameters and responses. */
export const startPlainFastify: StartPeer = async () => {
  const app = fastify();
  app.get<{ Params: { id: number }; Querystring: { limit: number } }>(
    `${ITEMS}/:id`,
    { schema: READ },
    async ({ params, query }) => readItem(params.id, query.limit),
  );
  app.post<{ Body: NewItem }>(ITEMS, { schema: CREATE }, async ({ body }, reply) => {
    reply.code(201);
    return createItem(body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    port: (app.server.address() as AddressInfo).port,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
};
