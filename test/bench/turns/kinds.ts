import { ADMIN_TOKEN } from '../admin.ts';
import type { Asked } from '../asked.ts';
import { CATEGORIES, SITE_URL } from '../corpus.ts';
import { EDITED_POST, FREQUENT_WORD, RARE_WORD, TAGS } from './site.ts';

/** A kind of request, below the base of the site. `round` counts from 0. Each round requests something different, so that nothing from the previous round is cached. */
export interface Kind {
  readonly name: string;
  readonly toRequest: (round: number, posts: number) => Asked;
}

const POSTS = '/cms/v2/posts';
const EDITOR = { authorization: `Bearer ${ADMIN_TOKEN}` };
/** A filter that changes the total of the list. */
const another = (round: number): string => `before=2035-01-01T00:00:${String(round).padStart(2, '0')}`;
const list =
  (query: string) =>
  (round: number): Asked => ({ target: `${POSTS}?${query}&${another(round)}` });
const asEditor =
  (query: string) =>
  (round: number): Asked => ({ target: `${POSTS}?${query}&${another(round)}`, headers: EDITOR });
const ask =
  (target: string, options: Omit<Asked, 'target'> = {}) =>
  (): Asked => ({ target, ...options });
const edit = (target: string, body?: unknown) => (): Asked => ({
  target,
  method: 'POST',
  headers: EDITOR,
  body: body ?? {},
});
const numbers = (count: number, step: number, first = 1): string =>
  Array.from({ length: count }, (_each, index) => first + index * step).join(',');

const LISTS: Readonly<Record<string, Kind['toRequest']>> = {
  'newest ten': list('page=1'),
  'newest hundred': list('per_page=100'),
  'a deep page': (round, posts) => ({
    target: `${POSTS}?page=${Math.floor((posts * 0.9) / 10)}&${another(round)}`,
  }),
  'a deep offset': (round, posts) => ({
    target: `${POSTS}?offset=${Math.floor(posts * 0.9)}&${another(round)}`,
  }),
  'between two dates': (round) => ({
    target: `${POSTS}?after=2005-03-${String(1 + round).padStart(2, '0')}T00:00:00&before=2006-01-01T00:00:00&per_page=100`,
  }),
  'changed after a date': (round) => ({
    target: `${POSTS}?modified_after=2005-03-${String(1 + round).padStart(2, '0')}T00:00:00`,
  }),
  'by title': list('orderby=title&order=asc'),
  'by change': list('orderby=modified'),
  'by author': list('orderby=author'),
  'by slug, deep': list('orderby=slug&page=500'),
  'by id, deep': list('orderby=id&offset=9000'),
  'of an author': list('author=3'),
  'of authors': list('author=1,2,3,4,5&orderby=title'),
  'without authors': list('author_exclude=1,2,3,4,5,6,7,8,9'),
  'without a hundred': (round, posts) => ({
    target: `${POSTS}?exclude=${numbers(100, Math.max(1, Math.floor(posts / 100)), 1 + round)}&per_page=100`,
  }),
  'a hundred by id': (round, posts) => ({
    target: `${POSTS}?include=${numbers(100, Math.max(1, Math.floor(posts / 110)), 1 + round)}&per_page=100&orderby=include`,
  }),
  'a hundred by slug': (round, posts) => ({
    target: `${POSTS}?slug=${Array.from({ length: 100 }, (_each, index) => `note-${1 + round + index * Math.max(1, Math.floor(posts / 110))}`).join(',')}&per_page=100`,
  }),
  'of a category with children': list('categories[terms]=1,2&categories[include_children]=true'),
  'of no category': list(
    `categories_exclude[terms]=${numbers(CATEGORIES - 1, 1)}&categories_exclude[include_children]=true`,
  ),
  'with two tags': list(`tags[terms]=${CATEGORIES + 1},${CATEGORIES + 2}&tags[operator]=AND`),
  'with any of a hundred tags': list(`tags=${numbers(100, Math.floor(TAGS / 100), CATEGORIES + 1)}`),
  'without tags': list(`tags_exclude=${numbers(100, 1, CATEGORIES + 1)}`),
  'of a category or a tag': list(`categories=3&tags=${CATEGORIES + 1}&tax_relation=OR`),
  'of a category and without a tag': list(`categories=3&tags_exclude=${CATEGORIES + 1}`),
  'of a format': list('format=video,aside'),
  'any status, for an editor': asEditor('status=any&context=edit'),
  'drafts, for an editor': asEditor('status=draft,pending,private&context=edit&per_page=100'),
  'a hundred to edit': asEditor('context=edit&per_page=100'),
  'a hundred with all that is linked': list('per_page=100&_embed'),
  'titles of a hundred': list('per_page=100&_fields=id,title'),
};

const SEARCHES: Readonly<Record<string, Kind['toRequest']>> = {
  'a frequent word': list(`search=${FREQUENT_WORD}`),
  'a rare word': list(`search=${RARE_WORD}`),
  'a word of no post': list('search=unheardof'),
  'a letter': list('search=q'),
  'nine words': list('search=an+ber+cor+del+ent+fal+gor+hin+ist'),
  'without a word': list(`search=-${FREQUENT_WORD}+an`),
  'a phrase': list(`search="has+a+${RARE_WORD}"`),
  'in titles': list('search=anan&search_columns=post_title'),
  'in contents, by title': list('search=anan&search_columns=post_content&orderby=title&order=asc'),
  'by relevance': list('search=berber+anan&orderby=relevance'),
  'by relevance, deep': list(`search=${FREQUENT_WORD}&orderby=relevance&page=500`),
  exact: list('search=an+ber&search_semantics=exact'),
  'in a category': list('search=anan&categories=3'),
  'of an author': list('search=anan&author=3'),
  'for an editor, any status': asEditor(`search=${RARE_WORD}&status=any`),
  'a long text': list(`search=${'word+'.repeat(300)}`),
};

const REVISIONS = `${POSTS}/${EDITED_POST}/revisions`;
const asReader = (target: string) => ask(target, { headers: EDITOR });

const OTHERS: Readonly<Record<string, Kind['toRequest']>> = {
  'one post': (round) => ({ target: `${POSTS}/${101 + round}` }),
  'revisions, all': asReader(REVISIONS),
  'revisions, searched': asReader(`${REVISIONS}?search=${RARE_WORD}&per_page=100`),
  'revisions by relevance': asReader(`${REVISIONS}?search=anan+berber&orderby=relevance&per_page=100`),
  index: ask('/'),
  'index of cms/v2': ask('/cms/v2'),
  'options of a route': ask(POSTS, { method: 'OPTIONS' }),
  oembed: (round) => ({
    target: `/oembed/1.0/embed?url=${encodeURIComponent(`${SITE_URL}/en/note-${101 + round}/`)}`,
  }),
  'head of a post': (round) => ({
    target: `/seo/v1/get_head?url=${encodeURIComponent(`${SITE_URL}/en/note-${101 + round}/`)}`,
  }),
  'head of the home page': ask(`/seo/v1/get_head?url=${encodeURIComponent(`${SITE_URL}/en/`)}`),
  'head of a category': ask(`/seo/v1/get_head?url=${encodeURIComponent(`${SITE_URL}/en/category/pier-3/`)}`),
  'photo feed': (round) => ({ target: `/builder/photofeed/media?limit=${20 + round}` }),
  'photo feed, deep': (round) => ({ target: `/builder/photofeed/media?limit=50&page=${10 + round}` }),
  'photos of a post': ask('/builder/photofeed/701/children'),
  'seo: meta': asReader('/seo/v1/meta/search?post_id=5&query=f'),
  'seo: statistics': asReader('/seo/v1/statistics'),
  'seo: workouts': asReader('/seo/v1/workouts'),
  'seo: prepare': edit('/seo/v1/indexing/prepare'),
  'seo: posts': edit('/seo/v1/indexing/posts'),
  'seo: links': edit('/seo/v1/link-indexing/posts'),
  'seo: complete': edit('/seo/v1/indexing/indexables-complete'),
  jobs: asReader('/ml/tm/v1/jobs?limit=100'),
  'jobs by title': (round) => ({
    target: `/ml/tm/v1/jobs?limit=100&title=an${'abc'[round] ?? ''}&sorting%5Btitle%5D=asc`,
    headers: EDITOR,
  }),
  'jobs by deadline, deep': (round) => ({
    target: `/ml/tm/v1/jobs?limit=100&offset=${9000 + round}&sorting%5Bdeadline_date%5D=asc`,
    headers: EDITOR,
  }),
  'jobs that need an update': asReader('/ml/tm/v1/jobs?limit=100&needs_update=include&status=1'),
  'jobs: sync': edit('/ml/tm/v1/ate/jobs/sync'),
  'job as XLIFF': asReader('/ml/tm/v1/xliff/fetch/5'),
  'jobs: retry': edit('/ml/tm/v1/ate/jobs/retry'),
  'jobs: batches': asReader('/ml/tm/v1/tp/batches/status?batchId=1'),
};

const BLOCK =
  '<!-- cms:paragraph -->\n<p>The ferry leaves the old pier at seven and comes back with the evening tide.</p>\n<!-- /cms:paragraph -->\n\n';
const toText = (bytes: number): string => BLOCK.repeat(Math.ceil(bytes / BLOCK.length));
const BATCH = 25;

type Item = (
  index: number,
  round: number,
) => { readonly method: string; readonly path: string; readonly body?: unknown };

const batch =
  (toItem: Item) =>
  (round: number): Asked => ({
    target: '/batch/v1',
    method: 'POST',
    headers: EDITOR,
    body: { requests: Array.from({ length: BATCH }, (_each, index) => toItem(index, round)) },
  });

const WRITES: Readonly<Record<string, Kind['toRequest']>> = {
  create: (round) => ({
    target: POSTS,
    method: 'POST',
    headers: EDITOR,
    body: { title: `New ${round}`, content: toText(5000), status: 'publish' },
  }),
  update: (round) => ({
    target: `${POSTS}/${200 + round}`,
    method: 'POST',
    headers: EDITOR,
    body: { content: toText(5000 + round * 100) },
  }),
  'create, a large text': (round) => ({
    target: POSTS,
    method: 'POST',
    headers: EDITOR,
    body: { title: `Large ${round}`, content: toText(950_000), status: 'publish' },
  }),
  'create, a large text of nothing but markup': (round) => ({
    target: POSTS,
    method: 'POST',
    headers: EDITOR,
    body: { title: `Dense ${round}`, content: '<em>x</em> '.repeat(86_000), status: 'publish' },
  }),
  autosave: (round) => ({
    target: `${POSTS}/${210 + round}/autosaves`,
    method: 'POST',
    headers: EDITOR,
    body: { content: toText(5000) },
  }),
  delete: (round) => ({
    target: `${POSTS}/${EDITED_POST + round}?force=true`,
    method: 'DELETE',
    headers: EDITOR,
  }),
  'batch of creates': batch((index, round) => ({
    method: 'POST',
    path: POSTS,
    body: { title: `Batch ${round} ${index}`, content: toText(5000), status: 'publish' },
  })),
  'batch of large creates': batch((index, round) => ({
    method: 'POST',
    path: POSTS,
    body: { title: `Large ${round} ${index}`, content: toText(36_000), status: 'publish' },
  })),
  'batch of updates': batch((index, round) => ({
    method: 'POST',
    path: `${POSTS}/${300 + index + round * BATCH}`,
    body: { content: toText(5000) },
  })),
  'batch of deletes': batch((index, round) => ({
    method: 'DELETE',
    path: `${POSTS}/${500 + index + round * BATCH}?force=true`,
  })),
  'newest ten after a write': list('page=1'),
  'a frequent word after a write': list(`search=${FREQUENT_WORD}`),
  'rendered content': edit('/builder/rendered_content', { content: toText(50_000) }),
};

const toKinds = (about: string, kinds: Readonly<Record<string, Kind['toRequest']>>): readonly Kind[] =>
  Object.entries(kinds).map(([name, toRequest]) => ({ name: `${about}: ${name}`, toRequest }));

/** All kinds of requests that an anonymous caller or an editor can send, in the order in which they are sent. */
export const KINDS: readonly Kind[] = [
  ...toKinds('first request', { 'newest ten': list('') }),
  ...toKinds('list', LISTS),
  ...toKinds('search', SEARCHES),
  ...toKinds('other', OTHERS),
  ...toKinds('write', WRITES),
];
