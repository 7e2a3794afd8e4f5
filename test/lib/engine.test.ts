import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRequest } from '../../lib/request.ts';
import { defineNamespace } from '../../lib/namespace.ts';
import { createTestEngine } from '../support/site.ts';

const shop = defineNamespace({
  namespace: 'shop/v1',
  routes: [
    {
      pattern: '/shop/v1/items/(?P<id>[\\d]+)',
      endpoints: [
        { methods: ['GET'], handler: 'shop.read', permission: 'public', allow_batch: { v1: true }, args: { id: { type: 'integer' }, long: { type: 'boolean', default: false } } },
        { methods: ['POST', 'PUT', 'PATCH'], handler: 'shop.write', permission: 'edit', allow_batch: { v1: true }, args: { id: { type: 'integer' }, name: { type: 'string', required: true } } },
      ],
    },
  ],
}, {
  'shop.read': ({ id, long }) => ({ id, long }),
  'shop.write': ({ id, name }) => ({ id, name }),
});

const open = () => createTestEngine([shop], { capabilities: new Set(['edit']) });
const editor = { id: 1, role: 'editor', capabilities: new Set(['edit']) };

const dispatch = suite('engine.dispatch');

dispatch('hands validated args to the handler', async () => {
  const response = await open().dispatch(createRequest('/shop/v1/items/7?long=1'));
  assert.is(response.status, 200);
  assert.equal(response.body, { id: 7, long: true });
  assert.is(response.headers['Allow'], 'GET');
});

dispatch('names every wrong parameter', async () => {
  const response = await open().dispatch(createRequest('/shop/v1/items/7?long=maybe'));
  assert.is(response.status, 400);
  assert.is((response.body as { code: string }).code, 'rest_invalid_param');
});

dispatch('asks for the permission after validation', async () => {
  const missing = await open().dispatch(createRequest('/shop/v1/items/7', { method: 'PUT' }));
  const denied = await open().dispatch(createRequest('/shop/v1/items/7', { method: 'PUT', body: { name: 'x' } }));
  const allowed = await open().dispatch(createRequest('/shop/v1/items/7', { method: 'PUT', body: { name: 'x' } }), editor);
  assert.equal([missing.status, denied.status, allowed.status], [400, 401, 200]);
});

dispatch('runs a batch item by item', async () => {
  const body = { requests: [{ method: 'PUT', path: '/shop/v1/items/1', body: { name: 'a' } }, { path: '/shop/v1/nothing' }] };
  const response = await open().dispatch(createRequest('/batch/v1', { method: 'POST', body }), editor);
  assert.is(response.status, 207);
  assert.equal((response.body as { responses: { status: number }[] }).responses.map((item) => item.status), [200, 404]);
});

dispatch('lists the routes in the index', async () => {
  const response = await open().dispatch(createRequest('/'));
  assert.equal(Object.keys((response.body as { routes: object }).routes), ['/', '/batch/v1', '/shop/v1', '/shop/v1/items/(?P<id>[\\d]+)']);
});

dispatch.run();
