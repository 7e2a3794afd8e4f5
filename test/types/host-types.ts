import { createFetchHandler } from '../../adapters/fetch.ts';
import { createListener, createServer } from '../../adapters/node-http.ts';
import type { EngineOptions } from '../../lib/engine/engine-options.ts';
import { createEngine } from '../../lib/engine/engine.ts';
import type { Call } from '../../lib/route/call.ts';
import type { NamespaceDescriptor } from '../../lib/route/descriptor.ts';
import { defineNamespace } from '../../lib/route/namespace.ts';
import type { Store } from '../../lib/store/store.ts';
import { createSite } from '../../registry/index.ts';

// Compiled, never run. Every line below `@ts-expect-error` must be an error: the build fails when it is none.
interface Tenant {
  readonly tenant: string;
}
interface Env {
  readonly name: string;
}

const SHOP = {
  namespace: 'shop/v1',
  routes: [
    {
      pattern: '/shop/v1/(?P<id>[\\d]+)',
      endpoints: [
        { methods: ['GET'], handler: 'read', permission: 'public', args: { id: { type: 'integer' } } },
      ],
    },
    { pattern: '/shop/v1', endpoints: [{ methods: ['GET'], handler: 'list', permission: 'may', args: {} }] },
  ],
} as const satisfies NamespaceDescriptor;

type SiteOptions = Pick<EngineOptions, 'names' | 'prefixes' | 'describeSite'>;

/** What the host passes on has one type from the server's option to the handlers. */
export function passContext(site: SiteOptions): readonly unknown[] {
  const shop = defineNamespace<typeof SHOP, Tenant>(
    SHOP,
    {
      read: ({ id }, { host }) => host.tenant.repeat(id),
      list: (_args, { host }) => host.tenant,
    },
    {
      permissions: { may: (_args, { host }) => host.tenant === 'a' },
      embeds: { 'shop:x': async (_href, { host }) => host.tenant },
      around: ({ host }, next) => (host.tenant === '' ? next() : next()),
    },
  );
  const open = defineNamespace({ namespace: 'open', routes: [] }, {});
  const engine = createEngine({
    ...site,
    namespaces: [shop, open],
    around: (_call: Call<Tenant>, next) => next(),
  });
  // @ts-expect-error `host` has no such member
  defineNamespace<typeof SHOP, Tenant>(SHOP, { read: (_args, { host }) => host.name, list: () => 1 });
  // @ts-expect-error the type of `host` is not written
  defineNamespace(SHOP, { read: (_args, call) => call.host.tenant, list: () => 1 });
  // @ts-expect-error two types of `host` in one engine
  createEngine({ ...site, namespaces: [shop], around: (_call: Call<Env>, next) => next() });
  // @ts-expect-error the engine needs a context
  createListener(engine);
  // @ts-expect-error the context is of another type
  createListener(engine, { context: () => ({ name: 'a' }) });
  // @ts-expect-error the engine needs a context
  createFetchHandler(engine, { siteUrl: 'http://localhost' });
  const handle = createFetchHandler(engine, {
    siteUrl: 'http://localhost',
    context: (_request, env: Env) => ({ tenant: env.name }),
  });
  // @ts-expect-error the second argument of the context is missing
  void handle(new Request('http://localhost'));
  return [
    createListener(engine, { context: ({ headers }) => ({ tenant: String(headers['x-tenant']) }) }),
    createServer(engine, { context: async () => ({ tenant: 'a' }) }),
    handle(new Request('http://localhost'), { name: 'a' }),
    createListener(createEngine({ ...site, namespaces: [open] })),
    createFetchHandler(createEngine({ ...site, namespaces: [open] }), { siteUrl: 'http://localhost' })(
      new Request('http://localhost'),
    ),
  ];
}

/** A site passes the context on as an engine does. */
export async function passSiteContext(store: Store): Promise<readonly unknown[]> {
  const shop = defineNamespace<typeof SHOP, Tenant>(
    SHOP,
    { read: (_args, { host }) => host.tenant, list: () => 1 },
    { permissions: { may: (_args, { host }) => host.tenant === 'a' } },
  );
  const open = defineNamespace({ namespace: 'open', routes: [] }, {});
  const site = await createSite({
    store,
    namespaces: [shop, open],
    authenticate: ({ host }) =>
      host?.tenant === 'a' ? { id: 1, role: 'editor', capabilities: new Set<string>() } : null,
  });
  // @ts-expect-error the site needs a context
  createListener(site.engine);
  // @ts-expect-error two types of `host` in one site
  await createSite({ store, namespaces: [shop], around: (_call: Call<Env>, next) => next() });
  return [
    createListener(site.engine, { context: () => ({ tenant: 'a' }) }),
    createServer((await createSite({ store, namespaces: [open] })).engine),
  ];
}
