import { createHash } from 'node:crypto';
import { renderContent, renderExcerpt, renderTitle } from '../../../registry/content/render.ts';
import { toSlug } from '../../../registry/content/slug.ts';
import { ADMIN_TOKEN } from '../admin.ts';
import type { Corpus, Shown } from '../corpus.ts';

/** Parameters of the list that the work loads use, as the validator of a peer hands them over. */
export interface ListArgs {
  readonly page: number;
  readonly per_page: number;
  readonly order: string;
  readonly categories?: readonly number[];
  readonly author?: readonly number[];
  readonly exclude?: readonly number[];
  readonly after?: string;
  readonly before?: string;
}

export interface PostArgs {
  readonly title: { readonly raw: string };
  readonly content: { readonly raw: string };
  readonly excerpt: { readonly raw: string };
  readonly date: string;
  readonly categories: readonly number[];
}

export interface PageOfPosts {
  readonly posts: readonly Shown[];
  readonly total: number;
}

type Links = Readonly<Record<string, readonly (Shown & { readonly href?: string })[]>>;

function group(posts: readonly Shown[], keysOf: (post: Shown) => readonly number[]): ReadonlyMap<number, readonly Shown[]> {
  const groups = new Map<number, Shown[]>();
  for (const post of posts) {
    for (const key of keysOf(post)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [post]);
      else known.push(post);
    }
  }
  return groups;
}

/**
 * The content as a careful author of a peer would keep it: finished representations in memory, sorted by date, with an
 * index for each filter. No peer renders or checks rights when it reads; all of them render when they write.
 */
export class Content {
  readonly corpus: Corpus;
  readonly #newest: readonly Shown[];
  readonly #oldest: readonly Shown[];
  readonly #byId: Map<number, Shown>;
  readonly #byCategory: ReadonlyMap<number, readonly Shown[]>;
  readonly #byAuthor: ReadonlyMap<number, readonly Shown[]>;
  readonly #slugs: Set<string>;
  #lastId: number;

  constructor(corpus: Corpus) {
    this.corpus = corpus;
    this.#newest = corpus.posts;
    this.#oldest = corpus.posts.toReversed();
    this.#byId = new Map(corpus.posts.map((post) => [Number(post['id']), post]));
    this.#byCategory = group(corpus.posts, (post) => post['categories'] as readonly number[]);
    this.#byAuthor = group(corpus.posts, (post) => [Number(post['author'])]);
    this.#slugs = new Set(corpus.posts.map((post) => String(post['slug'])));
    this.#lastId = corpus.posts.length;
  }

  read(id: number): Shown | undefined {
    return this.#byId.get(id);
  }

  list(args: ListArgs): PageOfPosts {
    const [category] = args.categories ?? [];
    const [author] = args.author ?? [];
    const indexed = category !== undefined ? this.#byCategory.get(category) : author !== undefined ? this.#byAuthor.get(author) : this.#newest;
    const start = (args.page - 1) * args.per_page;
    const found = this.#toOrder(this.#filter(args, indexed ?? []), args.order);
    return { posts: found.slice(start, start + args.per_page), total: found.length };
  }

  #toOrder(newest: readonly Shown[], order: string): readonly Shown[] {
    if (order !== 'asc') return newest;
    return newest === this.#newest ? this.#oldest : newest.toReversed();
  }

  #filter({ after, before, exclude = [] }: ListArgs, newest: readonly Shown[]): readonly Shown[] {
    if (after === undefined && before === undefined && exclude.length === 0) return newest;
    const first = before === undefined ? 0 : newest.findIndex((post) => String(post['date']) < before);
    const last = after === undefined ? newest.length - 1 : newest.findLastIndex((post) => String(post['date']) > after);
    const left = new Set(exclude);
    return newest.slice(first, last + 1).filter((post) => !left.has(Number(post['id'])));
  }

  create({ title, content, excerpt, date, categories }: PostArgs): Shown {
    const { created } = this.corpus;
    const id = ++this.#lastId;
    const slug = this.#freeSlug(toSlug(title.raw));
    const guid = String((created['guid'] as Shown)['raw']).replace(/\d+$/, String(id));
    const home = guid.slice(0, guid.indexOf('?'));
    const post = {
      ...created, id, date, date_gmt: date, guid: { raw: guid, rendered: guid }, modified: date, modified_gmt: date, slug, link: `${home}${slug}/`,
      title: { raw: title.raw, rendered: renderTitle(title.raw) },
      content: { raw: content.raw, rendered: renderContent(content.raw), block_version: 0, protected: false },
      excerpt: { raw: excerpt.raw, rendered: renderExcerpt({ excerpt: excerpt.raw, content: content.raw }), protected: false },
      categories, class_list: [`post-${id}`, ...(created['class_list'] as readonly string[]).slice(1)],
      generated_slug: toSlug(title.raw), _links: this.#toLinks(id),
    };
    this.#byId.set(id, post);
    return post;
  }

  #toLinks(id: number): Links {
    const { created } = this.corpus;
    const old = new RegExp(`(?<=posts/|post=|parent=)${String(created['id'])}\\b`);
    return Object.fromEntries(Object.entries(created['_links'] as Links).map(([relation, links]) => (
      [relation, links.map((link) => (link.href === undefined ? link : { ...link, href: link.href.replace(old, String(id)) }))]
    )));
  }

  #freeSlug(wanted: string): string {
    let slug = wanted;
    for (let number = 2; this.#slugs.has(slug); number += 1) slug = `${wanted}-${number}`;
    this.#slugs.add(slug);
    return slug;
  }
}

export function isAdmin(authorization: string | undefined): boolean {
  return authorization === `Bearer ${ADMIN_TOKEN}`;
}

export function pageHeaders({ total }: PageOfPosts, perPage: number): Record<string, string> {
  return { 'X-CMS-Total': String(total), 'X-CMS-TotalPages': String(Math.ceil(total / perPage)) };
}

export function toEtag(text: string): string {
  return `"${createHash('sha1').update(text).digest('base64url')}"`;
}

export const UNAUTHORIZED = { code: 'rest_cannot_create', message: 'Sorry, you are not allowed to create posts as this user.', data: { status: 401 } } as const;
