import { isObject, own } from '../../../lib/core/objects.ts';
import { findZone } from '../../core/content/site-time.ts';
import { NEUTRAL_NAMES, WORDPRESS_NAMES } from '../../core/host/names.ts';
import {
  found,
  type ImportSource,
  leftOut,
  notRegistered,
  type ReadResult,
  toSourceName,
} from '../items/item.ts';
import { type ReadContext, toMadeDates } from '../items/read-context.ts';
import { type List, ListReader } from './read-list.ts';
import { RestClient, RestFault, type RestSource, textOf } from './rest-client.ts';
import {
  countOf,
  languageOf,
  readComment,
  readMedium,
  readPost,
  readTerm,
  readUser,
  type RestReading,
  type Shown,
  textsOf,
  titleOf,
  type ToItems,
} from './rest-records.ts';

/** The type of the items of menus. */
const MENU_ITEM = 'nav_menu_item';

/** An item of a menu. Sites show an item without a title with that of its target. */
const readMenuItem: ToItems = (reading, shown, place) => {
  const { context } = reading;
  const [id, menu, language] = [countOf(shown, 'id'), countOf(shown, 'menus'), languageOf(shown, reading)];
  const values = {
    ...toMadeDates(context),
    type: MENU_ITEM,
    status: textOf(shown, 'status') === 'draft' ? 'draft' : 'publish',
    language: context.languages.includes(language) ? language : context.language,
    title: titleOf(shown),
    content: textOf(shown, 'description'),
    excerpt: textOf(shown, 'attr_title'),
    parent: countOf(shown, 'parent'),
    menu_order: countOf(shown, 'menu_order'),
    terms: menu === 0 ? [] : [menu],
    meta: {
      _menu_item_type: textOf(shown, 'type'),
      _menu_item_object: textOf(shown, 'object'),
      _menu_item_object_id: countOf(shown, 'object_id'),
      _menu_item_target: textOf(shown, 'target'),
      _menu_item_classes: textsOf(shown, 'classes'),
      _menu_item_xfn: textsOf(shown, 'xfn').join(' '),
      _menu_item_url: textOf(shown, 'type') === 'custom' ? textOf(shown, 'url') : '',
    },
  };
  return [found({ place, collection: 'posts', id, values })];
};

/** Characters of a wrong name in the report. */
const SHOWN = 80;

/** What is known of the site, and what is to be reported of its time zone. */
interface Zoned {
  readonly context: ReadContext;
  readonly notes: readonly ReadResult[];
}

/** The time zone of the site that is read, which its dates are in. One that does not exist here is reported. */
function withZone(context: ReadContext, index: Shown): Zoned {
  const [name = '', offset = ''] = ['timezone_string', 'gmt_offset']
    .map((field) => own(index, field))
    .map((value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''));
  const named = name === '' ? null : findZone(name);
  const zone = named ?? (offset === '' ? null : findZone(offset)) ?? context.zone;
  const reason = `it is not known here; dates are read in the zone ${zone.name === '' ? 'UTC' : zone.name}`;
  return {
    context: { ...context, zone },
    notes:
      name === '' || named !== null
        ? []
        : [leftOut('the index', `the time zone ${name.slice(0, SHOWN)}`, reason)],
  };
}

/** A path below the index: plain names, so that it leads nowhere else. */
const PATH = /^[\w-]+(?:\/[\w-]+)*$/;
const COUNT = /^\d{1,9}$/;
const DIALECTS = [
  { namespace: 'wp/v2', names: WORDPRESS_NAMES },
  { namespace: 'cms/v2', names: NEUTRAL_NAMES },
] as const;
/** Types of WordPress that are parts of its editor and themes. */
const SILENT_TYPES = /^(?:wp_\w+|nav_menu_item)$/;
/** Together all comments: `all` has neither spam nor trash. */
const COMMENT_LISTS = ['&status=all', '&status=spam', '&status=trash'];
const SILENT_TAXONOMIES = /^(?:nav_menu|wp_\w+)$/;

/** A live site that can be read: its lists are known, and their totals. */
export interface OpenedRest extends ImportSource {
  /** Number of records that the lists say they have. */
  readonly total: number;
  /** Number of records that were read so far. */
  readonly done: () => number;
}

type Dialect = (typeof DIALECTS)[number];

/** Reads the lists of a site. */
class RestReader {
  readonly #client: RestClient;
  readonly #context: ReadContext;
  readonly #dialect: Dialect;
  readonly #notes: ReadResult[];
  readonly lists: ListReader;
  readonly #termFields = new Map<string, string>();
  /** The languages by which lists are asked for. undefined: a list has all. */
  readonly #languages: readonly (string | undefined)[];

  constructor(
    client: RestClient,
    { context, notes, isByLanguage }: Zoned & { readonly isByLanguage: boolean },
    dialect: Dialect,
  ) {
    const { language, languages } = context;
    this.#languages = isByLanguage ? [...new Set([language, ...languages])] : [undefined];
    this.#client = client;
    this.#context = context;
    this.#notes = [...notes];
    this.lists = new ListReader(client);
    this.#dialect = dialect;
  }

  /** The namespace of a type may have the neutral name where the routes have the wire name. */
  #toPath(name: string, shown: Shown): string | null {
    const namespace = String(own(shown, 'rest_namespace') ?? this.#dialect.namespace);
    const base = String(own(shown, 'rest_base') ?? own(shown, 'slug'));
    const wrong = [namespace, base].find((each) => !PATH.test(each));
    if (wrong !== undefined)
      this.#notes.push(
        leftOut(
          `/${name}`,
          `the records of ${name}`,
          `their path ${JSON.stringify(wrong.slice(0, SHOWN))} is not made of letters, digits, - and _`,
        ),
      );
    return wrong === undefined
      ? `/${DIALECTS.some((each) => each.namespace === namespace) ? this.#dialect.namespace : namespace}/${base}`
      : null;
  }

  #note(place: string, what: string, error: unknown): void {
    if (!(error instanceof RestFault)) throw error;
    this.#notes.push(leftOut(place, what, error.message));
  }

  /** Records that the site has no type or taxonomy for. */
  #noteUndeclared(kind: 'type' | 'taxonomy', { name, path, total }: List): void {
    const what = kind === 'type' ? `records of the type ${name}` : `terms of ${name}`;
    this.#notes.push({
      leftOut: {
        place: path,
        what: `${total ?? 'the'} ${what}`,
        reason: notRegistered(kind, name),
        undeclared: [{ kind, name, of: '' }],
      },
    });
  }

  /** The members of an object that lists types or taxonomies. */
  async #readKinds(name: string): Promise<readonly (readonly [string, Shown])[]> {
    try {
      const { body } = await this.#client.get(`/${this.#dialect.namespace}/${name}?${this.#client.view}`);
      return isObject(body)
        ? Object.entries(body).filter((entry): entry is [string, Shown] => isObject(entry[1]))
        : [];
    } catch (error) {
      this.#note(`/${name}`, `the list of ${name}`, error);
      return [];
    }
  }

  /** The list, or that of each language, with totals. A list that the site refuses, or that is empty, is left out. */
  async #survey(
    name: string,
    [path, query, read]: readonly [path: string, query: string, read: List['read']],
  ): Promise<readonly List[]> {
    const lists: List[] = [];
    const param = this.#dialect.names.params['ml_language'] ?? 'ml_language';
    for (const language of this.#languages) {
      const asked = language === undefined ? query : `${query}&lang=${language}&${param}=${language}`;
      for (const list of await this.#surveyOne(name, [path, asked, read])) lists.push({ ...list, language });
    }
    return lists;
  }

  async #surveyOne(
    name: string,
    [path, query, read]: readonly [path: string, query: string, read: List['read']],
  ): Promise<readonly List[]> {
    try {
      const { headers, body } = await this.#client.get(`${path}?per_page=1&${query}&${this.#client.view}`);
      if (!Array.isArray(body)) throw new RestFault('the answer is not a list');
      const given = headers[`${this.#dialect.names.headerPrefix.toLowerCase()}-total`] ?? '';
      const total = COUNT.test(given) && Number(given) >= body.length ? Number(given) : undefined;
      return total === 0 || (total === undefined && body.length === 0)
        ? []
        : [{ name, path, query, total, read }];
    } catch (error) {
      this.#note(path, name, error);
      return [];
    }
  }

  async #surveyTerms(): Promise<readonly List[]> {
    const lists: List[] = [];
    for (const [name, shown] of await this.#readKinds('taxonomies')) {
      const path = this.#toPath(name, shown);
      if (path === null) continue;
      const all = await this.#survey(name, [path, 'orderby=id&order=asc', readTerm(name)]);
      const [found] = all;
      this.#termFields.set(name, String(own(shown, 'rest_base') ?? name));
      if (found === undefined) continue;
      if (this.#context.content.taxonomies.has(name)) lists.push(...all);
      else if (!SILENT_TAXONOMIES.test(name)) this.#noteUndeclared('taxonomy', found);
    }
    return lists;
  }

  async #surveyTypes(): Promise<readonly List[]> {
    const lists: List[] = [];
    const status = this.#client.isAuthorised
      ? `status=${['publish,future,draft,pending,private,trash', ...this.#context.statuses.keys()].map(encodeURIComponent).join(',').replaceAll('%2C', ',')}`
      : 'status=publish';
    for (const [name, shown] of await this.#readKinds('types')) {
      const type = this.#context.content.types.get(name);
      if (type === undefined ? SILENT_TYPES.test(name) : type.storage === 'media') continue;
      const path = this.#toPath(name, shown);
      if (path === null) continue;
      const all = await this.#survey(name, [
        path,
        `orderby=id&order=asc&${status}`,
        type === undefined ? () => [] : name === MENU_ITEM ? readMenuItem : readPost(type),
      ]);
      const [found] = all;
      if (type !== undefined) lists.push(...all);
      else if (found !== undefined) this.#noteUndeclared('type', found);
    }
    return lists;
  }

  /** All lists, in the order in which they are read: what others refer to comes first. */
  async survey(): Promise<readonly List[]> {
    const root = `/${this.#dialect.namespace}`;
    const byId = 'orderby=id&order=asc';
    const comments: List[] = [];
    for (const status of this.#client.isAuthorised ? COMMENT_LISTS : [''])
      comments.push(
        ...(await this.#survey('comments', [`${root}/comments`, `${byId}${status}`, readComment])),
      );
    return [
      ...(await this.#surveyOne('users', [`${root}/users`, byId, readUser])),
      ...(await this.#surveyTerms()),
      ...(await this.#survey('media', [`${root}/media`, byId, readMedium])),
      ...(await this.#surveyTypes()),
      ...comments,
    ];
  }

  async *readAll(lists: readonly List[], index: Shown): AsyncGenerator<ReadResult> {
    for (const [field, id] of [
      ['name', -1],
      ['description', -2],
    ] as const) {
      const value = own(index, field);
      if (typeof value === 'string')
        yield found({
          place: 'the index',
          collection: 'options',
          id,
          values: { group: 'site', key: field, value },
        });
    }
    yield* this.#notes;
    const reading: RestReading = {
      context: this.#context,
      curie: this.#dialect.names.curie,
      termFields: this.#termFields,
      isTrusted: this.#client.isAuthorised,
      posts: new Map(),
    };
    for (const list of lists) yield* this.lists.readList(list, reading);
    yield* this.lists.listUnread(this.#context.languages);
  }
}

/**
 * Opens a live site through its REST interface: WordPress, or a site of this package. It is named by its address, as its exports are.
 * @throws TypeError if there is no such interface at the address; Error if the site cannot be reached or refuses the login; the reason of `signal`
 */
export async function openRest(source: RestSource, context: ReadContext): Promise<OpenedRest> {
  const client = new RestClient(source);
  // A wrong address fails at once.
  const fail =
    (what = '') =>
    (error: unknown): never => {
      throw error instanceof RestFault
        ? new TypeError(`${source.url}: ${what}${error.message}`, { cause: error })
        : error;
    };
  const { body } = await client.get('/', { retryMs: [] }).catch(fail());
  const namespaces = isObject(body) ? own(body, 'namespaces') : undefined;
  const dialect = DIALECTS.find(
    ({ namespace }) => Array.isArray(namespaces) && namespaces.includes(namespace),
  );
  if (!isObject(body) || dialect === undefined)
    throw new TypeError(
      `${source.url}: is not the index of a REST interface of WordPress. Give its address, such as https://old.example/wp-json`,
    );
  if (client.isAuthorised)
    await client.get(`/${dialect.namespace}/users/me?context=edit`).catch(fail('the login does not work: '));
  // WPML and sites of this package answer a list in one language.
  const isByLanguage = (namespaces as readonly unknown[]).some((each) => /^(?:wp)?ml\//.test(String(each)));
  const reader = new RestReader(client, { ...withZone(context, body), isByLanguage }, dialect);
  const lists = await reader.survey();
  const home = own(body, 'home');
  return {
    name: toSourceName(typeof home === 'string' && home !== '' ? home : source.url),
    found: reader.readAll(lists, body),
    total: lists.some(({ total }) => total === undefined)
      ? 0
      : lists.reduce((sum, { total = 0 }) => sum + total, 0),
    done: () => reader.lists.done,
  };
}
