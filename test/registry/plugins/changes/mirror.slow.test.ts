import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../../../adapters/memory-store.ts';
import { isObject } from '../../../../lib/core/objects.ts';
import type { Store, Values } from '../../../../lib/store/store.ts';
import { collectionsOf, createContentModel } from '../../../../registry/index.ts';
import { changes, seedPlugins } from '../../../../registry/plugins.ts';
import { openExport } from '../../../../registry/transfer/index.ts';
import { isLong } from '../../../support/long-mode.ts';
import { TEST_NOW } from '../../../support/ports.ts';
import { createRandom } from '../../../support/random.ts';
import { type Answer, createWholeSite, type WholeSite } from '../../../support/whole-site.ts';

const plugins = [...seedPlugins, changes];
const content = { core: true } as const;
const collections = collectionsOf(createContentModel(content), plugins);
const CALLERS = [null, 'author', 'editor', 'admin'] as const;
type Caller = (typeof CALLERS)[number];
const USER_IDS: Readonly<Record<string, number>> = { admin: 1, editor: 2, author: 3 };
const FIXTURE = {
  site: { name: 'Mirror', timezone_string: 'UTC', default_category: 1 },
  users: [
    { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
    { id: 2, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
    { id: 3, login: 'author', name: 'Author', slug: 'author', role: 'author' },
  ],
  categories: [{ id: 1, name: 'None', slug: 'none' }],
  posts: [],
};

/** What a mirror keeps of a record, from the members of its representation. */
type Kept = string;
const keep = (...parts: readonly unknown[]): Kept => JSON.stringify(parts);

interface Item {
  readonly collection: string;
  readonly id: number;
  readonly op: 'put' | 'remove';
  readonly record?: Readonly<Record<string, unknown>>;
}

const KEPT: Readonly<Record<string, (record: Readonly<Record<string, unknown>>) => Kept>> = {
  posts: ({ slug, status, author }) => keep(slug, status, author),
  terms: ({ name }) => keep(name),
  users: ({ name }) => keep(name),
  comments: ({ post }) => keep(post),
  media: ({ post }) => keep(post ?? 0),
  settings: () => keep(),
};

/** A mirror of what one caller may see, which knows nothing but the feed. */
class Mirror {
  readonly #site: WholeSite;
  readonly #as: Caller;
  readonly records = new Map<string, Kept>();
  #after = 'all';

  constructor(site: WholeSite, as: Caller) {
    this.#site = site;
    this.#as = as;
  }

  #take({ collection, id, op, record }: Item): void {
    const key = `${collection} ${id}`;
    if (op === 'put') this.records.set(key, KEPT[collection]?.(record ?? {}) ?? '');
    else this.records.delete(key);
    if (op === 'remove' && collection === 'posts')
      for (const [other, kept] of this.records)
        if (/^(comments|media) /.test(other) && kept === keep(id)) this.records.delete(other);
  }

  /** @returns how many changes came */
  async catchUp(perPage: () => number): Promise<number> {
    for (let count = 0; ;) {
      const page = await this.#site.ask({
        target: `/changes/v1/changes?include=record&per_page=${perPage()}&after=${this.#after}`,
        as: this.#as,
      });
      assert.is(page.status, 200, page.text);
      const items = page.body as readonly Item[];
      for (const item of items) this.#take(item);
      count += items.length;
      this.#after = String(page.headers['X-CMS-Cursor']);
      if (page.headers['X-CMS-Caught-Up'] === 'true') return count;
    }
  }
}

/** What a caller may see of an export, by the plainest words. */
async function readExport(store: Store, as: Caller): Promise<ReadonlyMap<string, Kept>> {
  const own = USER_IDS[as ?? ''];
  const [isAdmin, isEditor] = [as === 'admin', as === 'admin' || as === 'editor'];
  const seesPost = ({ status, password, author }: Values): boolean =>
    status !== 'trash' &&
    (isEditor || (own !== undefined && author === own) || (status === 'publish' && password === ''));
  const seen = new Map<string, Kept>();
  const shown = new Set<unknown>();
  const items = await openExport(store, { collections });
  const add = async (
    collection: string,
    sees: (values: Values, id: number) => boolean,
    kept: (values: Values) => Kept,
  ): Promise<void> => {
    for await (const { id = 0, values } of items.of(collection === 'settings' ? 'options' : collection))
      if (sees(values, id)) seen.set(`${collection} ${id}`, kept(values));
  };
  for await (const { id, values } of items.of('posts')) if (seesPost(values)) shown.add(id);
  await add(
    'posts',
    (values) => seesPost(values) && values['language'] === 'en',
    ({ slug, status, author }) => keep(slug, status, author),
  );
  await add(
    'terms',
    ({ language }) => language === '' || language === 'en',
    ({ name }) => keep(name),
  );
  await add(
    'users',
    (_values, id) => isAdmin || id === own,
    ({ name }) => keep(name),
  );
  await add(
    'comments',
    ({ status, post, language }) =>
      language === 'en' && (isEditor ? status !== 'trash' : status === 'approved' && shown.has(post)),
    ({ post }) => keep(post),
  );
  await add(
    'media',
    ({ parent }) => parent === 0 || shown.has(parent),
    ({ parent }) => keep(parent),
  );
  await add(
    'settings',
    ({ group }) => group === 'site' && isAdmin,
    () => keep(),
  );
  await items.close();
  return seen;
}

/** Most posts at a time, so that a million operations need no more memory than some thousands. */
const MOST_POSTS = 300;

/** Random writes of everything that the feed shows. */
class Writer {
  readonly #site: WholeSite;
  readonly #random = createRandom(31);
  readonly #ids = new Map<string, number[]>();
  #now = TEST_NOW;
  /** By what was tried: how many were taken. */
  readonly taken = new Map<string, number>();

  constructor(site: WholeSite) {
    this.#site = site;
  }

  readonly now = (): number => this.#now;

  async #send(what: string, asking: Parameters<WholeSite['ask']>[0]): Promise<Answer> {
    const answer = await this.#site.ask({ as: 'admin', method: 'POST', ...asking });
    assert.ok(answer.status < 500, answer.text);
    if (answer.status < 300) this.taken.set(what, (this.taken.get(what) ?? 0) + 1);
    return answer;
  }

  #pick(name: string): number {
    const ids = this.#ids.get(name) ?? [];
    return ids.length === 0 ? 0 : this.#random.pick(ids);
  }

  #note(name: string, id: unknown): void {
    if (typeof id === 'number') this.#ids.set(name, [...(this.#ids.get(name) ?? []), id].slice(-MOST_POSTS));
  }

  async #create(name: string, body: unknown): Promise<void> {
    const { status, body: made } = await this.#send(`create ${name}`, { target: `/cms/v2/${name}`, body });
    if (status === 201 && isObject(made)) this.#note(name, made['id']);
  }

  async #change(name: string, body: unknown): Promise<void> {
    await this.#send(`change ${name}`, { target: `/cms/v2/${name}/${this.#pick(name)}`, body });
  }

  async #remove(name: string, query: string): Promise<void> {
    const target = `/cms/v2/${name}/${this.#pick(name)}?${query}`;
    await this.#send(`remove ${name}`, { method: 'DELETE', target });
  }

  async #addDirectly(name: string, values: Values): Promise<void> {
    const [made] = await this.#site.store.commit([{ op: 'create', collection: name, values }]);
    this.#note(name, made?.id);
  }

  async #writePost(run: number): Promise<void> {
    const random = this.#random;
    const kind = random.pick(['posts', 'posts', 'posts', 'pages']);
    // Authors have no rights on pages, not even on their own.
    const author = random.pick(kind === 'pages' ? [1, 2] : [1, 2, 3]);
    const change = random.pick<Readonly<Record<string, unknown>>>([
      { status: random.pick(['draft', 'publish', 'private', 'pending']) },
      { status: random.pick(['draft', 'publish', 'private', 'publish']) },
      { status: 'future', date_gmt: new Date(this.#now + 60_000).toISOString().slice(0, 19) },
      { password: random.pick(['', 'x']), status: 'publish' },
      { slug: `n${run}` },
      { author },
      { ml_language: random.pick(['en', 'en', 'fr']) },
    ]);
    const dice = random.below(100);
    if (dice < 30) {
      if ((this.#ids.get(kind)?.length ?? 0) >= MOST_POSTS) {
        const old = this.#ids.get(kind)?.shift() ?? 0;
        await this.#send('force', { method: 'DELETE', target: `/cms/v2/${kind}/${old}?force=true` });
      }
      const values = { title: `T${run}`, slug: `t${run}`, author, status: random.pick(['draft', 'publish']) };
      await this.#create(kind, { ...values, ml_language: random.pick(['en', 'en', 'fr']) });
    } else if (dice < 90) await this.#change(kind, change);
    else await this.#remove(kind, `force=${String(random.chance(0.5))}`);
  }

  async write(run: number): Promise<void> {
    this.#now += 1000;
    const random = this.#random;
    const dice = random.below(100);
    const post = this.#pick('posts');
    if (dice < 60) await this.#writePost(run);
    else if (dice < 68)
      await this.#create('comments', {
        post,
        content: `C${run}`,
        author_name: 'Ada',
        author_email: 'ada@example.org',
        status: random.pick(['approved', 'hold']),
      });
    else if (dice < 74)
      await this.#change('comments', { status: random.pick(['approved', 'hold', 'spam', 'trash']) });
    else if (dice < 76) await this.#remove('comments', `force=${String(random.chance(0.5))}`);
    else if (dice < 82)
      await this.#addDirectly('media', {
        status: 'inherit',
        parent: random.pick([0, post]),
        author: random.pick([1, 3]),
        slug: `m${run}`,
        title: `M${run}`,
        mime_type: 'image/png',
        file: `m${run}.png`,
        date: '2026-01-01T00:00:00',
        date_gmt: '2026-01-01T00:00:00',
      });
    else if (dice < 86) await this.#change('media', { post: random.pick([0, post]) });
    else if (dice < 88) await this.#remove('media', 'force=true');
    else if (dice < 91)
      await this.#create(random.pick(['categories', 'tags']), {
        name: `K${run}`,
        ml_language: random.pick(['en', 'fr']),
      });
    else if (dice < 94) await this.#change('tags', { name: `L${run}` });
    else if (dice < 96) await this.#remove(random.pick(['tags', 'categories']), 'force=true');
    else if (dice < 97)
      await this.#addDirectly('users', {
        login: `u${run}`,
        name: `U${run}`,
        slug: `u${run}`,
        role: 'author',
      });
    else if (dice < 98) await this.#change('users', { name: `V${run}` });
    else if (dice < 99) await this.#remove('users', 'force=true&reassign=1');
    else await this.#send('change settings', { target: '/cms/v2/settings', body: { title: `S${run}` } });
  }
}

const RUNS = isLong ? 1_000_000 : 4000;
const mirrors = suite('mirrors that know nothing but the feed');

mirrors('are what an export holds that their caller may see', async () => {
  const store = createMemoryStore(collections);
  const clock = { now: (): number => TEST_NOW };
  const site = await createWholeSite({ fixture: FIXTURE, plugins, content, store, now: () => clock.now() });
  const writer = new Writer(site);
  clock.now = writer.now;
  const random = createRandom(7);
  const all = CALLERS.map((as) => ({ as, mirror: new Mirror(site, as) }));
  const perPage = (): number => 1 + random.below(40);
  const compare = async (run: number): Promise<void> => {
    for (const { as, mirror } of all) {
      await mirror.catchUp(perPage);
      const sorted = (records: ReadonlyMap<string, Kept>) => [...records].map(String).toSorted();
      assert.equal(sorted(mirror.records), sorted(await readExport(store, as)), `${String(as)} after ${run}`);
    }
  };
  for (let run = 1; run <= RUNS; run += 1) {
    await writer.write(run);
    if (random.chance(0.02)) await random.pick(all).mirror.catchUp(perPage);
    if (run % (RUNS / 20) === 0) await compare(run);
  }
  for (const kind of ['posts', 'pages', 'comments', 'media', 'tags', 'users'])
    for (const what of ['change', 'remove'])
      assert.ok((writer.taken.get(`${what} ${kind}`) ?? 0) > 5, `${what} ${kind}`);
  await site.close();
});

mirrors.run();
