import type { Store } from '../../lib/store/store.ts';
import { capabilitiesOf } from '../../registry/core/accounts/roles.ts';
import { createContentModel } from '../../registry/core/model/content-model.ts';
import { type MediaRecord, toMedia } from '../../registry/core/records/media-record.ts';
import { toPost, type PostRecord } from '../../registry/core/records/post-record.ts';
import { createTypeRights } from '../../registry/core/records/rights.ts';
import { collections } from '../../registry/index.ts';
import type { Fixture } from '../../registry/transfer/fixture/fixture.ts';
import { createRandom, type Random } from './random.ts';
import type { OpenStore } from './store-factories.ts';
import { createWholeSite, type WholeSite } from './whole-site.ts';

const LANGUAGES = ['nl', 'en', 'fr'] as const;
const WORDS = ['ash', 'birch', 'cedar', 'elm'] as const;
const STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const;
const USERS = [
  { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator' },
  { id: 2, login: 'author', name: 'Author', slug: 'author', role: 'author' },
  { id: 3, login: 'contributor', name: 'Contributor', slug: 'contributor', role: 'contributor' },
  { id: 4, login: 'editor', name: 'Editor', slug: 'editor', role: 'editor' },
];
/** Categories 11 to 13 are translations of each other, and 21 to 23; 31 has none. Category 12 has the child 14. */
const TERMS = [11, 12, 13, 21, 22, 23, 31].map((id) => ({
  id,
  name: `Term ${id}`,
  slug: `term-${id}`,
  ml_language: LANGUAGES[(id % 10) - 1] ?? 'en',
  group: id === 31 ? 0 : Math.floor(id / 10),
}));
const CHILD = { id: 14, name: 'Child', slug: 'child', ml_language: 'en', parent: 12 };
const FIXTURE: Fixture = {
  site: { name: 'Fallback', timezone_string: 'UTC' },
  users: USERS,
  categories: [...TERMS, CHILD],
};
const termGroups = new Map(TERMS.map(({ id, group }) => [id, group]));

const rightsOf = createTypeRights(createContentModel())('post');
const filesRightsOf = createTypeRights(createContentModel())('attachment');

const toIdentity = (login: string | null) => {
  const user = USERS.find((each) => each.login === login);
  const role = user?.role ?? '';
  return { id: user?.id ?? 0, role, capabilities: capabilitiesOf(role) };
};

/** The first of each group in the order of the chain. */
function choose<T extends PostRecord | MediaRecord>(
  records: readonly T[],
  chain: readonly string[],
): readonly T[] {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const key = record.group === 0 ? `record ${record.id}` : `group ${record.group}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()].map(
    (members) => members.toSorted((a, b) => chain.indexOf(a.language) - chain.indexOf(b.language))[0] as T,
  );
}

/** Sorts by a field, then by id. */
function sortBy<T extends PostRecord | MediaRecord>(
  records: readonly T[],
  { orderby, order }: Pick<Question, 'orderby' | 'order'>,
): readonly number[] {
  const field = orderby as 'date';
  const sign = order === 'desc' ? -1 : 1;
  return records
    .toSorted((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id))
    .map(({ id }) => id);
}

interface Question {
  readonly as: string | null;
  readonly chain: readonly string[];
  readonly statuses: readonly string[];
  readonly context: 'view' | 'edit';
  readonly filters: Readonly<Record<string, string>>;
  readonly orderby: string;
  readonly order: 'asc' | 'desc';
  readonly page: number;
  readonly perPage: number;
}

const listOf = (text: string | undefined): readonly number[] =>
  text === undefined ? [] : text.split(',').map(Number);

/** The posts that a question wants, by reading everything. */
function answer(posts: readonly PostRecord[], question: Question): readonly number[] {
  const { as, chain, statuses, context, filters } = question;
  const identity = toIdentity(as);
  const may = context === 'edit' ? rightsOf.mayEdit : rightsOf.mayRead;
  const chosen = choose(
    posts.filter(
      (post) => chain.includes(post.language) && statuses.includes(post.status) && may(identity, post),
    ),
    chain,
  );
  // The id of a post that the caller may not read stands for itself alone.
  const groupOf = new Map(
    posts.filter((post) => rightsOf.mayRead(identity, post)).map(({ id, group }) => [id, group]),
  );
  const isSame = (id: number, asked: number): boolean =>
    id === asked ||
    (chain.length > 1 && (groupOf.get(id) ?? 0) !== 0 && groupOf.get(id) === groupOf.get(asked));
  const isTerm = (id: number, asked: number): boolean => {
    const stands = (each: number): boolean =>
      each === asked ||
      (chain.length > 1 &&
        (termGroups.get(each) ?? 0) !== 0 &&
        termGroups.get(each) === termGroups.get(asked));
    return stands(id);
  };
  const include = listOf(filters['include']);
  const exclude = listOf(filters['exclude']);
  const categories = listOf(filters['categories']);
  const fits = (post: PostRecord): boolean =>
    (filters['include'] === undefined || include.some((id) => isSame(post.id, id))) &&
    (filters['exclude'] === undefined || !exclude.some((id) => isSame(post.id, id))) &&
    (filters['slug'] === undefined || post.slug === filters['slug']) &&
    (filters['author'] === undefined || post.author === Number(filters['author'])) &&
    (filters['search'] === undefined || post.title.includes(filters['search'])) &&
    (filters['categories'] === undefined ||
      post.categories.some((id) => categories.some((asked) => isTerm(id, asked))));
  return sortBy(chosen.filter(fits), question);
}

function ask(random: Random, ids: readonly number[]): Question {
  const languages = [...LANGUAGES].sort(() => random.below(2) - 0.5);
  const as = random.pick([null, null, 'admin', 'author', 'contributor', 'editor']);
  const some = (): string => [random.pick(ids), random.pick(ids)].join(',');
  const kinds: readonly (() => Record<string, string>)[] = [
    () => ({}),
    () => ({}),
    () => ({ include: some() }),
    () => ({ exclude: some() }),
    () => ({ slug: `${random.pick(WORDS)}-${random.below(4) + 1}`.replace('-1', '') }),
    () => ({ author: String(random.below(4) + 1) }),
    () => ({ search: random.pick(WORDS) }),
    () => ({ categories: String(random.pick([11, 12, 13, 21, 22, 23, 31])) }),
    () => ({ categories: '12,21' }),
  ];
  return {
    as,
    chain: languages.slice(0, 1 + random.below(3)),
    statuses:
      as === null || random.chance(0.4)
        ? ['publish']
        : [...new Set([random.pick(STATUSES), random.pick(STATUSES), random.pick(STATUSES)])],
    context: as !== null && random.chance(0.3) ? 'edit' : 'view',
    filters: random.pick(kinds)(),
    orderby: random.pick(['date', 'id', 'slug', 'modified']),
    order: random.pick(['asc', 'desc']),
    page: 1 + random.below(2),
    perPage: 1 + random.below(8),
  };
}

function toTarget(question: Question, path = 'posts'): string {
  const { chain, statuses, filters, context, orderby, order, page, perPage } = question;
  const fallback = chain.length === 1 ? {} : { ml_fallback: chain.slice(1).join(',') };
  const query = new URLSearchParams({
    ml_language: chain[0] ?? '',
    ...fallback,
    status: statuses.join(','),
    ...filters,
    context,
    orderby,
    order,
    page: String(page),
    per_page: String(perPage),
  });
  return `/cms/v2/${path}?${query.toString()}`;
}

/** One change of the content, as an editor makes it: some are refused. */
async function change(site: WholeSite, random: Random, ids: readonly number[]): Promise<void> {
  const send = (method: string, target: string, body?: object) =>
    site.ask({ method, target, as: 'admin', body });
  const status = random.pick(STATUSES.slice(0, 5));
  const dates = status === 'future' ? { date: '2030-01-01T00:00:00' } : {};
  const id = ids.length === 0 ? 0 : random.pick(ids);
  const language = random.pick(LANGUAGES);
  const categories = [random.pick([11, 12, 13, 14, 21, 22, 23, 31])];
  const steps: readonly (() => Promise<unknown>)[] = [
    () =>
      send('POST', '/cms/v2/posts', {
        title: random.pick(WORDS),
        ml_language: language,
        status,
        categories,
        author: 1 + random.below(4),
        ...dates,
        ...(id === 0 ? {} : { ml_translation_of: id }),
      }),
    () =>
      send('POST', '/cms/v2/posts', { title: random.pick(WORDS), ml_language: language, status, ...dates }),
    () => send('POST', `/cms/v2/posts/${id}`, { status, ...dates }),
    () => send('POST', `/cms/v2/posts/${id}`, { status: 'publish', date: '2025-01-01T00:00:00' }),
    () => send('POST', `/cms/v2/posts/${id}`, { author: 1 + random.below(4) }),
    () => send('POST', `/cms/v2/posts/${id}`, { ml_language: language }),
    () =>
      send('POST', `/cms/v2/posts/${id}`, {
        ml_translation_of: random.chance(0.3) ? 0 : random.pick([...ids, 1]),
      }),
    () => send('DELETE', `/cms/v2/posts/${id}`),
    () => send('DELETE', `/cms/v2/posts/${id}?force=true`),
  ];
  const weights = [0, 0, 0, 1, 2, 3, 3, 4, 5, 6, 7, 8];
  await steps[ids.length < 12 ? random.below(2) : random.pick(weights)]?.();
}

/** What is asked and changed. `load`: everything that the model reads; `ids`: of what changes and filters name. */
interface Subject<T> {
  readonly path: string;
  readonly load: (store: Store) => Promise<T>;
  readonly ids: (all: T) => readonly number[];
  readonly change: (site: WholeSite, random: Random, all: T) => Promise<void>;
  readonly ask: (random: Random, ids: readonly number[]) => Question;
  readonly answer: (all: T, question: Question) => readonly number[];
}

const loadPosts = async (store: Store): Promise<readonly PostRecord[]> =>
  (await store.find({ collection: 'posts' })).records.map(toPost);

const POSTS: Subject<readonly PostRecord[]> = {
  path: 'posts',
  load: loadPosts,
  ids: (posts) => posts.map(({ id }) => id),
  change: (site, random, posts) =>
    change(
      site,
      random,
      posts.map(({ id }) => id),
    ),
  ask,
  answer,
};

interface Library {
  readonly files: readonly MediaRecord[];
  readonly posts: readonly PostRecord[];
}

const fileStatusOf = ({ status }: MediaRecord): string => status || 'inherit';

/** The files that a question wants, by reading everything. */
function answerFiles(
  { files, posts }: Library,
  { as, chain, statuses, filters, ...more }: Question,
): readonly number[] {
  const identity = toIdentity(as);
  const postOf = new Map(posts.map((post) => [post.id, post]));
  const isVisible = (file: MediaRecord): boolean => {
    if (fileStatusOf(file) !== 'inherit')
      return (
        identity.capabilities.has('upload_files') &&
        filesRightsOf.mayEdit(identity, { author: file.author, status: 'publish', trashed_from: '' })
      );
    const parent = postOf.get(file.parent);
    return parent === undefined || rightsOf.mayRead(identity, parent);
  };
  const known = new Map(files.filter(isVisible).map(({ id, group }) => [id, group]));
  const knownPosts = new Map(
    posts.filter((post) => rightsOf.mayRead(identity, post)).map(({ id, group }) => [id, group]),
  );
  const isSame = (
    groups: ReadonlyMap<number, number>,
    asked: number,
    [id, group]: readonly [number, number],
  ) => id === asked || (chain.length > 1 && group !== 0 && groups.get(asked) === group);
  const parentOf = ({ parent }: MediaRecord) => [parent, postOf.get(parent)?.group ?? 0] as const;
  const include = listOf(filters['include']);
  const exclude = listOf(filters['exclude']);
  const parents = listOf(filters['parent']);
  const fits = (file: MediaRecord): boolean =>
    (filters['include'] === undefined || include.some((id) => isSame(known, id, [file.id, file.group]))) &&
    !exclude.some((id) => isSame(known, id, [file.id, file.group])) &&
    (filters['parent'] === undefined || parents.some((id) => isSame(knownPosts, id, parentOf(file)))) &&
    (filters['author'] === undefined || file.author === Number(filters['author'])) &&
    (filters['search'] === undefined || file.title.includes(filters['search']));
  const asked = files.filter(
    (file) =>
      ['', ...chain].includes(file.language) && statuses.includes(fileStatusOf(file)) && isVisible(file),
  );
  return sortBy(choose(asked, chain).filter(fits), more);
}

function askFiles(random: Random, ids: readonly number[]): Question {
  const question = ask(random, ids);
  const some = (): string => [random.pick(ids), random.pick(ids)].join(',');
  const kinds: readonly (() => Record<string, string>)[] = [
    () => ({}),
    () => ({ include: some() }),
    () => ({ exclude: some() }),
    () => ({ parent: [1 + random.below(20), 1 + random.below(20)].join(',') }),
    () => ({ author: String(random.below(4) + 1) }),
    () => ({ search: random.pick(WORDS) }),
  ];
  const statuses =
    question.as === null || random.chance(0.3)
      ? ['inherit']
      : random.pick([['private'], ['inherit', 'private'], ['inherit', 'trash']]);
  return { ...question, context: 'view', statuses, filters: random.pick(kinds)() };
}

/** One change of a library, or of a post that a file of it may be attached to. */
async function changeLibrary(site: WholeSite, random: Random, { files, posts }: Library): Promise<void> {
  const postIds = posts.map(({ id }) => id);
  if (posts.length < 12 || random.chance(0.3)) {
    await change(site, random, postIds);
    return;
  }
  const pick = (): number => random.pick(files).id;
  const write = (id: number, body: object) =>
    site.ask({ method: 'POST', target: `/cms/v2/media/${id}`, as: 'admin', body });
  const id = pick();
  const steps: readonly (() => Promise<unknown>)[] = [
    () => write(id, { ml_language: random.pick(LANGUAGES), ml_translation_of: pick() }),
    () => write(id, { ml_language: random.pick(LANGUAGES), ml_translation_of: pick() }),
    () => write(id, { ml_language: random.pick(LANGUAGES) }),
    () => write(id, { ml_translation_of: 0 }),
    () => write(id, { post: random.pick([0, ...postIds]) }),
    () => write(id, { status: random.pick(['private', 'inherit']) }),
    () => write(id, { author: 1 + random.below(4) }),
    () => site.ask({ method: 'DELETE', target: `/cms/v2/media/${id}?force=true`, as: 'admin' }),
  ];
  await steps[random.below(files.length < 16 ? steps.length - 1 : steps.length)]?.();
}

const FILES: Subject<Library> = {
  path: 'media',
  load: async (store) => ({
    files: (await store.find({ collection: 'media' })).records.map(toMedia),
    posts: await loadPosts(store),
  }),
  ids: ({ files }) => files.map(({ id }) => id),
  change: changeLibrary,
  ask: askFiles,
  answer: answerFiles,
};

const MEDIA = Array.from({ length: 30 }, (_each, at) => ({
  id: at + 1,
  title: String(WORDS[at % WORDS.length]),
  slug: `file-${at}`,
  date: `2024-01-01T${10 + (at % 12)}:00:00`,
  date_gmt: `2024-01-01T${10 + (at % 12)}:00:00`,
  mime_type: 'image/png',
  file: `2024/01/${at}.png`,
  author: 1 + (at % 4),
  status: at % 8 === 0 ? 'trash' : 'inherit',
}));

interface Comparison {
  readonly questions: number;
  readonly seed: number;
}

/** The questions whose answers differ from those of the model, and how many were not refused. */
interface Compared {
  readonly different: readonly object[];
  readonly answered: number;
}

/** Asks generated questions between generated changes. */
async function compare<T>(
  open: OpenStore,
  subject: Subject<T>,
  { questions, seed }: Comparison,
): Promise<Compared> {
  const random = createRandom(seed);
  const { store, remove } = await open(collections);
  const site = await createWholeSite({
    fixture: { ...FIXTURE, media: MEDIA },
    store,
    languages: [...LANGUAGES],
    content: 'core',
  });
  const different: object[] = [];
  let answered = 0;
  try {
    let all = await subject.load(store);
    const change = async (): Promise<void> => {
      await subject.change(site, random, all);
      all = await subject.load(store);
    };
    for (let at = 0; at < 60; at += 1) await change();
    for (let at = 0; at < questions && different.length < 5; at += 1) {
      if (at % 8 === 0) await change();
      const question = subject.ask(random, subject.ids(all));
      const wanted = subject.answer(all, question);
      const from = (question.page - 1) * question.perPage;
      const target = toTarget(question, subject.path);
      const { status, body, headers } = await site.ask({ target, as: question.as });
      // A page behind the end, and rights that a status or context needs, are refused for every chain alike.
      if (status !== 200) continue;
      answered += 1;
      const found = (body as readonly { id: number }[]).map(({ id }) => id);
      const page = wanted.slice(from, from + question.perPage);
      const total = Number(headers['X-CMS-Total']);
      if (total !== wanted.length || JSON.stringify(found) !== JSON.stringify(page))
        different.push({ as: question.as, target, found, wanted: page, total, all: wanted.length });
    }
  } finally {
    await site.close();
    await remove();
  }
  return { different, answered };
}

export const compareFallback = (open: OpenStore, asked: Comparison): Promise<Compared> =>
  compare(open, POSTS, asked);

/** The same of files. */
export const compareFileFallback = (open: OpenStore, asked: Comparison): Promise<Compared> =>
  compare(open, FILES, asked);
