/** Programs with the same routes and calls, for the client of routebook and for `hc` of Hono, to compare what their types cost the compiler. */

/** Each route has an endpoint that reads and one that writes. */
const ROUTES = (count: number): readonly number[] => Array.from({ length: count }, (_each, at) => at);

const toRoute = (at: number): string => `
    {
      pattern: '/shop/v1/things${at}/{id}',
      endpoints: [
        {
          methods: ['GET'], handler: 'things${at}.read', permission: 'public',
          args: { id: { type: 'integer' }, page: { type: 'integer', default: 1 }, search: { type: 'string' }, order: { type: 'string', enum: ['asc', 'desc'] } },
          answers: { 200: { type: 'object', properties: { id: { type: 'integer', required: true }, name: { type: 'string', required: true }, tags: { type: 'array', items: { type: 'string' } } } } },
        },
        {
          methods: ['POST'], handler: 'things${at}.write', permission: 'public',
          args: { id: { type: 'integer' }, name: { type: 'string', required: true }, size: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
          answers: { 201: { type: 'object', properties: { id: { type: 'integer', required: true }, field${at}: { type: 'string', required: true } } } },
        },
      ],
    },`;

/** A program of the client: descriptor and calls. */
export const toClientProgram = (routes: number): string => `
import { createClient, type Described } from 'routebook/client';
const SHOP = { namespace: 'shop/v1', routes: [${ROUTES(routes).map(toRoute).join('')}
] } as const satisfies Described & { namespace: string };
const client = createClient<typeof SHOP>({ url: 'http://localhost' });
${ROUTES(routes)
  .map(
    (at) => `
export async function call${at}(): Promise<readonly [string, string]> {
  const read = await client['GET /shop/v1/things${at}/{id}']({ id: ${at}, page: 2, order: 'asc' });
  const written = await client['POST /shop/v1/things${at}/{id}']({ id: ${at}, name: 'a', tags: ['b'] });
  return [read.body.name, written.body.field${at}];
}`,
  )
  .join('')}
`;

const toHonoRoute = (at: number): string => `
  .get('/shop/v1/things${at}/:id', validator('query', (value) => value as { page?: string; search?: string; order?: 'asc' | 'desc' }), (c) => c.json({ id: 1, name: 'a', tags: ['b'] }, 200))
  .post('/shop/v1/things${at}/:id', validator('json', (value) => value as { name: string; size?: number; tags?: string[] }), (c) => c.json({ id: 1, field${at}: 'a' }, 201))`;

/** The same for Hono: the server, whose type its client needs, and calls. */
export const toHonoProgram = (routes: number): string => `
import { Hono } from 'hono';
import { hc } from 'hono/client';
import { validator } from 'hono/validator';
const app = new Hono()${ROUTES(routes).map(toHonoRoute).join('')};
const client = hc<typeof app>('http://localhost');
${ROUTES(routes)
  .map(
    (at) => `
export async function call${at}(): Promise<readonly [string, string]> {
  const read = await client.shop.v1.things${at}[':id'].$get({ param: { id: '${at}' }, query: { page: '2', order: 'asc' } });
  const written = await client.shop.v1.things${at}[':id'].$post({ param: { id: '${at}' }, json: { name: 'a', tags: ['b'] } });
  return [(await read.json()).name, (await written.json()).field${at}];
}`,
  )
  .join('')}
`;
