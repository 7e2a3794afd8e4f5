import * as assert from 'uvu/assert';

/** The kind of value that a client reads. `list`: an array. */
export type Kind = 'string' | 'number' | 'boolean' | 'object' | 'list';
/** What a client reads of a record: path of the member -> kind of value. */
type Reads = Readonly<Record<string, Kind>>;

/** A request of a client, and what the client reads of the response. */
export interface Sent {
  /** Method and path below the address of the API. */
  readonly send: string;
  /** Login, with the password of the recorded site. Default: anonymous. */
  readonly as?: string;
  readonly body?: object;
  /** Value of X-HTTP-Method-Override. */
  readonly override?: 'PUT' | 'DELETE';
  /** Default: 200. */
  readonly status?: number;
  /** Members of the record, or of each record of a list, which must not be empty. */
  readonly reads?: Reads;
  /** The records are the members of an object. */
  readonly byName?: true;
  /** The list has the headers of pages. */
  readonly paged?: true;
  /** The list is empty. */
  readonly empty?: true;
  /** Methods that `Allow` must name. */
  readonly allows?: readonly string[];
}

const RENDERED = { 'title.rendered': 'string', 'guid.rendered': 'string' } as const;
const DATES = { date: 'string', date_gmt: 'string', modified: 'string', modified_gmt: 'string' } as const;
const ID: Reads = { id: 'number', slug: 'string', link: 'string' };
const ITEM: Reads = {
  ...ID,
  ...DATES,
  ...RENDERED,
  status: 'string',
  type: 'string',
  'content.rendered': 'string',
  'content.protected': 'boolean',
  'excerpt.rendered': 'string',
  author: 'number',
  featured_media: 'number',
  comment_status: 'string',
  ping_status: 'string',
  template: 'string',
  meta: 'object',
};
const POST: Reads = { ...ITEM, sticky: 'boolean', format: 'string', categories: 'list', tags: 'list' };
const PAGE: Reads = { ...ITEM, parent: 'number', menu_order: 'number' };
const BOOK: Reads = {
  ...ID,
  ...DATES,
  'title.rendered': 'string',
  author: 'number',
  genres: 'list',
  'meta.isbn': 'string',
};
const TERM: Reads = {
  ...ID,
  count: 'number',
  description: 'string',
  name: 'string',
  taxonomy: 'string',
  meta: 'object',
};
const CATEGORY: Reads = { ...TERM, parent: 'number' };
const USER: Reads = {
  ...ID,
  name: 'string',
  url: 'string',
  description: 'string',
  'avatar_urls.24': 'string',
  'avatar_urls.96': 'string',
  meta: 'object',
};
const COMMENT: Reads = {
  id: 'number',
  post: 'number',
  parent: 'number',
  author: 'number',
  author_name: 'string',
  author_url: 'string',
  date: 'string',
  date_gmt: 'string',
  'content.rendered': 'string',
  link: 'string',
  status: 'string',
  type: 'string',
  'author_avatar_urls.48': 'string',
  meta: 'object',
};
const MEDIA: Reads = {
  ...ID,
  ...DATES,
  ...RENDERED,
  status: 'string',
  type: 'string',
  author: 'number',
  alt_text: 'string',
  'caption.rendered': 'string',
  'description.rendered': 'string',
  media_type: 'string',
  mime_type: 'string',
  media_details: 'object',
  source_url: 'string',
  comment_status: 'string',
  template: 'string',
  meta: 'object',
};
const TYPE: Reads = {
  name: 'string',
  slug: 'string',
  description: 'string',
  hierarchical: 'boolean',
  rest_base: 'string',
  rest_namespace: 'string',
  taxonomies: 'list',
};
const TAXONOMY: Reads = {
  name: 'string',
  slug: 'string',
  description: 'string',
  hierarchical: 'boolean',
  rest_base: 'string',
  rest_namespace: 'string',
  types: 'list',
};
const STATUS: Reads = { name: 'string', slug: 'string', public: 'boolean', queryable: 'boolean' };
const SITE: Reads = {
  name: 'string',
  description: 'string',
  url: 'string',
  home: 'string',
  gmt_offset: 'string',
  timezone_string: 'string',
};
const EMBEDDED: Reads = {
  '_embedded.author.0.avatar_urls.96': 'string',
  '_embedded.author.0.link': 'string',
  '_embedded.wp:term.0': 'list',
};
const WITH_EMBEDS: Reads = { ...POST, ...EMBEDDED };

const list = (base: string, reads: Reads, query = 'per_page=100&page=1'): Sent => ({
  send: `GET /wp/v2/${base}?${query}`,
  reads,
  paged: true,
});
const table = (base: string, reads: Reads, query = 'per_page=100&page=1'): Sent => ({
  send: `GET /wp/v2/${base}?${query}`,
  reads,
  byName: true,
});

const DEWP: readonly Sent[] = [
  list('posts', POST),
  list('pages', PAGE),
  list('tags', TERM),
  list('categories', CATEGORY),
  list('comments', COMMENT),
  list('users', USER),
  list('media', MEDIA),
  table('statuses', STATUS),
  table('taxonomies', TAXONOMY),
  table('types', TYPE),
  { send: 'GET /', reads: SITE },
];

const TEN = 'per_page=10&page=1';
const GATSBY: readonly Sent[] = [
  {
    send: 'GET ',
    reads: {
      name: 'string',
      description: 'string',
      url: 'string',
      home: 'string',
      routes: 'object',
      'routes./wp/v2/posts.namespace': 'string',
      'routes./wp/v2/posts._links.self': 'list',
    },
  },
  list('posts', POST, TEN),
  list('posts', POST, 'per_page=10&page=2'),
  list('posts', POST, 'per_page=10&page=3'),
  list('posts', POST, 'per_page=10&page=4'),
  list('pages', PAGE, TEN),
  list('books', BOOK, TEN),
  list('categories', CATEGORY, TEN),
  list('tags', TERM, TEN),
  list('genres', CATEGORY, TEN),
  table('types', TYPE, TEN),
  table('statuses', STATUS, TEN),
  table('taxonomies', TAXONOMY, TEN),
  list('users', USER, TEN),
  list('comments', COMMENT, TEN),
  list('media', MEDIA, TEN),
];

/** What it found embedded in one response, it does not request again. */
const FRONTITY: readonly Sent[] = [
  list('posts', WITH_EMBEDS, '_embed=true&page=1'),
  list('posts', WITH_EMBEDS, '_embed=true&page=2'),
  { send: 'GET /wp/v2/posts?_embed=true&slug=team', empty: true },
  list('pages', PAGE, '_embed=true&slug=team'),
  list('posts', WITH_EMBEDS, '_embed=true&categories=2&page=1'),
  list('categories', CATEGORY, 'slug=news-child'),
  list('posts', WITH_EMBEDS, '_embed=true&categories=3&page=1'),
  list('posts', WITH_EMBEDS, '_embed=true&page=1&tags=11'),
  list('posts', WITH_EMBEDS, '_embed=true&author=3&page=1'),
  list(
    'posts',
    WITH_EMBEDS,
    '_embed=true&after=2024-01-01T00:00:00.000Z&before=2024-02-01T00:00:00.000Z&page=1',
  ),
  list('books', BOOK, '_embed=true&page=1'),
  list('books', BOOK, '_embed=true&genres=92&page=1'),
  list('posts', WITH_EMBEDS, '_embed=true&page=1&search=long'),
  ...['posts', 'pages', 'media'].map((base): Sent => ({
    send: `GET /wp/v2/${base}?_embed=true&slug=no-such-page`,
    empty: true,
  })),
];

const FIELDS = '_fields=';
const POST_FIELDS =
  `${FIELDS}id,date,date_gmt,modified,modified_gmt,slug,status,link,guid,title,content,excerpt,author,featured_media,comment_status,ping_status,sticky,template,format,categories,tags,meta,author_meta,featured_img,featured_img_caption,_links,_embedded`.replaceAll(
    ',',
    '%2C',
  );
const TERM_FIELDS = `${FIELDS}id%2Ccount%2Cdescription%2Clink%2Cname%2Cslug%2Ctaxonomy`;
const USER_FIELDS = `${FIELDS}id%2Cname%2Curl%2Cdescription%2Clink%2Cslug%2Cavatar_urls`;
const { type: _type, 'content.protected': _protected, ...NEXT_POST } = POST;
const NEXT_TERM: Reads = {
  ...ID,
  count: 'number',
  description: 'string',
  name: 'string',
  taxonomy: 'string',
};
const { meta: _meta, ...NEXT_USER } = USER;
const CARD: Reads = {
  id: 'number',
  date: 'string',
  slug: 'string',
  'title.rendered': 'string',
  'excerpt.rendered': 'string',
  author: 'number',
  featured_media: 'number',
  _links: 'object',
  ...EMBEDDED,
  '_embedded.author.0.name': 'string',
};
const FEATURED: Reads = {
  '_embedded.wp:featuredmedia.0.source_url': 'string',
  '_embedded.wp:featuredmedia.0.media_details': 'object',
  '_embedded.wp:featuredmedia.0.caption.rendered': 'string',
  '_embedded.wp:featuredmedia.0.alt_text': 'string',
};
const one = (path: string, reads: Reads): Sent => ({ send: `GET /wp/v2/${path}`, reads });

/** The functions of its API module, in its order. */
const NEXT_WP: readonly Sent[] = [
  list(
    'posts',
    CARD,
    `${FIELDS}id%2Cdate%2Cslug%2Ctitle%2Cexcerpt%2Cauthor%2Cfeatured_media%2Ccategories%2Ctags%2C_links%2C_embedded&context=embed&_embed=true&per_page=9&page=2`,
  ),
  list('posts', NEXT_POST, `${POST_FIELDS}&per_page=100&page=1`),
  one(`posts/105?_embed=true&${POST_FIELDS}`, { ...NEXT_POST, ...EMBEDDED, ...FEATURED }),
  list('posts', { ...NEXT_POST, ...EMBEDDED }, `slug=revised&_embed=true&${POST_FIELDS}`),
  list('posts', CARD, 'categories=2&_embed=true'),
  list('posts', CARD, 'tags=11&_embed=true'),
  list('posts', CARD, 'author=3&_embed=true'),
  list('categories', NEXT_TERM, `hide_empty=true&${TERM_FIELDS}%2Cparent&per_page=100&page=1`),
  one(`categories/2?${TERM_FIELDS}`, NEXT_TERM),
  list('categories', NEXT_TERM, `slug=news&${TERM_FIELDS}`),
  list('tags', NEXT_TERM, `hide_empty=true&${TERM_FIELDS}&per_page=100&page=1`),
  one(`tags/11?${TERM_FIELDS}`, NEXT_TERM),
  list('tags', NEXT_TERM, `slug=red&${TERM_FIELDS}`),
  list('tags', NEXT_TERM, 'post=101'),
  list('pages', PAGE),
  one('pages/702', PAGE),
  list('pages', PAGE, 'slug=team'),
  list('users', NEXT_USER, `has_published_posts=true&${USER_FIELDS}&per_page=100&page=1`),
  one(`users/3?${USER_FIELDS}`, NEXT_USER),
  list('users', NEXT_USER, `slug=author&${USER_FIELDS}`),
  one('media/301', { ...MEDIA, 'media_details.width': 'number', 'media_details.height': 'number' }),
  list('posts', { slug: 'string' }, '_fields=slug&per_page=100&page=1'),
];

const EDIT_POST: Reads = {
  ...POST,
  'title.raw': 'string',
  'content.raw': 'string',
  'excerpt.raw': 'string',
  permalink_template: 'string',
  generated_slug: 'string',
  '_links.wp:action-publish': 'list',
};
const LOCALE = '_locale=user';
const asAdmin = (send: string, rest: Omit<Sent, 'send' | 'as'>): Sent => ({
  send: `${send}${send.includes('?') ? '&' : '?'}${LOCALE}`,
  as: 'admin',
  ...rest,
});
const edit = (path: string, reads: Reads, rest: Omit<Sent, 'send' | 'as'> = { paged: true }): Sent =>
  asAdmin(`GET /wp/v2/${path}`, { reads, ...rest });
const NAMED = { byName: true } as const;
const EDIT_TYPE: Reads = {
  ...TYPE,
  supports: 'object',
  labels: 'object',
  'labels.singular_name': 'string',
  viewable: 'boolean',
  'visibility.show_ui': 'boolean',
};
const BASE_FIELDS = [
  'description',
  'gmt_offset',
  'home',
  'image_max_bit_depth',
  'image_sizes',
  'image_size_threshold',
  'image_strip_meta',
  'name',
  'site_icon',
  'site_icon_url',
  'site_logo',
  'timezone_string',
  'url',
  'page_for_posts',
  'page_on_front',
  'show_on_front',
];
const EDITOR = ['GET', 'POST'];

const CORE_DATA: readonly Sent[] = [
  edit('users/me', { id: 'number', name: 'string', link: 'string' }, {}),
  asAdmin('OPTIONS /wp/v2/settings', { allows: EDITOR }),
  asAdmin(`GET /?_fields=${BASE_FIELDS.join('%2C')}`, {
    reads: { ...SITE, page_on_front: 'number', show_on_front: 'string' },
  }),
  edit(
    'settings',
    {
      title: 'string',
      url: 'string',
      page_on_front: 'number',
      posts_per_page: 'number',
      default_category: 'number',
    },
    {},
  ),
  edit('types?context=edit&per_page=100', EDIT_TYPE, NAMED),
  edit('types/post?context=edit', EDIT_TYPE, {}),
  edit(
    'taxonomies?context=edit&per_page=100',
    { ...TAXONOMY, capabilities: 'object', labels: 'object', 'visibility.show_ui': 'boolean' },
    NAMED,
  ),
  edit('statuses?context=edit', { ...STATUS, date_floating: 'boolean' }, NAMED),
  edit('types?context=view', TYPE, NAMED),
  edit('posts/144?context=edit', EDIT_POST, {}),
  edit('posts?context=edit&per_page=5&_embed=wp%3Afeaturedmedia', EDIT_POST),
  edit('pages?context=edit&per_page=100', { ...PAGE, 'title.raw': 'string' }),
  edit('books?context=edit&per_page=3', { ...BOOK, 'title.raw': 'string' }),
  edit('media?context=edit&per_page=3', { ...MEDIA, 'caption.raw': 'string' }),
  edit('media/301?context=edit', { ...MEDIA, 'media_details.width': 'number' }, {}),
  edit('media?context=edit&per_page=2', MEDIA),
  edit('taxonomies?context=view', TAXONOMY, NAMED),
  edit('categories?context=edit&per_page=100&_fields=id%2Cname%2Cparent', {
    id: 'number',
    name: 'string',
    parent: 'number',
  }),
  edit('tags?context=edit&search=red&per_page=20', TERM),
  edit('genres?context=edit', CATEGORY),
  edit('users?context=edit&per_page=100', { ...USER, username: 'string', email: 'string', roles: 'list' }),
  edit('users?context=edit&who=authors&per_page=50', USER),
  edit('comments?context=edit&per_page=2', { ...COMMENT, 'content.raw': 'string' }),
  edit(
    'posts/145/autosaves?context=edit',
    { id: 'number', parent: 'number', author: 'number', 'content.raw': 'string' },
    {},
  ),
  edit('posts/144/revisions?per_page=3&context=view', {
    id: 'number',
    parent: 'number',
    author: 'number',
    date: 'string',
  }),
  asAdmin('OPTIONS /wp/v2/pages', { allows: EDITOR }),
  asAdmin('OPTIONS /wp/v2/media', { allows: EDITOR }),
  asAdmin('POST /wp/v2/posts', {
    body: { title: 'Low tide', status: 'draft' },
    status: 201,
    reads: EDIT_POST,
  }),
  asAdmin('POST /wp/v2/posts/714', { body: { title: 'High tide' }, override: 'PUT', reads: EDIT_POST }),
  edit('posts/714?context=edit', EDIT_POST, {}),
  asAdmin('POST /wp/v2/books', { body: { title: 'Tides', meta: { isbn: '42' } }, status: 201, reads: BOOK }),
  asAdmin('POST /wp/v2/categories', { body: { name: 'Shore' }, status: 201, reads: CATEGORY }),
  asAdmin('POST /wp/v2/settings', { body: { title: 'Tidal Site' }, reads: { title: 'string' } }),
  asAdmin('POST /wp/v2/posts/714?force=true', {
    override: 'DELETE',
    reads: { deleted: 'boolean', 'previous.id': 'number' },
  }),
];

/** The requests that clients send to the recorded site, by client; those that write last. The tests with the packages hold these tables to what the packages send; next-wp is not published as a package. */
export const SEQUENCES: ReadonlyMap<string, readonly Sent[]> = new Map([
  ['dewp', DEWP],
  ['gatsby-source-wordpress', GATSBY],
  ['@frontity/wp-source', FRONTITY],
  ['next-wp', NEXT_WP],
  ['@wordpress/core-data', CORE_DATA],
]);

/** Holds the requests that a server got from a client to the sequence that is replayed without it. Clients send some at once, so that their order may differ. */
export function checkSequence(client: string, requests: readonly string[]): void {
  const expected = (SEQUENCES.get(client) ?? []).map(({ send }) => send.replace(' ', ' /en/wp-json'));
  assert.equal(requests.toSorted(), expected.toSorted(), client);
}
