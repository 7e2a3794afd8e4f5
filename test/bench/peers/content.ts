import { createHash } from 'node:crypto';
import { renderExcerpt } from '../../../registry/core/content/render/excerpt.ts';
import { renderContent, renderTitle } from '../../../registry/core/content/render/render.ts';
import { toSlug } from '../../../registry/core/content/slug.ts';
import { ADMIN_TOKEN } from '../admin.ts';
import type { Corpus, Shown } from '../corpus.ts';

/** Parameters of the list that the workloads use, as the validator of a peer returns them. */
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

/** Posts sorted by date, oldest first, so that a new post is appended. */
class Dated {
  readonly #posts: Shown[] = [];

  /** @param posts newest first */
  constructor(posts: readonly Shown[]) {
    for (const post of posts.toReversed()) this.add(post);
  }

  add(post: Shown): void {
    let at = this.#posts.length;
    while (at > 0 && String(this.#posts[at - 1]?.['date']) > String(post['date'])) at -= 1;
    this.#posts.splice(at, 0, post);
  }

  /** One page of the posts that match the filters. */
  list({ after, before, exclude = [], order, page, per_page: perPage }: ListArgs): PageOfPosts {
    const left = new Set(exclude);
    const isPlain = after === undefined && before === undefined && left.size === 0;
    const found = isPlain
      ? this.#posts
      : this.#between(after, before).filter((post) => !left.has(Number(post['id'])));
    const start = (page - 1) * perPage;
    const total = found.length;
    const posts =
      order === 'asc'
        ? found.slice(start, start + perPage)
        : found.slice(Math.max(0, total - start - perPage), Math.max(0, total - start)).toReversed();
    return { posts, total };
  }

  #between(after: string | undefined, before: string | undefined): readonly Shown[] {
    const last =
      before === undefined
        ? this.#posts.length - 1
        : this.#posts.findLastIndex((post) => String(post['date']) < before);
    const first = after === undefined ? 0 : this.#posts.findIndex((post) => String(post['date']) > after);
    return first === -1 ? [] : this.#posts.slice(first, last + 1);
  }
}

/** The posts of each author, or of each category. */
class DatedGroups {
  readonly #groups = new Map<number, Dated>();
  readonly #keysOf: (post: Shown) => readonly number[];

  /** @param posts newest first */
  constructor(posts: readonly Shown[], keysOf: (post: Shown) => readonly number[]) {
    this.#keysOf = keysOf;
    for (const post of posts.toReversed()) this.add(post);
  }

  add(post: Shown): void {
    for (const key of this.#keysOf(post)) {
      const group = this.#groups.get(key) ?? new Dated([]);
      group.add(post);
      this.#groups.set(key, group);
    }
  }

  get(key: number): Dated {
    return this.#groups.get(key) ?? new Dated([]);
  }
}

/**
 * The content as a careful author of a peer would store it: rendered representations in memory, sorted by date, with an
 * index per filter, which new posts are added to. Peers do not render or check permissions when they read; all of them render when they write.
 */
export class Content {
  readonly corpus: Corpus;
  readonly #all: Dated;
  readonly #byId: Map<number, Shown>;
  readonly #byCategory: DatedGroups;
  readonly #byAuthor: DatedGroups;
  readonly #slugs: Set<string>;
  #lastId: number;

  constructor(corpus: Corpus) {
    this.corpus = corpus;
    this.#all = new Dated(corpus.posts);
    this.#byId = new Map(corpus.posts.map((post) => [Number(post['id']), post]));
    this.#byCategory = new DatedGroups(corpus.posts, (post) => post['categories'] as readonly number[]);
    this.#byAuthor = new DatedGroups(corpus.posts, (post) => [Number(post['author'])]);
    this.#slugs = new Set(corpus.posts.map((post) => String(post['slug'])));
    this.#lastId = corpus.posts.length;
  }

  read(id: number): Shown | undefined {
    return this.#byId.get(id);
  }

  list(args: ListArgs): PageOfPosts {
    const [category] = args.categories ?? [];
    const [author] = args.author ?? [];
    const indexed =
      category !== undefined
        ? this.#byCategory.get(category)
        : author !== undefined
          ? this.#byAuthor.get(author)
          : this.#all;
    return indexed.list(args);
  }

  create({ title, content, excerpt, date, categories }: PostArgs): Shown {
    const { created } = this.corpus;
    const id = ++this.#lastId;
    const slug = this.#freeSlug(toSlug(title.raw));
    const guid = String((created['guid'] as Shown)['raw']).replace(/\d+$/, String(id));
    const home = guid.slice(0, guid.indexOf('?'));
    const post = {
      ...created,
      id,
      date,
      date_gmt: date,
      guid: { raw: guid, rendered: guid },
      modified: date,
      modified_gmt: date,
      slug,
      link: `${home}${slug}/`,
      title: { raw: title.raw, rendered: renderTitle(title.raw) },
      content: { raw: content.raw, rendered: renderContent(content.raw), block_version: 0, protected: false },
      excerpt: {
        raw: excerpt.raw,
        rendered: renderExcerpt({ excerpt: excerpt.raw, content: content.raw }),
        protected: false,
      },
      categories,
      class_list: [`post-${id}`, ...(created['class_list'] as readonly string[]).slice(1)],
      generated_slug: toSlug(title.raw),
      _links: this.#toLinks(id),
    };
    this.#byId.set(id, post);
    for (const index of [this.#all, this.#byCategory, this.#byAuthor]) index.add(post);
    return post;
  }

  #toLinks(id: number): Links {
    const { created } = this.corpus;
    const old = new RegExp(`(?<=posts/|post=|parent=)${String(created['id'])}\\b`);
    return Object.fromEntries(
      Object.entries(created['_links'] as Links).map(([relation, links]) => [
        relation,
        links.map((link) =>
          link.href === undefined ? link : { ...link, href: link.href.replace(old, String(id)) },
        ),
      ]),
    );
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

export const UNAUTHORIZED = {
  code: 'rest_cannot_create',
  message: 'Sorry, you are not allowed to create posts as this user.',
  data: { status: 401 },
} as const;
