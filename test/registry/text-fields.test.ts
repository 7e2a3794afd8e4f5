import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryStore } from '../../adapters/memory-store.ts';
import { showArchive, showFound, showNewest } from '../../adapters/pages/list-pages.ts';
import { isObject, own } from '../../lib/core/objects.ts';
import type { Json } from '../../lib/schema/schema-dialect.ts';
import { eq } from '../../lib/store/query.ts';
import type { Store } from '../../lib/store/store.ts';
import { TEXT_FIELDS, TEXT_KINDS, toStoredTexts } from '../../registry/core/content/sanitise/text-fields.ts';
import { parseXml } from '../../registry/core/content/xml.ts';
import { collectionsOf, createContentModel, type Fixture } from '../../registry/index.ts';
import { importItems } from '../../registry/transfer/import-items.ts';
import { WRITE_FORMATS, type WriteFormat } from '../../registry/transfer/index.ts';
import { openExport, readExportedSite } from '../../registry/transfer/items/export-items.ts';
import type { ReadResult } from '../../registry/transfer/items/item.ts';
import { countRuns, isAll } from '../support/long-mode.ts';
import { hostileMarkup } from '../support/markup-arbitraries.ts';
import { listElements, listFaultsAnywhere, listFaultsOfHead } from '../support/markup-judge.ts';
import {
  type Answer,
  createWholeSite,
  SITE_URL,
  type WholeSite,
  type WholeSiteOptions,
} from '../support/whole-site.ts';

// Every text of every response has a kind. The fields come from the OpenAPI document, so that a new text without a kind fails.
// Hostile texts are written over REST, and straight into the store as an older version or another program would leave them.
const MODEL = createContentModel('core');
const COLLECTIONS = collectionsOf(MODEL);

const HOSTILE = [
  '<script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;b onclick=x&amp;gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '&#x3c;svg/onload=alert(1)&#x3e',
  '"\'><img src=x onerror=alert(1)>',
  '\' onmouseover=alert(1) x="',
  '<a href="javascript:alert(1)">x</a>',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<![CDATA[<b>x</b>]]>',
  ']]><script>alert(1)</script>',
  '</title></script><script>alert(1)</script>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<<b>script>alert(1)</script>',
  '\u202E<b>\u2066x',
  '<svg><style><img src=x onerror=alert(1)>',
  'a < b & c > d &copy; &nope;',
  '<b',
  '&',
] as const;

type Kind = keyof typeof TEXT_KINDS | keyof typeof OTHER_KINDS;

const isText = (text: string): boolean => listElements(text).length === 0 && !/<[a-z!/?]/i.test(text);
const isSafe = (html: string): boolean => listFaultsAnywhere(html).length === 0;

/** Kinds of texts that people do not write, or that are not shown as HTML. */
const OTHER_KINDS = {
  /** What the program makes: names, dates, numbers, addresses. */
  word: (text: string) => !/[<>"]/.test(text) && !/^\s*(?:javascript|data|vbscript):/i.test(text),
  head: (html: string) => listFaultsOfHead(html).length === 0,
  /** What a person edits: as it is stored. Callers without `unfiltered_html` could not store anything else. */
  source: () => true,
  /** Plain text for programs, in which every character means itself: passwords, meta, XLIFF, members of a head that a client escapes itself. */
  exact: () => true,
} as const;

const SHOWN = {
  typed: isText,
  name: isText,
  address: (text: string) => text === '' || /^(?:https?:|\/|#|\?)/i.test(text),
  inline: isSafe,
  title: isSafe,
  content: isSafe,
  ...OTHER_KINDS,
} as const satisfies Readonly<Record<Kind, (text: string) => boolean>>;

/** The collection that a route or an embedded relation shows. */
const COLLECTION_OF: Readonly<Record<string, keyof typeof TEXT_FIELDS>> = {
  users: 'users',
  me: 'users',
  author: 'users',
  categories: 'terms',
  tags: 'terms',
  'cms:term': 'terms',
  posts: 'posts',
  pages: 'posts',
  revisions: 'posts',
  autosaves: 'posts',
  up: 'posts',
  media: 'media',
  sideload: 'media',
  edit: 'media',
  finalize: 'media',
  'cms:featuredmedia': 'media',
  comments: 'comments',
  replies: 'comments',
  children: 'comments',
  'in-reply-to': 'comments',
  'application-passwords': 'credentials',
  introspect: 'credentials',
};
const STORED_AS: Readonly<Record<string, string>> = { alt_text: 'alt' };

/** Members that mean the same in every response. */
const WORDS = new Set(
  `
  admin_url ateToken code created date date_format date_gmt deadline default_post_format edit_url email expires filename generated_slug gmt_offset guid home href icon id image_output_format key language last_ip last_picked_up_date last_used
  link locale lockKey mime_type mode modified modified_gmt namespace next next_url object_sub_type object_type permalink permalink_template progress public-key reason registered_at registered_date rest_base rest_namespace review_status
  self sent sent_date service show_on_front slug source_language sourceLang status subtype target_language targetLang taxonomy template time_format timezone timezone_string token translation_service translation_service_id translator_id ts_status type unit
  url username value version view_original_url view_url warning last_used_at completed source_url file author_ip author_email
  media_type post_type thumbnail_url media_url provider_url author_url relation namespaces headers translation_status status_label service_name nonce node platform site_url languages ignoreP ignoreC finished_at started_at header data fields columnNames
  finished_steps new_post_types new_taxonomies country_code seen_on names engine language_codes preview_link has_archive taxonomies types roles uuid app_id missing_image_sizes products refreshed field language_code warnings finishedSteps ml_language ml_fallback_of ml_fallbacks after
`
    .trim()
    .split(/\s+/),
);

/** Texts of other routes, by the last static part of the route and the place in the response. */
const OTHER: Readonly<Record<string, Kind>> = {
  'index name': 'name',
  'index description': 'name',
  'settings title': 'name',
  'settings description': 'name',
  'settings preview_url': 'address',
  'search title': 'title',
  'embed title': 'title',
  'embed author_name': 'name',
  'embed provider_name': 'name',
  'embed html': 'content',
  'proxy title': 'title',
  'proxy author_name': 'name',
  'proxy provider_name': 'name',
  'proxy html': 'content',
  'get_head html': 'head',
  'translations title': 'title',
  'translations job.translator_name': 'name',
  'jobs jobs.element.name': 'title',
  'jobs jobs.element.type.label': 'word',
  'jobs jobs.batch.name': 'typed',
  'jobs jobs.translator_name': 'name',
  'managers result.translation_managers.display_name': 'name',
  'managers result.translation_managers.first_name': 'name',
  'managers result.translation_managers.last_name': 'name',
  'workouts json.cornerstone.posts.title': 'title',
  'workouts json.orphaned.posts.title': 'title',
  'media json.data.caption': 'typed',
  'rendered_content content': 'content',
  'rendered_content headings.text': 'typed',
  ...Object.fromEntries(
    ['issues', 'issues.new', 'issues.ignored'].flatMap(
      (list) =>
        [
          [`issues ${list}.shortMsg`, 'typed'],
          [`issues ${list}.longMsg`, 'typed'],
        ] as const,
    ),
  ),
  'types name': 'name',
  'types description': 'name',
  'statuses name': 'name',
  'taxonomies name': 'name',
  'taxonomies description': 'name',
  'engines list.label': 'word',
  'statistics seo_scores.label': 'word',
  // Texts of a translation are sent to programs, which hand them back.
  'fetch content': 'exact',
  'validate message': 'word',
  'log message': 'typed',
  'dismiss-post-type message': 'word',
  'dismiss-taxonomy message': 'word',
  'workouts message': 'word',
  'store warnings.message': 'typed',
  'apply-translations errors.message': 'typed',
  'import_mo_strings scan_message': 'word',
  'jobs translated_xliff': 'exact',
  'download translations.source': 'exact',
  'download translations.target': 'exact',
  'glossary term': 'exact',
  'glossary targets': 'exact',
  'glossary note': 'exact',
  'glossary previous.term': 'exact',
  'glossary previous.targets': 'exact',
  'glossary previous.note': 'exact',
  'custom-xml-config ': 'exact',
  'console ': 'exact',
};

const staticParts = (path: string): readonly string[] =>
  path.split('/').filter((part) => part !== '' && !part.startsWith('{') && !/^v\d/.test(part));

function kindOf(route: string, place: readonly string[]): Kind | undefined {
  const leaf = place.at(-1) ?? '';
  if (
    place.includes('_links') ||
    place.includes('class_list') ||
    place.includes('avatar_urls') ||
    place.includes('author_avatar_urls')
  )
    return 'word';
  if (
    place.includes('meta') ||
    leaf === 'password' ||
    place.some((part) => part.endsWith('head_json')) ||
    (route === 'get_head' && place[0] === 'json')
  )
    return 'exact';
  const embedded = place.indexOf('_embedded');
  const [resource, path] =
    embedded === -1 ? [route, place] : [place[embedded + 1] ?? '', place.slice(embedded + 2)];
  const names = path.filter((part) => part !== 'previous' || route === 'glossary');
  const [first = ''] = names;
  const stored = own<Kind>(
    TEXT_FIELDS[own(COLLECTION_OF, resource) ?? 'credentials'],
    own(STORED_AS, first) ?? first,
  );
  if (stored !== undefined && own(COLLECTION_OF, resource) !== undefined && names[0] !== 'guid')
    return names[1] === 'raw' ? 'source' : stored;
  return (
    own(OTHER, `${resource} ${names.join('.')}`) ??
    (WORDS.has(leaf) ||
    place.some((part) => part === 'language_codes' || part === 'languages') ||
    WORDS.has(first)
      ? 'word'
      : undefined)
  );
}

type Schema = { readonly [member: string]: unknown };
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, Schema>> }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The places of the texts that a schema allows. */
function* listTexts(
  document: Document,
  schema: unknown,
  place: readonly string[] = [],
): Generator<readonly string[]> {
  if (!isObject(schema) || place.length > 8) return;
  const reference = schema['$ref'];
  if (typeof reference === 'string')
    yield* listTexts(document, document.components.schemas[reference.split('/').at(-1) ?? ''], place);
  const types = [schema['type']].flat();
  if (types.includes('string') && schema['enum'] === undefined) yield place;
  for (const [name, member] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {}))
    yield* listTexts(document, member, [...place, name]);
  for (const part of ['items', 'additionalProperties']) yield* listTexts(document, schema[part], place);
  for (const part of ['oneOf', 'anyOf', 'allOf'])
    for (const each of Array.isArray(schema[part]) ? schema[part] : [])
      yield* listTexts(document, each, place);
}

const nameOfRoute = (path: string): string => staticParts(path).at(-1) ?? 'index';

const described = suite('the kinds of the texts of all responses');
described('each text of the OpenAPI document has one', async () => {
  const { site } = await open();
  const document = JSON.parse(
    JSON.stringify(
      site.engine.describeOpenApi({ title: 'Site', version: '1', language: 'en', siteUrl: SITE_URL }),
    ),
  ) as Document;
  const missing = new Set<string>();
  let count = 0;
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const { responses = {} } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        if (!status.startsWith('2')) continue;
        const schema = (
          (response['content'] as Schema | undefined)?.['application/json'] as Schema | undefined
        )?.['schema'];
        for (const place of listTexts(document, schema)) {
          count += 1;
          if (kindOf(nameOfRoute(path), place) === undefined)
            missing.add(`${nameOfRoute(path)} ${place.join('.')}`);
        }
      }
    }
  }
  await site.close();
  assert.ok(count > 500, String(count));
  assert.equal([...missing], []);
});

const TEXT = 'Text';
const FIXTURE: Fixture = {
  site: { name: TEXT, description: TEXT, timezone_string: 'UTC' },
  users: [
    { id: 1, login: 'admin', name: 'Admin', slug: 'admin', role: 'administrator', email: 'admin@site.test' },
    { id: 2, login: 'author', name: TEXT, slug: 'author', role: 'author', email: 'author@site.test' },
    {
      id: 3,
      login: 'translator',
      name: TEXT,
      slug: 'translator',
      role: 'translator',
      email: 'translator@site.test',
      language_pairs: ['en:fr'],
    },
  ],
  categories: [{ id: 1, name: TEXT, slug: 'one', description: TEXT }],
  tags: [{ id: 2, name: TEXT, slug: 'two', description: TEXT }],
  media: [
    {
      id: 30,
      author: 2,
      slug: 'file',
      title: TEXT,
      file: '2024/01/a.jpg',
      mime_type: 'image/jpeg',
      width: 10,
      height: 10,
      alt: TEXT,
      caption: TEXT,
      description: TEXT,
      date: '2024-01-01T00:00:00',
    },
  ],
  posts: [
    {
      id: 10,
      author: 2,
      status: 'publish',
      slug: 'post',
      title: TEXT,
      content: TEXT,
      excerpt: TEXT,
      categories: [1],
      tags: [2],
      featured_media: 30,
      comment_status: 'open',
      date: '2024-01-01T00:00:00',
    },
  ],
  pages: [
    {
      id: 20,
      author: 2,
      status: 'publish',
      slug: 'page',
      title: TEXT,
      content: TEXT,
      excerpt: TEXT,
      date: '2024-01-01T00:00:00',
    },
  ],
  revisions: [
    { id: 12, parent: 10, author: 2, date: '2024-01-01T00:00:00', title: TEXT, content: TEXT, excerpt: TEXT },
  ],
  comments: [
    {
      id: 40,
      post: 10,
      author: 0,
      author_name: TEXT,
      author_email: 'v@site.test',
      author_url: '',
      author_user_agent: TEXT,
      content: TEXT,
      status: 'approved',
      date: '2024-01-01T00:00:00',
    },
  ],
} as unknown as Fixture;

async function open(
  options: Partial<WholeSiteOptions> = {},
): Promise<{ readonly site: WholeSite; readonly store: Store }> {
  const store = createMemoryStore(COLLECTIONS);
  const site = await createWholeSite({ fixture: FIXTURE, content: 'core', store, ...options });
  return { site, store };
}

/** Writes a text into every text field of every record, as no route would. Content and titles are as a caller without `unfiltered_html` has them. */
async function spoil(store: Store, text: string): Promise<void> {
  for (const [collection, fields] of Object.entries(TEXT_FIELDS)) {
    const freed = toStoredTexts(
      collection,
      Object.fromEntries(Object.keys(fields).map((field) => [field, text])),
    );
    const values = Object.fromEntries(
      Object.entries(fields).map(([field, kind]) => [
        field,
        'isFree' in TEXT_KINDS[kind as keyof typeof TEXT_KINDS] ? (freed[field] ?? '') : text,
      ]),
    );
    const spoilt = collection === 'posts' ? ['posts', 'revisions'] : [collection];
    for (const name of spoilt) {
      const { records } = await store.find({ collection: name });
      for (const { id } of records)
        await store.commit([
          {
            op: 'update',
            collection: name,
            id,
            values: collection === 'credentials' ? { name: text } : values,
          },
        ]);
    }
  }
  const { records } = await store.find({ collection: 'options' });
  for (const { id, group, key } of records)
    if (group === 'site' && (key === 'name' || key === 'description'))
      await store.commit([{ op: 'update', collection: 'options', id, values: { value: text } }]);
}

/** The texts of a body with their places. */
function* textsOf(
  body: unknown,
  place: readonly string[] = [],
): Generator<readonly [place: readonly string[], text: string]> {
  if (typeof body === 'string') yield [place, body];
  else if (Array.isArray(body)) for (const each of body) yield* textsOf(each, place);
  else if (isObject(body))
    for (const [name, member] of Object.entries(body)) yield* textsOf(member, [...place, name]);
}

/** Fails for a text that is not of its kind. @returns the kinds that were seen */
function check(target: string, { text: sent, body }: Answer, written: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const route = staticParts(target.replace(/\?.*/, '')).findLast((part) => !/^\d+$/.test(part)) ?? 'index';
  for (const [place, text] of textsOf(body)) {
    // Words of an enum have no kind.
    const kind = kindOf(route, place) ?? 'word';
    if (!SHOWN[kind](text))
      assert.unreachable(
        `${target}: ${place.join('.')} (${kind}) shows ${text} for ${written}\n${sent.slice(0, 300)}`,
      );
    if (text !== '') seen.add(`${route} ${kind}`);
  }
  return seen;
}

const URL_OF = encodeURIComponent(`${SITE_URL}/en/post/`);
const READS: readonly string[] = [
  ...[
    'users',
    'users/2',
    'users/me',
    'categories',
    'tags/2',
    'posts',
    'posts/10',
    'pages/20',
    'media',
    'media/30',
    'comments',
    'comments/40',
    'posts/10/revisions',
    'users/1/application-passwords',
  ].flatMap((path) =>
    [
      'context=view',
      'context=embed',
      'context=edit',
      'context=view&_embed',
      `_fields=${['id', 'name', 'title', 'description', 'author_name', 'alt_text', 'seo_head_json', '_links', '_embedded'].join(',')}&_embed`,
    ].map((query) => `/cms/v2/${path}?${query}`),
  ),
  '/?_fields=name,description',
  '/cms/v2/settings',
  '/cms/v2/search',
  '/cms/v2/search?type=term',
  '/cms/v2/types',
  '/cms/v2/taxonomies',
  '/cms/v2/statuses',
  `/oembed/1.0/embed?url=${URL_OF}`,
  `/oembed/1.0/proxy?url=${URL_OF}`,
  `/seo/v1/get_head?url=${URL_OF}`,
  `/seo/v1/get_head?url=${encodeURIComponent(`${SITE_URL}/en/author/author/`)}`,
  `/seo/v1/get_head?url=${encodeURIComponent(`${SITE_URL}/en/category/one/`)}`,
  '/seo/v1/workouts',
  '/seo/v1/statistics',
  '/ml/v1/translations',
  '/ml/tm/v1/jobs?scope=all',
  '/ml/tm/v1/ams/synchronize/managers',
  '/builder/photofeed/media',
];

const reads = suite('hostile texts in the store');
reads('are of their kind in each response', async () => {
  const { site, store } = await open();
  await site.ask({
    method: 'POST',
    target: '/cms/v2/users/1/application-passwords',
    as: 'admin',
    body: { name: TEXT },
  });
  const made = await site.ask({
    method: 'POST',
    target: '/ml/tm/v1/ate/jobs',
    as: 'admin',
    body: { jobs: [{ post_id: 10, target_language: 'fr' }] },
  });
  const [job] = Object.keys((made.body as { readonly jobs: object }).jobs);
  const assigned = await site.ask({
    method: 'POST',
    target: '/ml/tm/v1/jobs/assign',
    as: 'admin',
    body: { jobId: Number(job), translatorId: 3 },
  });
  assert.is(assigned.status, 200, `${made.text} ${assigned.text}`);
  const seen = new Set<string>();
  for (const text of HOSTILE.filter((_text, at) => isAll || at % 3 === 0)) {
    await spoil(store, text);
    for (const target of READS) {
      const answer = await site.ask({ target, as: 'admin' });
      assert.is(answer.status, 200, `${target}: ${answer.text}`);
      for (const kind of check(target, answer, text)) seen.add(kind);
    }
    const xml = await site.ask({ target: `/oembed/1.0/embed?url=${URL_OF}&format=xml` });
    parseXml(xml.text);
  }
  await site.close();
  for (const each of [
    'users name',
    'users inline',
    'categories name',
    'comments name',
    'comments inline',
    'media typed',
    'media content',
    'posts title',
    'posts content',
    'embed name',
    'get_head head',
    'index name',
    'settings name',
    'application-passwords typed',
    'jobs title',
    'jobs name',
    'translations title',
    'managers name',
    'search title',
    'revisions title',
  ])
    assert.ok(seen.has(each), `${each} was never seen`);
});

/** Fails for markup of a page that acts, in its head or below. */
function checkPage(html: string, written: string): void {
  const [head = '', body = ''] = html
    .replace(/^.*?<\/style>/, '')
    .replace('</head><body>', '\0')
    .split('\0');
  assert.equal(listFaultsOfHead(head), [], `${written}\n${head}`);
  // The one form is that of the header, and what was searched for stays the value of its field.
  const content = body.replace(
    /<form role="search" action="\/en\/">(?:<\/?(?:label|span|button)>|[\w ]|<input type="search" name="s" value="[^"<>]*" placeholder="Search" required>)*<\/form>/,
    '',
  );
  assert.equal(listFaultsAnywhere(content), [], `${written}\n${body}`);
}

reads('do not act on the pages of the server, and exports stay well-formed', async () => {
  const { site, store } = await open();
  const place = { language: 'en', siteUrl: SITE_URL, perPage: 10 };
  for (const text of HOSTILE.filter((_text, at) => isAll || at % 3 === 0)) {
    await spoil(store, text);
    checkPage((await showNewest(site.engine, { ...place, pathname: '/en/' })).text, text);
    checkPage((await showFound(site.engine, { ...place, pathname: '/en/' }, text)).text, text);
    for (const pathname of ['/en/author/author/', '/en/category/one/']) {
      const archive = await site.findArchive(pathname, SITE_URL);
      if (archive === null || archive === undefined) assert.unreachable(pathname);
      else checkPage((await showArchive(site.engine, { ...place, archive, pathname })).text, text);
    }
    const { write, first } = WRITE_FORMATS.get('wxr') as WriteFormat;
    let wxr = '';
    for await (const part of write(
      await openExport(store, { collections: COLLECTIONS, first }),
      await readExportedSite(store, { content: MODEL, url: `${SITE_URL}/` }),
    ))
      wxr += part;
    parseXml(wxr);
  }
  await site.close();
});
reads('are escaped in notices, which become mails', async () => {
  const names: string[] = [];
  const { site, store } = await open({
    notify: ({ to }) => {
      names.push(...to.map(({ name }) => name));
    },
  });
  const made = await site.ask({
    method: 'POST',
    target: '/ml/tm/v1/ate/jobs',
    as: 'admin',
    body: { jobs: [{ post_id: 10, target_language: 'fr' }] },
  });
  const [job] = Object.keys((made.body as { readonly jobs: object }).jobs);
  for (const [index, text] of HOSTILE.entries()) {
    await spoil(store, text);
    const { status } = await site.ask({
      method: 'POST',
      target: '/ml/tm/v1/jobs/assign',
      as: 'admin',
      body: { jobId: Number(job), translatorId: index % 2 === 0 ? 3 : 1 },
    });
    assert.is(status, 200);
  }
  await site.close();
  assert.is(names.length, HOSTILE.length);
  assert.equal(
    names.filter((name) => !isText(name)),
    [],
  );
});
described.run();
reads.run();

const writes = suite('hostile texts that callers send');
writes('are stored as WordPress stores them', async () => {
  const { site } = await open();
  const table: readonly (readonly [sent: string, name: string, typed: string, inline: string])[] = [
    ['<script>alert(1)</script>x', 'x', 'x', 'alert(1)x'],
    ['&lt;script&gt;x', '&lt;script&gt;x', '&lt;script>x', '&lt;script&gt;x'],
    ['&amp;lt;b', '&amp;lt;b', '&amp;lt;b', '&amp;lt;b'],
    [
      'Fish & Chips "now" <b>O\'Neil</b>',
      'Fish &amp; Chips "now" O\'Neil',
      'Fish & Chips "now" O\'Neil',
      'Fish & Chips "now" <b>O\'Neil</b>',
    ],
    ['a > b', 'a &gt; b', 'a > b', 'a > b'],
    ['<a href="javascript:x">y</a>', 'y', 'y', '<a>y</a>'],
    ['\u202Ex', '\u202Ex', '\u202Ex', '\u202Ex'],
  ];
  const send = async (
    target: string,
    body: Json,
    as = 'admin',
  ): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await site.ask({ method: 'POST', target, as, body });
    assert.ok(answer.status < 300, `${target}: ${answer.text}`);
    check(target, answer, JSON.stringify(body));
    return answer.body as Readonly<Record<string, unknown>>;
  };
  const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]): readonly unknown[] =>
    names.map((name) => from[name]);
  for (const [sent, name, typed, inline] of table) {
    const user = await send('/cms/v2/users/2', {
      name: sent,
      first_name: sent,
      last_name: sent,
      nickname: sent,
      description: sent,
    });
    assert.equal(pick(user, ['name', 'first_name', 'last_name', 'nickname', 'description']), [
      name,
      name,
      name,
      name,
      inline,
    ]);
    // What a client shows can be sent back.
    assert.equal(
      pick(
        await send('/cms/v2/users/2', {
          name: String(user['name']),
          description: String(user['description']),
        }),
        ['name', 'description'],
      ),
      [name, inline],
    );
    assert.equal(
      pick(await send('/cms/v2/categories/1', { name: sent, description: sent }), ['name', 'description']),
      [name, inline],
    );
    assert.equal(
      pick(await send('/cms/v2/comments/40', { author_name: sent, author_user_agent: sent }), [
        'author_name',
        'author_user_agent',
      ]),
      [name, typed],
    );
    assert.equal(pick(await send('/cms/v2/media/30', { alt_text: sent }), ['alt_text']), [typed]);
    assert.equal(pick(await send('/cms/v2/users/1/application-passwords', { name: sent }), ['name']), [
      typed,
    ]);
    const comment = await send('/cms/v2/comments', { post: 10, author: 2, content: `${sent} ${name}` });
    assert.is(comment['author_name'], name);
    await send('/cms/v2/posts', { title: sent, content: sent, excerpt: sent }, 'author');
  }
  await site.close();
});

writes('are stored in the same way by an import', async () => {
  const { store, site } = await open();
  const values = {
    login: 'new',
    slug: 'new',
    role: 'author',
    more_roles: [],
    email: '',
    email_key: '',
    name: '&lt;script&gt;x',
    first_name: '<script>1</script>A & B',
    description: '<script>2</script><em>k</em>',
    url: 'javascript:alert(1)',
  };
  const found = async function* (): AsyncGenerator<ReadResult> {
    yield { item: { place: 'line 1', collection: 'users', id: 9, values } };
  };
  await importItems({ name: 'test', found: found() }, { store, collections: COLLECTIONS, content: MODEL });
  const {
    records: [user],
  } = await store.find({ collection: 'users', where: eq('login', 'new') });
  assert.equal(
    [user?.['name'], user?.['first_name'], user?.['description'], user?.['url']],
    ['&lt;script&gt;x', 'A &amp; B', '2<em>k</em>', ''],
  );
  await site.close();
});
writes.run();

const kinds = suite('TEXT_KINDS');
kinds('references without a semicolon stay what was typed', () => {
  const { toStored } = TEXT_KINDS.typed;
  for (const [text, stored] of [
    ['A&B', 'A&B'],
    ['a&amp;lt b', 'a&amp;lt b'],
    ['<plaintext>x&#58y', 'x&amp;#58y'],
  ] as const) {
    assert.is(toStored(text), stored);
    assert.is(toStored(stored), stored);
  }
});

kinds('a stored text is stored and shown unchanged, and no text acts where it is shown', () => {
  const texts = fc.oneof(hostileMarkup, fc.constantFrom(...HOSTILE, 'a\0<b>\0', '\uD800<\uDFFFb>'));
  fc.assert(
    fc.property(texts, (text) => {
      for (const [name, { toStored, toShown }] of Object.entries(TEXT_KINDS)) {
        const stored = toStored(text);
        assert.is(toStored(stored), stored, name);
        assert.is(toShown(stored), stored, name);
        if (name !== 'title' && name !== 'content')
          assert.ok(SHOWN[name as Kind](toShown(text)), `${name}: ${toShown(text)}`);
      }
    }),
    { numRuns: countRuns(500, 50_000) },
  );
});
kinds.run();
