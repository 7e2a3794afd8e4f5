import { mayEditPost, maySeePost, mayWrite } from './entitled.ts';
import { POSTS, type CanaryPost, type Caller } from './fixture.ts';

/** Parameters of a list of posts, as the generator makes them. */
export interface ListQuery {
  readonly context?: string;
  readonly page?: number;
  readonly per_page?: number;
  readonly offset?: number;
  readonly search?: string;
  readonly search_columns?: readonly string[];
  readonly status?: readonly string[];
  readonly author?: readonly number[];
  readonly author_exclude?: readonly number[];
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slug?: readonly string[];
  readonly sticky?: boolean;
  readonly format?: readonly string[];
  readonly categories?: readonly number[];
  readonly tags_exclude?: readonly number[];
  readonly before?: string;
  readonly after?: string;
  readonly orderby?: string;
  readonly order?: string;
  readonly ignore_sticky?: boolean;
  readonly ml_language?: string;
  readonly password?: string;
}

const ANY = ['publish', 'future', 'draft', 'pending', 'private', 'inherit'];

const hasAny = (list: readonly number[], wanted: readonly number[]): boolean =>
  wanted.some((each) => list.includes(each));

function isFound(
  caller: Caller,
  post: CanaryPost,
  { search, search_columns: columns = [] }: ListQuery,
): boolean {
  if (search === undefined) return true;
  if (post.password !== '' && !mayEditPost(caller, post)) return false;
  const parts: readonly (readonly [string, string])[] = [
    ['post_title', post.title],
    ['post_excerpt', post.excerpt],
    ['post_content', post.content],
  ];
  const searched = parts
    .filter(([column]) => columns.length === 0 || columns.includes(column))
    .map(([, text]) => text.toLowerCase());
  return search
    .toLowerCase()
    .split(' ')
    .every((word) => searched.some((text) => text.includes(word)));
}

function fits(post: CanaryPost, query: ListQuery): boolean {
  const {
    include = [],
    exclude = [],
    author = [],
    author_exclude: notBy = [],
    slug = [],
    format = [],
    categories = [],
    tags_exclude: notTags = [],
  } = query;
  const isId = include.length > 0 ? include.includes(post.id) : !exclude.includes(post.id);
  const isAuthor =
    notBy.length > 0 ? !notBy.includes(post.author) : author.length === 0 || author.includes(post.author);
  return (
    isId &&
    isAuthor &&
    (slug.length === 0 || slug.includes(post.slug)) &&
    (format.length === 0 || format.includes(post.format)) &&
    (categories.length === 0 || hasAny(post.categories, categories)) &&
    !hasAny(post.tags, notTags) &&
    (query.sticky === undefined || query.sticky === post.sticky) &&
    (query.after === undefined || post.date > query.after) &&
    (query.before === undefined || post.date < query.before)
  );
}

/** The posts that a list must count for the caller; null when the list must reject the status filter or the context. */
export function listedPosts(caller: Caller, query: ListQuery, prefix: string): readonly CanaryPost[] | null {
  const { status = ['publish'], context, ml_language: language = prefix } = query;
  const wanted = new Set(status.flatMap((each) => (each === 'any' ? ANY : [each])));
  if (!mayWrite(caller) && (context === 'edit' || status.some((each) => each !== 'publish'))) return null;
  const isVisible = context === 'edit' ? mayEditPost : maySeePost;
  return POSTS.filter(
    (post) =>
      wanted.has(post.status) &&
      post.ml_language === language &&
      isVisible(caller, post) &&
      fits(post, query) &&
      isFound(caller, post, query),
  );
}
