import cluster from 'node:cluster';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { own } from '../../../lib/core/objects.ts';
import { eq, findFirst, not, oneOf, type Predicate, type Store } from '../../../lib/index.ts';
import {
  CAPABILITIES,
  clearSite,
  type ContentModel,
  findLostMeta,
  joinContent,
  loadFixture,
  readContent,
  type Site,
} from '../../../registry/site.ts';
import { makeTemporary } from '../../backup/own-files.ts';
import { createMediaFiles, type FoundFile, type MediaFiles } from '../../media-files.ts';
import { createOutbound } from '../../outbound.ts';
import { AUTHORIZE_PAGE } from '../../pages/authorize-page.ts';
import { createPictures } from '../../pictures.ts';
import { UsageError } from '../frame/options.ts';
import { note } from '../frame/output.ts';
import { checkStoredLanguages } from '../site/languages.ts';
import { openSite } from '../site/open-site.ts';
import { DEMO_UPLOADS, logAll, nameStore, openStore, toUploadsDirectory } from '../site/open-store.ts';
import { describeContent, readSite, type SiteDescription } from '../site/read-site.ts';
import { closeOnFailure } from '../site/with-store.ts';
import { fillStore, type InitialContent, readInitialContent, warnOfDemo } from './initial-content.ts';
import type { ServeOptions } from './serve-options.ts';

/** Names that are listed. Each one is a read of its own. */
const MOST_NAMES = 20;

/** Further values of a field of the records, by name. */
async function listOthers(
  store: Store,
  [collection, field]: readonly [collection: string, field: string],
  declared: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> {
  const isOther = (...names: readonly string[]): Predicate =>
    not(oneOf(field, [...declared.keys(), ...names]));
  // A count reads an index alone, whereas the first record that fits is looked for among all of them.
  if ((await store.find({ collection, where: isOther(), limit: 0, fields: [], total: true })).total === 0)
    return [];
  const found: string[] = [];
  while (found.length < MOST_NAMES) {
    const other = await findFirst(store, { collection, where: isOther(...found), fields: [field] });
    if (other === undefined) break;
    found.push(String(own(other, field)));
  }
  return found.toSorted();
}

const list = (what: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${what} ${names.join(', ')}`];

/** Types that only a site with the core controllers serves. */
async function listUnserved(store: Store, types: ContentModel['types']): Promise<readonly string[]> {
  const names = [...types.values()].filter(({ served }) => !served).map(({ name }) => name);
  const found = await Promise.all(
    names.map((type) =>
      store.find({ collection: 'posts', where: eq('type', type), limit: 0, fields: [], total: true }),
    ),
  );
  return names.filter((_name, index) => (found[index]?.total ?? 0) > 0);
}

/** Says in one line which content of the store is shown to nobody, because the site does not declare its types. */
async function warnOfUndeclared(store: Store, content: ContentModel): Promise<void> {
  const { types, taxonomies } = content;
  const unserved = await listUnserved(store, types);
  if (unserved.length > 0)
    note(
      `warning: the store holds records of the type ${unserved.join(', ')}, which are shown to nobody, because this start is without the core controllers. Start with --content core, or with "core": true in the content of --config.`,
    );
  const lost = await findLostMeta(store, content);
  if (lost.length > 0)
    note(
      `warning: the last start declared the meta keys ${lost.join(', ')}. Values that are stored under them are shown to nobody now. If a key has another name, "was" in its declaration, or routebook meta rename OF OLD NEW, moves its values.`,
    );
  const undeclared = [
    ...list('of the type', await listOthers(store, ['posts', 'type'], types)),
    ...list('of the taxonomy', await listOthers(store, ['terms', 'taxonomy'], taxonomies)),
  ];
  if (undeclared.length > 0)
    note(
      `warning: the store holds records ${undeclared.join(' and ')}, which are shown to nobody, because the site does not declare them. Start with the --config or the --fixtures that declares them (docs/content-types.md).`,
    );
}

/** The files of the site, and how they are removed. */
interface OpenedUploads {
  readonly media: MediaFiles;
  /** Removes all files, if they belong to this process alone. */
  clear(): Promise<void>;
  /** Removes the directory, if it was made for this process. */
  close(): Promise<void>;
}

/** The library, and behind it the pictures of the demo. */
function withDemo(library: MediaFiles): MediaFiles {
  const demo = createMediaFiles(DEMO_UPLOADS);
  const find = async (path: string): Promise<FoundFile | null> =>
    (await library.find(path)) ?? demo.find(path);
  return { find, size: async (path) => (await find(path))?.size ?? null, storage: library.storage };
}

/** The directory of uploads: the one that is named, else beside the data of a file store, else `./uploads`; for a memory store one that is removed with it. */
function openUploads({ uploads, store }: Pick<ServeOptions, 'uploads' | 'store'>): OpenedUploads {
  const temporary = uploads === undefined && store === 'memory' ? makeTemporary('uploads') : null;
  const directory = temporary === null ? (uploads ?? toUploadsDirectory(store)) : join(temporary, 'uploads');
  const remove = async (path: string): Promise<void> => {
    if (temporary !== null) await rm(path, { recursive: true, force: true });
  };
  return {
    media: withDemo(createMediaFiles(directory, { writable: true })),
    clear: () => remove(directory),
    close: () => remove(temporary ?? ''),
  };
}

/** What the declared content needs and no role has, by the type, the taxonomy or the meta key that needs it. */
function* listUnheld({
  types,
  taxonomies,
  meta,
}: ContentModel): Generator<readonly [what: string, capabilities: readonly string[]]> {
  const unheld = (needed: readonly string[]): readonly string[] =>
    [...new Set(needed)].filter((capability) => !CAPABILITIES.has(capability));
  for (const { name, capabilities } of types.values())
    yield [`type "${name}"`, unheld(Object.values(capabilities))];
  for (const { name, capabilities } of taxonomies.values())
    yield [`taxonomy "${name}"`, unheld(Object.values(capabilities))];
  for (const [of, keys] of meta)
    for (const { key, write } of keys)
      yield [`meta key "${key}" of ${of}`, unheld(write === null ? [] : [write])];
}

/** Warns of rights that no user of the site can have, because roles are fixed. */
function warnOfRights(content: ContentModel): void {
  for (const [what, capabilities] of listUnheld(content)) {
    if (capabilities.length > 0)
      note(
        `warning: ${what}: no role has ${capabilities.join(', ')}, so no user of this site can do what needs it (docs/content-types.md, Rights).`,
      );
  }
}

/** Whether the optional package that makes smaller copies of pictures is installed. */
function hasSharp(): boolean {
  try {
    createRequire(import.meta.url).resolve('sharp');
    return true;
  } catch {
    return false; // MODULE_NOT_FOUND
  }
}

/** A site that can be served, and its store. */
interface ServedSite {
  readonly store: Store;
  readonly media: MediaFiles;
  readonly languages: readonly string[];
  readonly site: Site;
  readonly reset: (() => Promise<void>) | null;
  /** Ends background work, then closes the store. */
  close(): Promise<void>;
}

/** The files named by the options. They are read before the store is opened, so that nothing is written if one is invalid. */
interface Inputs extends SiteDescription {
  readonly initial: InitialContent;
}

/** @throws TypeError with the file, the place and the error */
export async function readInputs(options: ServeOptions): Promise<Inputs> {
  const site = await readSite(options);
  const initial = await readInitialContent(options, site);
  const registered = readContent('registered', initial.fixture.registered ?? {});
  return { ...site, ...describeContent(joinContent(site.content, registered), site.plugins), initial };
}

/** Fills an empty store, and warns of what is wrong. Processes that share a port say it once. */
async function fill(store: Store, inputs: Inputs, options: ServeOptions): Promise<void> {
  const { content, model } = inputs;
  await fillStore(store, inputs, options.store);
  if (cluster.isWorker) return;
  await warnOfDemo(store, options);
  warnOfRights(model);
  if (content.core === true && !hasSharp())
    note(
      'note: the package sharp is not installed: uploaded pictures get no smaller copies, and cannot be edited. npm install sharp, and start again.',
    );
  await warnOfUndeclared(store, model);
}

const notShared = (options: ServeOptions): UsageError =>
  new UsageError(
    `--workers ${options.workers}: the processes cannot share the store "${options.store}". Use postgres://…, or a file store with SQLite 3.51.3 or newer (docs/stores.md, Commands beside a server)`,
  );

/** What can be refused before a worker is started. @throws UsageError */
export function checkWorkers(options: ServeOptions): void {
  if (options.store === 'memory') throw notShared(options);
}

/** Opens the store before the workers do, checks that they can share it, and fills it. @throws TypeError, UsageError */
export async function prepareStore(options: ServeOptions, inputs: Inputs): Promise<void> {
  const { collections } = inputs;
  const { store, shared } = await openStore(options.store, { collections, log: logAll });
  try {
    if (!shared) throw notShared(options);
    await fill(store, inputs, options);
  } catch (error) {
    throw nameStore(options.store, error);
  } finally {
    await store.close();
  }
}

/** Opens the store, fills it if it is empty, and builds the site. @throws TypeError, UsageError, StoreError; nothing is left open then */
export async function openServedSite(
  options: ServeOptions,
  { siteUrl, ...inputs }: Inputs & { readonly siteUrl: string },
): Promise<ServedSite> {
  const { config, content, languages, collections, initial } = inputs;
  const { store } = await openStore(options.store, { collections, log: logAll });
  const uploads = await closeOnFailure(store, async () => openUploads(options));
  const media = options.uploads === undefined ? (config.media ?? uploads.media) : uploads.media;
  const closeBoth = async (): Promise<void> => {
    await store.close();
    await uploads.close();
  };
  const site = await closeOnFailure({ close: closeBoth }, async () => {
    await checkStoredLanguages(store, inputs);
    await fill(store, inputs, options);
    return openSite(inputs, {
      store,
      outbound: createOutbound(),
      pictures: createPictures(),
      media,
      openapi: options.openapi,
      ...(content.core === true ? { authorizePage: AUTHORIZE_PAGE } : {}),
      mcp: options.mcp === undefined ? false : { tools: options.mcp },
      jsonp: options.jsonp,
      requestIds: options.requestIds,
      frontEnd: options.frontEnd,
      permalinks: options.permalinks ?? config.permalinks,
      webhook: options.notify && { ...options.notify, siteUrl },
      checkAnswers: options.checkAnswers,
      trustedOrigins: options.trustedOrigins,
    });
  }).catch((error: unknown) => {
    throw nameStore(options.store, error);
  });
  const reset = async (): Promise<void> => {
    await clearSite(store, collections);
    await uploads.clear();
    await loadFixture(store, initial.fixture, { languages, content });
  };
  const close = async (): Promise<void> => {
    await site.close();
    await closeBoth();
  };
  return { site, store, media, languages, reset: options.testReset ? reset : null, close };
}
