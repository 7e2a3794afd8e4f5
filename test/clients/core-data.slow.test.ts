import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasClients, loadClient, skipClient } from '../support/clients/installed.ts';
import { checkSequence } from '../support/clients/sequences.ts';
import { toBasic, withClientServer } from '../support/clients/server.ts';

type Select = (...values: readonly unknown[]) => Promise<unknown>;
interface Jsdom {
  readonly JSDOM: new (
    html: string,
    options: object,
  ) => { readonly window: Record<string, unknown> & { close(): void } };
  readonly VirtualConsole: new () => object;
}
interface FetchOptions {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
interface ApiFetch {
  use(middleware: (options: FetchOptions, next: (options: object) => unknown) => unknown): void;
  createRootURLMiddleware(
    root: string,
  ): (options: FetchOptions, next: (options: object) => unknown) => unknown;
}
interface Data {
  resolveSelect(store: unknown): Readonly<Record<string, Select>>;
  dispatch(
    store: unknown,
  ): Readonly<
    Record<'saveEntityRecord' | 'editEntityRecord' | 'saveEditedEntityRecord' | 'deleteEntityRecord', Select>
  >;
}
interface Saved {
  readonly id: number;
  readonly title: { readonly raw: string };
}

/** What the packages of the editor look for in a page when they are loaded. */
const PAGE_NAMES = [
  'document',
  'navigator',
  'Node',
  'Element',
  'HTMLElement',
  'DOMParser',
  'MutationObserver',
  'CustomEvent',
  'KeyboardEvent',
  'MouseEvent',
  'getComputedStyle',
] as const;

function openPage(): void {
  const { JSDOM, VirtualConsole } = loadClient<Jsdom>('jsdom');
  // Its console would print that it does not know today's style sheets.
  const { window } = new JSDOM('<!doctype html>', {
    url: 'https://site.example/wp-admin/',
    pretendToBeVisual: true,
    virtualConsole: new VirtualConsole(),
  });
  Object.assign(window, {
    matchMedia: () => ({ matches: false, addListener: () => undefined, addEventListener: () => undefined }),
    fetch: globalThis.fetch,
  });
  Object.defineProperty(globalThis, 'window', { value: window, configurable: true });
  for (const name of PAGE_NAMES)
    Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
}

/** Reads of the editor: selector, arguments, and what must come back: the number of a list, or members. */
const READS: readonly (readonly [selector: string, values: readonly unknown[], expected: unknown])[] = [
  ['getCurrentUser', [], { id: 1 }],
  ['getEntityRecord', ['root', '__unstableBase'], { name: 'Oracle Site' }],
  ['getEntityRecord', ['root', 'site'], { title: 'Oracle Site', posts_per_page: 10 }],
  ['getEntityRecords', ['root', 'postType', { per_page: -1 }], 4],
  ['getPostType', ['post'], { slug: 'post', rest_base: 'posts', rest_namespace: 'wp/v2' }],
  ['getEntityRecords', ['root', 'taxonomy', { per_page: -1 }], 3],
  ['getEntityRecords', ['root', 'status'], 6],
  ['getEntityRecord', ['postType', 'post', 144], { id: 144, slug: 'revised' }],
  ['getEntityRecords', ['postType', 'post', { per_page: 5, _embed: 'wp:featuredmedia' }], 5],
  ['getEntityRecords', ['postType', 'page', { per_page: -1 }], 7],
  ['getEntityRecords', ['postType', 'book', { per_page: 3 }], 3],
  ['getEntityRecords', ['postType', 'attachment', { per_page: 3 }], 3],
  ['getEntityRecord', ['postType', 'attachment', 301], { id: 301, media_type: 'image' }],
  ['getEntityRecords', ['root', 'media', { per_page: 2 }], 2],
  ['getEntityRecords', ['taxonomy', 'category', { per_page: -1, _fields: 'id,name,parent' }], 7],
  ['getEntityRecords', ['taxonomy', 'post_tag', { search: 'red', per_page: 20 }], 1],
  ['getEntityRecords', ['taxonomy', 'genre', {}], 4],
  ['getEntityRecords', ['root', 'user', { per_page: -1 }], 7],
  ['getUsers', [{ who: 'authors', per_page: 50 }], 5],
  ['getEntityRecords', ['root', 'comment', { per_page: 2 }], 2],
  ['getAutosaves', ['post', 145], 2],
  ['getRevisions', ['postType', 'post', 144, { per_page: 3, context: 'view' }], 3],
  ['canUser', ['create', { kind: 'postType', name: 'page' }], true],
  ['canUser', ['update', { kind: 'postType', name: 'post', id: 144 }], true],
  ['canUser', ['delete', { kind: 'postType', name: 'post', id: 144 }], true],
  ['canUser', ['create', { kind: 'postType', name: 'attachment' }], true],
];

/** The part of a value that can be compared with the expected one. */
function toComparable(value: unknown, expected: unknown): unknown {
  if (Array.isArray(value)) return value.length;
  if (typeof expected !== 'object' || expected === null) return value;
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, (value as Readonly<Record<string, unknown>> | null)?.[name]]),
  );
}

async function readAndWrite({ resolveSelect, dispatch }: Data, store: unknown): Promise<void> {
  for (const [selector, values, expected] of READS) {
    assert.equal(
      toComparable(await resolveSelect(store)[selector]?.(...values), expected),
      expected,
      `${selector} ${JSON.stringify(values)}`,
    );
  }
  const { saveEntityRecord, editEntityRecord, saveEditedEntityRecord, deleteEntityRecord } = dispatch(store);
  const strict = { throwOnError: true };
  const { id } = (await saveEntityRecord(
    'postType',
    'post',
    { title: 'Low tide', status: 'draft' },
    strict,
  )) as Saved;
  await editEntityRecord('postType', 'post', id, { title: 'High tide' });
  assert.is(((await saveEditedEntityRecord('postType', 'post', id, strict)) as Saved).title.raw, 'High tide');
  await saveEntityRecord('postType', 'book', { title: 'Tides', meta: { isbn: '42' } }, strict);
  await saveEntityRecord('taxonomy', 'category', { name: 'Shore' }, strict);
  await saveEntityRecord('root', 'site', { title: 'Tidal Site' }, strict);
  assert.equal(
    await deleteEntityRecord('postType', 'post', id, { force: true }, strict).then(
      (answer) => (answer as { deleted: boolean }).deleted,
    ),
    true,
  );
}

function coreDataSuite(): void {
  const coreData = suite('@wordpress/core-data');
  coreData('boots: the reads of the editor, and its writes', async () => {
    openPage();
    const apiFetch = loadClient<{ readonly default: ApiFetch }>('@wordpress/api-fetch').default;
    const data = loadClient<Data>('@wordpress/data');
    const { store } = loadClient<{ readonly store: unknown }>('@wordpress/core-data');
    const requests = await withClientServer(async (origin) => {
      apiFetch.use(apiFetch.createRootURLMiddleware(`${origin}/en/wp-json/`));
      apiFetch.use((options, next) =>
        next({
          ...options,
          credentials: 'omit',
          headers: { ...options.headers, Authorization: toBasic('admin') },
        }),
      );
      await readAndWrite(data, store);
    });
    checkSequence('@wordpress/core-data', requests);
    // The packages leave timers of the page behind.
    (globalThis as unknown as { readonly window: { close(): void } }).window.close();
  });
  coreData.run();
}

if (hasClients()) coreDataSuite();
else skipClient('@wordpress/core-data');
