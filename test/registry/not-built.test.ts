import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NamespaceDescriptor } from '../../lib/descriptor.ts';
import { ANONYMOUS } from '../../lib/identity.ts';
import { createRequest } from '../../lib/request.ts';
import { createNotBuilt, listNotBuilt } from '../../registry/not-built.ts';
import { CAPABILITIES, capabilitiesOf } from '../../registry/site/roles.ts';
import { createTestEngine } from '../support/site.ts';

const descriptor: NamespaceDescriptor = {
  namespace: 'shop/v1',
  routes: [
    { pattern: '/shop/v1/open', endpoints: [{ methods: ['GET'], handler: 'shop.open', permission: 'public', args: {} }] },
    { pattern: '/shop/v1/own', endpoints: [{ methods: ['GET'], handler: 'shop.own', permission: 'shop.owner', args: {} }] },
    { pattern: '/shop/v1/staff', endpoints: [{ methods: ['GET'], handler: 'shop.staff', permission: 'edit_posts', args: {} }] },
  ],
};

const ROWS: readonly (readonly [path: string, role: string, status: number])[] = [
  ['/shop/v1/open', '', 501],
  ['/shop/v1/own', '', 401],
  ['/shop/v1/own', 'editor', 403],
  ['/shop/v1/own', 'administrator', 501],
  ['/shop/v1/staff', '', 401],
  ['/shop/v1/staff', 'subscriber', 403],
  ['/shop/v1/staff', 'editor', 501],
];

const notBuilt = suite('createNotBuilt');

for (const [path, role, status] of ROWS) {
  notBuilt(`${path} as ${role === '' ? 'nobody' : role}: ${status}`, async () => {
    const engine = createTestEngine([createNotBuilt(descriptor)], { capabilities: CAPABILITIES });
    const identity = role === '' ? ANONYMOUS : { id: 1, role, capabilities: capabilitiesOf(role) };
    assert.is((await engine.dispatch(createRequest(path), identity)).status, status);
  });
}

notBuilt.run();

const list = suite('listNotBuilt');

list('names the handlers that are missing', () => {
  assert.equal(listNotBuilt(createNotBuilt(descriptor)), ['shop.open', 'shop.own', 'shop.staff']);
});

list('names none of a namespace that is built', () => {
  const built = { ...createNotBuilt(descriptor), handlers: { 'shop.open': () => 1, 'shop.own': () => 2, 'shop.staff': () => 3 } };
  assert.equal(listNotBuilt(built), []);
});

list.run();
