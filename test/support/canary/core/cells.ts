import { isObject } from '../../../../lib/core/objects.ts';
import type { Random } from '../../random.ts';
import type { WholeSite } from '../../whole-site.ts';
import { type CoreSite, FIRST_GENRE, revisionOf } from './fixture.ts';

/** A route of the index that can be read. `words`: the values of its parameters that have an `enum`. */
export interface ReadRoute {
  readonly pattern: string;
  readonly args: Readonly<Record<string, readonly string[]>>;
}

function wordsOf(arg: unknown): readonly string[] {
  if (!isObject(arg)) return [];
  const words = arg['enum'] ?? (isObject(arg['items']) ? arg['items']['enum'] : undefined);
  return Array.isArray(words) ? words.map(String) : [];
}

/** Every readable route of the index. */
export async function listReadRoutes(site: WholeSite): Promise<readonly ReadRoute[]> {
  const { body } = await site.ask({ target: '/' });
  const routes = isObject(body) && isObject(body['routes']) ? body['routes'] : {};
  return Object.entries(routes).flatMap(([pattern, route]) => {
    const endpoints: readonly unknown[] =
      isObject(route) && Array.isArray(route['endpoints']) ? route['endpoints'] : [];
    const reading = endpoints.find(
      (endpoint) =>
        isObject(endpoint) && Array.isArray(endpoint['methods']) && endpoint['methods'].includes('GET'),
    );
    if (!isObject(reading)) return [];
    const args = isObject(reading['args']) ? reading['args'] : {};
    return [
      { pattern, args: Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, wordsOf(arg)])) },
    ];
  });
}

const listWords = (value: unknown): readonly string[] => [
  ...new Set(JSON.stringify(value).match(/zqk\d{5}x(?:@example\.test)?/g) ?? []),
];

/** What the search in a list may guess: the words of its rows and of their revisions. All words for other routes. */
function toGuesses({ fixture }: CoreSite): (pattern: string) => readonly string[] {
  const lists = new Map(
    Object.entries(fixture).map(([name, rows]) => [
      name.replace(/^(page|book)_revisions$/, '$1s/revisions'),
      listWords(rows),
    ]),
  );
  const all = listWords(fixture);
  return (pattern) => {
    const [, base = '', inner] = /^\/cms\/v2\/(\w+)(.*\/revisions)?/.exec(pattern) ?? [];
    const words = lists.get(inner === undefined ? base : `${base}/revisions`) ?? all;
    return words.length === 0 ? all : words;
  };
}

/** Parameters that find records by a text. */
const GUESSING = ['search', 'slug', 'author_email', 'meta'];

const CONTEXTS = ['view', 'embed', 'edit'];
const STATUSES = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'trash',
  'auto-draft',
  'inherit',
  'any',
  'hold',
  'spam',
  'approve',
  'all',
];
const FIELDS = [
  'id',
  'id,slug,title',
  'content.raw',
  'author_email,author_ip',
  'email,roles,capabilities',
  'meta',
  '_links',
  'id,excerpt,_embedded',
];

/** Makes the addresses of random requests. */
export class Cells {
  readonly #random: Random;
  readonly #ids: readonly (readonly number[])[];
  readonly #guessesOf: (pattern: string) => readonly string[];
  #guesses: readonly string[] = [];
  readonly #makers: Readonly<Record<string, () => string>>;

  constructor(random: Random, built: CoreSite) {
    this.#random = random;
    const records = built.records.map(({ id }) => id);
    this.#ids = [
      records,
      built.media.map(({ id }) => id),
      built.comments.map(({ id }) => id),
      built.users.map(({ id }) => id),
      records.map(revisionOf),
      [FIRST_GENRE, FIRST_GENRE + 1, FIRST_GENRE + 2],
    ];
    this.#guessesOf = toGuesses(built);
    const [id, ids, guess] = [() => this.#id(), () => `${this.#id()},${this.#id()}`, () => this.#guess()];
    const flag = (): string => random.pick(['true', 'false']);
    const date = (): string => `2024-0${1 + random.below(9)}-11T00:00:00`;
    this.#makers = {
      context: () => random.pick(CONTEXTS),
      status: () => random.pick(STATUSES),
      page: () => String(1 + random.below(2)),
      per_page: () => String(random.pick([1, 3, 10, 100])),
      offset: () => String(random.below(4)),
      search: guess,
      title: guess,
      slug: guess,
      author_email: guess,
      keyphrase: guess,
      include: ids,
      exclude: ids,
      parent: id,
      parent_exclude: id,
      post: id,
      author: () => String(random.below(6)),
      author_exclude: () => String(random.below(6)),
      after: date,
      before: date,
      modified_after: date,
      modified_before: date,
      hide_empty: flag,
      has_published_posts: flag,
      genres: () => String(FIRST_GENRE + random.below(3)),
      roles: () => random.pick(['author', 'administrator']),
      menu_order: () => String(random.below(5)),
      capabilities: () => random.pick(['edit_posts', 'manage_options']),
      who: () => 'authors',
      meta: guess,
      url: () => this.#page(),
      user_id: id,
      id,
      password: () => 'sesame',
    };
  }

  #id(): string {
    return String(this.#random.pick(this.#random.pick(this.#ids)));
  }

  #guess(): string {
    return this.#random.pick(this.#guesses);
  }

  #page(): string {
    return encodeURIComponent(`http://site.test/en/${this.#random.pick(['', 'book/'])}${this.#guess()}/`);
  }

  /** Ids of a path. Revisions are asked for below their record. */
  #path(pattern: string): string {
    const record = Number(this.#random.pick(this.#ids[0] ?? []));
    const isPost = /\/(?:pages|books)\//.test(pattern);
    return pattern.replaceAll(/\(\?P<(\w+)>([^)]*)\)/g, (_group, name: string) => {
      if (name === 'parent') return String(record);
      if (/\/(?:revisions|autosaves)\//.test(pattern))
        return String(revisionOf(record) + (pattern.includes('autosaves') ? 1 : 0));
      if (name === 'id') return String(isPost ? record : this.#id());
      return name === 'job_type'
        ? 'post_post'
        : this.#random.pick(['book', 'page', 'genre', 'publish', 'private', 'draft', this.#id()]);
    });
  }

  #pair(name: string, words: readonly string[]): string {
    const made = this.#makers[name]?.();
    if (name === 'meta') return `meta[isbn]=${made ?? ''}`;
    if (name === 'orderby' && this.#random.chance(0.5))
      return `orderby=${this.#random.pick([...words, 'meta.isbn', 'meta.internal', 'password'])}`;
    const value =
      words.length > 0 && (made === undefined || this.#random.chance(0.7)) ? this.#random.pick(words) : made;
    return value === undefined ? '' : `${name}=${value}`;
  }

  /** A request to a list that does nothing but guess a text. */
  #guessing({ pattern, args }: ReadRoute): string {
    const sent = [this.#pair(this.#random.pick(GUESSING.filter((name) => args[name] !== undefined)), [])];
    for (const name of ['search_columns', 'context', 'status'])
      if (args[name] !== undefined && this.#random.chance(0.2)) sent.push(this.#pair(name, args[name]));
    return `${this.#path(pattern)}?${sent.join('&')}&per_page=100`;
  }

  /** A request to a route: each parameter with a probability, among them those that every route has. */
  next(route: ReadRoute): string {
    const { pattern, args } = route;
    this.#guesses = this.#guessesOf(pattern);
    const isList = args['per_page'] !== undefined;
    if (isList && GUESSING.some((name) => args[name] !== undefined) && this.#random.chance(0.4))
      return this.#guessing(route);
    const sent = Object.entries(args)
      .filter(([name]) =>
        this.#random.chance(name === 'url' || name === 'context' ? 0.7 : isList ? 0.12 : 0.4),
      )
      .map(([name, words]) => this.#pair(name, words));
    if (this.#random.chance(0.35)) sent.push('_embed');
    if (this.#random.chance(0.15)) sent.push('_envelope=1');
    if (this.#random.chance(0.15)) sent.push(`_fields=${this.#random.pick(FIELDS)}`);
    if (isList && !sent.some((pair) => pair.startsWith('per_page')) && this.#random.chance(0.7))
      sent.push('per_page=100');
    return `${this.#path(pattern)}?${sent.filter((pair) => pair !== '').join('&')}`;
  }
}
