import { isObject, own } from '../../../lib/core/objects.ts';
import { toZone } from '../../content/site-time.ts';
import { NEUTRAL_NAMES, WORDPRESS_NAMES } from '../../names.ts';
import type { Found, Source } from '../item.ts';
import type { ReadContext } from '../read-context.ts';
import { RestClient, RestFault, type RestSource } from './rest-client.ts';
import { readComment, readMedium, readPost, readTerm, readUser, type RestReading, type Shown } from './rest-records.ts';

/** Records of one request. */
const PAGE = 100;
const DIALECTS = [{ namespace: 'wp/v2', names: WORDPRESS_NAMES }, { namespace: 'cms/v2', names: NEUTRAL_NAMES }] as const;
/** Types of WordPress that are parts of its editor and themes. */
const SILENT_TYPES = /^(?:attachment|wp_\w+|nav_menu_item)$/;
/** Together all comments: `all` has neither spam nor trash. */
const COMMENT_LISTS = ['&status=all', '&status=spam', '&status=trash'];
const SILENT_TAXONOMIES = /^(?:nav_menu|wp_\w+)$/;

/** A list of records of one kind. */
interface List {
  /** For places in the report: `posts`. */
  readonly name: string;
  readonly path: string;
  readonly query: string;
  readonly total: number;
  readonly read: (reading: RestReading, shown: Shown, place: string) => readonly Found[];
}

/** A live site that can be read: its lists are known, and their totals. */
export interface OpenedRest extends Source {
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
  readonly #notes: Found[] = [];
  readonly #termFields = new Map<string, string>();
  done = 0;

  constructor(client: RestClient, context: ReadContext, dialect: Dialect) {
    this.#client = client;
    this.#context = context;
    this.#dialect = dialect;
  }

  /** The namespace of a type may have the neutral name where the routes have the wire name. */
  #toPath(shown: Shown): string {
    const namespace = String(own(shown, 'rest_namespace') ?? this.#dialect.namespace);
    return `/${DIALECTS.some((each) => each.namespace === namespace) ? this.#dialect.namespace : namespace}/${String(own(shown, 'rest_base') ?? own(shown, 'slug'))}`;
  }

  get #view(): string {
    return this.#client.isAuthorised ? 'context=edit' : 'context=view';
  }

  #note(place: string, what: string, error: unknown): void {
    if (!(error instanceof RestFault)) throw error;
    this.#notes.push({ leftOut: { place, what, reason: error.message } });
  }

  /** The members of an object that lists types or taxonomies. */
  async #readKinds(name: string): Promise<readonly (readonly [string, Shown])[]> {
    try {
      const { body } = await this.#client.get(`/${this.#dialect.namespace}/${name}?${this.#view}`);
      return isObject(body) ? Object.entries(body).filter((entry): entry is [string, Shown] => isObject(entry[1])) : [];
    } catch (error) {
      this.#note(`/${name}`, `the list of ${name}`, error);
      return [];
    }
  }

  /** The list with its total. A list that the site refuses, or that is empty, is left out. */
  async #survey(name: string, [path, query, read]: readonly [path: string, query: string, read: List['read']]): Promise<readonly List[]> {
    try {
      const { headers } = await this.#client.get(`${path}?per_page=1&${query}&${this.#view}`);
      const total = Number(headers[`${this.#dialect.names.headerPrefix.toLowerCase()}-total`] ?? 0);
      return total > 0 ? [{ name, path, query, total, read }] : [];
    } catch (error) {
      this.#note(path, name, error);
      return [];
    }
  }

  async #surveyTerms(): Promise<readonly List[]> {
    const lists: List[] = [];
    for (const [name, shown] of await this.#readKinds('taxonomies')) {
      const [found] = await this.#survey(name, [this.#toPath(shown), 'orderby=id&order=asc', readTerm]);
      this.#termFields.set(name, String(own(shown, 'rest_base') ?? name));
      if (found === undefined) continue;
      if (this.#context.content.taxonomies.has(name)) lists.push(found);
      else if (!SILENT_TAXONOMIES.test(name)) this.#notes.push({ leftOut: { place: found.path, what: `${found.total} terms of ${name}`, reason: 'the taxonomy is not registered; declare it in "content"' } });
    }
    return lists;
  }

  async #surveyTypes(): Promise<readonly List[]> {
    const lists: List[] = [];
    const status = this.#client.isAuthorised ? 'status=publish,future,draft,pending,private,trash' : 'status=publish';
    for (const [name, shown] of await this.#readKinds('types')) {
      if (SILENT_TYPES.test(name)) continue;
      const type = this.#context.content.types.get(name);
      const [found] = await this.#survey(name, [this.#toPath(shown), `orderby=id&order=asc&${status}`, type === undefined ? () => [] : readPost(type)]);
      if (found !== undefined && type !== undefined) lists.push(found);
      else if (found !== undefined) this.#notes.push({ leftOut: { place: found.path, what: `${found.total} records of the type ${name}`, reason: 'the type is not registered; declare it in "content"' } });
    }
    return lists;
  }

  /** All lists, in the order in which they are read: what others refer to comes first. */
  async survey(): Promise<readonly List[]> {
    const root = `/${this.#dialect.namespace}`;
    const byId = 'orderby=id&order=asc';
    const comments: List[] = [];
    for (const status of this.#client.isAuthorised ? COMMENT_LISTS : ['']) comments.push(...await this.#survey('comments', [`${root}/comments`, `${byId}${status}`, readComment]));
    return [
      ...await this.#survey('users', [`${root}/users`, byId, readUser]), ...await this.#surveyTerms(), ...await this.#survey('media', [`${root}/media`, byId, readMedium]), ...await this.#surveyTypes(), ...comments,
    ];
  }

  /** Returns how many records the page has, and how many of them are reported because it cannot be read. */
  async* #readPage({ name, path, query, total, read }: List, page: number, reading: RestReading): AsyncGenerator<Found, { readonly sent: number; readonly lost: number }> {
    const place = `${path}, page ${page}`;
    try {
      const { body } = await this.#client.get(`${path}?per_page=${PAGE}&page=${page}&${query}&${this.#view}`);
      if (!Array.isArray(body)) throw new RestFault('the answer is not a list');
      for (const shown of body as readonly unknown[]) {
        if (isObject(shown) && Number.isSafeInteger(own(shown, 'id')) && Number(own(shown, 'id')) > 0) yield* read(reading, shown, `${name} ${Number(own(shown, 'id'))}`);
        else yield { leftOut: { place, what: name, reason: 'it is not a record with an id' } };
      }
      this.done += body.length;
      return { sent: body.length, lost: 0 };
    } catch (error) {
      if (!(error instanceof RestFault)) throw error;
      const lost = Math.min(PAGE, total - (page - 1) * PAGE);
      yield { leftOut: { place, what: `${lost} records of ${name}`, reason: `${error.message}. Run the import again to read them` } };
      return { sent: 0, lost };
    }
  }

  async* #readList(list: List, reading: RestReading): AsyncGenerator<Found> {
    let [sent, lost] = [0, 0];
    const pages = Math.ceil(list.total / PAGE);
    for (let page = 1; page <= pages; page += 1) {
      const read = yield* this.#readPage(list, page, reading);
      sent += read.sent;
      lost += read.lost;
    }
    const missing = list.total - sent - lost;
    const apart = lost === 0 ? '' : `, and ${lost} are on pages that could not be read`;
    if (missing > 0) yield { leftOut: { place: list.path, what: `${missing} records of ${list.name}`, reason: `the site counts ${list.total} and sent ${sent}${apart}; it may have changed meanwhile` } };
  }

  async* readAll(lists: readonly List[], index: Shown): AsyncGenerator<Found> {
    for (const [field, key, id] of [['name', 'name', -1], ['description', 'description', -2]] as const) {
      if (typeof index[field] === 'string') yield { item: { place: 'the index', collection: 'options', id, values: { group: 'site', key, value: index[field] } } };
    }
    yield* this.#notes;
    const reading: RestReading = { context: this.#context, curie: this.#dialect.names.curie, termFields: this.#termFields, posts: new Map() };
    for (const list of lists) yield* this.#readList(list, reading);
  }
}

/** The time zone of the site that is read, which its dates are in. */
function withZone(context: ReadContext, index: Shown): ReadContext {
  const name = own(index, 'timezone_string');
  return typeof name === 'string' && name !== '' ? { ...context, zone: toZone(name) } : context;
}

const toName = (address: string): string => address.replace(/^https?:\/\//i, '').replace(/\/+$/, '').toLowerCase();

/**
 * Opens a live site through its REST interface: WordPress, or a site of this package. It is named by its address, as its exports are.
 * @throws TypeError if there is no such interface at the address; Error if the site cannot be reached or refuses the login; the reason of `signal`
 */
export async function openRest(source: RestSource, context: ReadContext): Promise<OpenedRest> {
  const client = new RestClient(source);
  // A wrong address fails at once.
  const { body } = await client.get('/', { retryMs: [] }).catch((error: unknown) => {
    throw error instanceof RestFault ? new TypeError(`${source.url}: ${error.message}`, { cause: error }) : error;
  });
  const namespaces = isObject(body) ? own(body, 'namespaces') : undefined;
  const dialect = DIALECTS.find(({ namespace }) => Array.isArray(namespaces) && namespaces.includes(namespace));
  if (!isObject(body) || dialect === undefined) throw new TypeError(`${source.url}: is not the index of a REST interface of WordPress. Give its address, such as https://old.example/wp-json`);
  if (client.isAuthorised) {
    await client.get(`/${dialect.namespace}/users/me?context=edit`).catch((error: unknown) => {
      throw error instanceof RestFault ? new TypeError(`${source.url}: the login does not work: ${error.message}`, { cause: error }) : error;
    });
  }
  const reader = new RestReader(client, withZone(context, body), dialect);
  const lists = await reader.survey();
  const home = own(body, 'home');
  return { name: toName(typeof home === 'string' && home !== '' ? home : source.url), found: reader.readAll(lists, body), total: lists.reduce((sum, { total }) => sum + total, 0), done: () => reader.done };
}
