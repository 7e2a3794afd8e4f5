import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, type UntypedClient } from '../../adapters/client.ts';
import { createFetchHandler } from '../../adapters/fetch.ts';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { createEngine, crud } from '../../lib/index.ts';
import { PROJECT } from '../support/sources.ts';
import { inFolder } from '../support/temporary.ts';

/** What the hooks return, as much as the test reads. */
interface Read {
  readonly data?: { readonly body: unknown; readonly total: number | null };
}
type Hook = (client: UntypedClient, arg: number) => Read;

/** An element of React. Its types declare elements of the page as well, which other tests have from another package. */
type ReactNode = object;

interface React {
  readonly createElement: (
    type: unknown,
    props?: object | null,
    ...children: readonly ReactNode[]
  ) => ReactNode;
}

interface ReactQuery {
  readonly QueryClient: new () => { readonly clear: () => void };
  readonly QueryClientProvider: unknown;
}

interface Renderer {
  readonly act: (run: () => Promise<void>) => Promise<void>;
  readonly create: (node: ReactNode) => { readonly unmount: () => void };
}

/** The hook of a block of the page. */
async function loadHook(folder: string, name: string): Promise<Hook> {
  const page = readFileSync(`${PROJECT}docs/typed-client.md`, 'utf8');
  const block = [...page.matchAll(/```tsx\n(.*?)```/gs)]
    .map(([, code = '']) => code)
    .find((code) => code.includes(`function ${name}(`));
  assert.ok(block !== undefined && block.trim().split('\n').length <= 10);
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, block);
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Hook>>;
  return module[name] as Hook;
}

async function openClient(): Promise<UntypedClient> {
  const collection = { name: 'notes', fields: { title: { type: 'text' } } } as const;
  const notes = crud({
    store: createMemoryStore([collection]),
    collection,
    resource: { title: 'note', properties: { title: { type: 'string', required: true } } },
    path: '/notes',
    read: 'public',
    write: 'public',
  });
  const handle = createFetchHandler(createEngine({ namespaces: [notes] }), {
    siteUrl: 'https://example.org',
  });
  const client = createClient({
    url: 'https://example.org',
    fetch: async (url, init) => (await handle(new Request(url, init))) as Response,
  });
  await client.call('POST /notes', { title: 'Fog' });
  return client;
}

/** Renders a component that uses the hook, until it has data. */
async function render(use: () => Read, around: (node: ReactNode) => ReactNode): Promise<Read> {
  const { act, create } = (await import('react-test-renderer' as string)) as Renderer;
  const { createElement } = (await import('react' as string)) as React;
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  let read: Read = {};
  const Page = (): null => {
    // SWR renders again for what a component has read.
    const { data } = use();
    read = data === undefined ? {} : { data };
    return null;
  };
  let tree: { readonly unmount: () => void } | null = null;
  await act(async () => {
    tree = create(around(createElement(Page)));
  });
  // The libraries wait by timers of their own.
  for (let turn = 0; turn < 5000 && read.data === undefined; turn += 1)
    await act(() => new Promise((resolve) => void setTimeout(resolve, 2)));
  await act(async () => tree?.unmount());
  return read;
}

const page = suite('docs/typed-client.md');

for (const [name, body] of [
  ['useNotes', [{ id: 1, title: 'Fog' }]],
  ['useNote', { id: 1, title: 'Fog' }],
] as const)
  page(`${name} reads through the client`, () =>
    inFolder(async (folder) => {
      mkdirSync(folder, { recursive: true });
      symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
      const [hook, client] = [await loadHook(folder, name), await openClient()];
      const { createElement } = (await import('react' as string)) as React;
      const { QueryClient, QueryClientProvider } = (await import(
        '@tanstack/react-query' as string
      )) as ReactQuery;
      const queries = new QueryClient();
      const { data } = await render(
        () => hook(client, 1),
        (node) => createElement(QueryClientProvider, { client: queries }, node),
      );
      queries.clear();
      assert.equal(data?.body, body);
    }),
  );

page.run();
