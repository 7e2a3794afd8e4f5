import { capabilitiesOf } from '../../registry/core/accounts/roles.ts';
import { createContentModel } from '../../registry/core/model/content-model.ts';
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
  const user = USERS.find(({ login }) => login === as);
  const role = user?.role ?? '';
  const identity = { id: user?.id ?? 0, role, capabilities: capabilitiesOf(role) };
  const may = context === 'edit' ? rightsOf.mayEdit : rightsOf.mayRead;
  const groups = new Map<string, PostRecord[]>();
  for (const post of posts) {
    if (!chain.includes(post.language) || !statuses.includes(post.status) || !may(identity, post)) continue;
    const key = post.group === 0 ? `post ${post.id}` : `group ${post.group}`;
    groups.set(key, [...(groups.get(key) ?? []), post]);
  }
  const chosen = [...groups.values()].map(
    (members) =>
      members.toSorted((a, b) => chain.indexOf(a.language) - chain.indexOf(b.language))[0] as PostRecord,
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
  const field = question.orderby as 'date';
  const sign = question.order === 'desc' ? -1 : 1;
  return chosen
    .filter(fits)
    .toSorted((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id))
    .map(({ id }) => id);
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

function toTarget(question: Question): string {
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
  return `/cms/v2/posts?${query.toString()}`;
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

/** Asks generated questions between generated changes. @returns the questions whose answers differ from those of the model, and how many were not refused */
export async function compareFallback(
  open: OpenStore,
  { questions, seed }: { readonly questions: number; readonly seed: number },
): Promise<{ readonly different: readonly object[]; readonly answered: number }> {
  const random = createRandom(seed);
  const { store, remove } = await open(collections);
  const site = await createWholeSite({ fixture: FIXTURE, store, languages: [...LANGUAGES] });
  const different: object[] = [];
  let answered = 0;
  try {
    const load = async () => (await store.find({ collection: 'posts' })).records.map(toPost);
    let posts: readonly PostRecord[] = [];
    for (let at = 0; at < 60; at += 1) {
      await change(
        site,
        random,
        posts.map(({ id }) => id),
      );
      posts = await load();
    }
    for (let at = 0; at < questions && different.length < 5; at += 1) {
      if (at % 8 === 0) {
        await change(
          site,
          random,
          posts.map(({ id }) => id),
        );
        posts = await load();
      }
      const question = ask(
        random,
        posts.map(({ id }) => id),
      );
      const all = answer(posts, question);
      const from = (question.page - 1) * question.perPage;
      const target = toTarget(question);
      const { status, body, headers } = await site.ask({ target, as: question.as });
      // A page behind the end, and rights that a status or context needs, are refused for every chain alike.
      if (status !== 200) continue;
      answered += 1;
      const found = (body as readonly { id: number }[]).map(({ id }) => id);
      const wanted = all.slice(from, from + question.perPage);
      const total = Number(headers['X-CMS-Total']);
      if (total !== all.length || JSON.stringify(found) !== JSON.stringify(wanted))
        different.push({ as: question.as, target, found, wanted, total, all: all.length });
    }
  } finally {
    await site.close();
    await remove();
  }
  return { different, answered };
}
