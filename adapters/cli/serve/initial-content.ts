import cluster from 'node:cluster';
import { findFirst, type Store, StoreError } from '../../../lib/index.ts';
import { checkFixture, type Fixture, isEmptySite, loadFixture } from '../../../registry/site.ts';
import { note } from '../frame/output.ts';
import { failIn, inFile, readJson } from '../site/read-json.ts';
import type { SiteDescription } from '../site/read-site.ts';
import { DEMO_FILE, findDemoLogins } from '../site/users.ts';
import type { ServeOptions } from './serve-options.ts';

/** The word of `--fixtures` for the demo site. A file of this name is `./demo`. */
const DEMO_WORD = 'demo';
/** A site with other languages begins empty, unless it asks for the demo. */
const DEMO_LANGUAGES = ['en', 'fr'];
const EMPTY: Fixture = { site: {} };

type Reach = Pick<ServeOptions, 'host' | 'siteUrl' | 'addressHeader'>;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Whether others than the users of this machine may reach the site. Behind a proxy it listens on this machine alone, but names its public address or the header with the caller's. */
export function isPublic({ host, siteUrl, addressHeader }: Reach): boolean {
  const isProxied =
    addressHeader !== undefined || (siteUrl !== undefined && !isLoopback(new URL(siteUrl).hostname));
  return isProxied || !isLoopback(host) || process.env['NODE_ENV'] === 'production';
}

/** The file for an empty store; null if the site begins without content. */
function findFile(
  options: Reach & Pick<ServeOptions, 'fixtures'>,
  languages: readonly string[],
): string | null {
  if (options.fixtures !== undefined) return options.fixtures === DEMO_WORD ? DEMO_FILE : options.fixtures;
  return !isPublic(options) && DEMO_LANGUAGES.every((language) => languages.includes(language))
    ? DEMO_FILE
    : null;
}

/** What an empty store is filled with. */
export interface InitialContent {
  readonly fixture: Fixture;
  /** Where it stands; '' for an empty one. */
  readonly file: string;
  /** What `--fixtures` names; undefined if the option is not given. */
  readonly asked?: string | undefined;
}

/** Reads the file that the options name. @throws TypeError with the file, the place and the error */
export async function readInitialContent(
  options: ServeOptions,
  { languages, content }: SiteDescription,
): Promise<InitialContent> {
  const file = findFile(options, languages);
  if (file === null) return { fixture: EMPTY, file: '' };
  const document = await readJson(file);
  // The demo fits these languages. It is checked when it fills a store, so that the start with a full one does not wait for that.
  if (options.fixtures === undefined) return { fixture: document as Fixture, file };
  const fixture = inFile(file, () => {
    checkFixture(document, { languages, content });
    return document;
  });
  return { fixture, file, asked: options.fixtures };
}

/** What the operator must know about a store that was empty. Processes that share a port say it once. */
async function tellOperator(store: Store, { file }: InitialContent, address: string): Promise<void> {
  if (cluster.isWorker || address === 'memory') return;
  if (file === DEMO_FILE)
    note(
      'note: the store was empty and now holds the demo site, whose passwords are published (docs/users.md). For your own site: routebook init DIRECTORY.',
    );
  else if ((await findFirst(store, { collection: 'users', fields: [] })) === undefined)
    note(
      `note: the site has no users yet. Add the first one: routebook user add LOGIN --role administrator --email ADDRESS --store ${address.startsWith('file:') ? address : 'STORE'}. --fixtures demo fills an empty store with the demo site.`,
    );
}

/** A store with content is not changed, which an operator who names a fixture may not expect. Processes that share a port say it once. */
function tellIgnored({ asked }: InitialContent): void {
  if (cluster.isWorker || asked === undefined) return;
  note(
    `note: --fixtures ${asked} was not loaded: the store already has content, and only an empty one is filled. "routebook import FILE" adds content to it.`,
  );
}

/** Fills an empty store. If several processes try at once, one succeeds and the others find it filled. */
export async function fillStore(
  store: Store,
  { initial, languages, content }: SiteDescription & { readonly initial: InitialContent },
  address: string,
): Promise<void> {
  if (!(await isEmptySite(store))) {
    tellIgnored(initial);
    return;
  }
  try {
    await loadFixture(store, initial.fixture, { languages, content });
  } catch (error) {
    if (error instanceof TypeError) failIn(initial.file)(error);
    if (!(error instanceof StoreError) || error.code !== 'unique' || (await isEmptySite(store))) throw error;
    tellIgnored(initial);
    return;
  }
  await tellOperator(store, initial, address);
}

/** Warns of a site that others reach and whose users still have the published passwords of the demo. */
export async function warnOfDemo(store: Store, options: ServeOptions): Promise<void> {
  if (options.store === 'memory' || !isPublic(options)) return;
  const logins = (await findDemoLogins(store)).map(({ login }) => login);
  if (logins.length > 0)
    note(
      `warning: everybody knows the password of ${logins.join(', ')}: it is the one of the demo site. Change it with "routebook user password LOGIN", or remove the user.`,
    );
}
