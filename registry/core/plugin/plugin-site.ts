import { type ErrorBody, RestError } from '../../../lib/core/errors.ts';
import { ANONYMOUS, type Identity } from '../../../lib/core/identity.ts';
import { type Names, renameParam, renamePath } from '../../../lib/core/names.ts';
import { defined, isObject } from '../../../lib/core/objects.ts';
import type { LogEvent } from '../../../lib/dispatch/runtime.ts';
import { createRequest } from '../../../lib/http/create-request.ts';
import { toQuery } from '../../../lib/http/query-string.ts';
import type { RestRequest } from '../../../lib/http/request.ts';
import type { RestResponse } from '../../../lib/http/response.ts';
import type { Outbound } from '../../../lib/ports/outbound.ts';
import type { CollectionDescriptor } from '../../../lib/store/collection.ts';
import { type Store, StoreError } from '../../../lib/store/store.ts';
import type { Ports } from '../host/ports.ts';
import type { SiteSettings } from '../settings/site-settings.ts';

/** A store that has only some collections, all of which another store has. */
function createOwnStore(
  store: Store,
  collections: readonly string[],
): Pick<Store, 'find' | 'get' | 'versions' | 'commit' | 'revision'> {
  const check = (names: readonly string[]): void => {
    const foreign = names.find((name) => !collections.includes(name));
    if (foreign !== undefined)
      throw new StoreError(
        'invalid',
        `"${foreign}" is not a collection of the plugin; it has ${collections.length === 0 ? 'none' : collections.join(', ')}`,
      );
  };
  return {
    async find(query, waiter) {
      check([query.collection]);
      return store.find(query, waiter);
    },
    get(collection, id) {
      check([collection]);
      return store.get(collection, id);
    },
    versions(records) {
      check(records.map(([collection]) => collection));
      return store.versions(records);
    },
    async commit(operations, durability) {
      check(operations.map(({ collection }) => collection));
      return store.commit(operations, durability);
    },
    revision(names) {
      check(names);
      return store.revision(names);
    },
  };
}

/** Who asks, and where. */
export interface AskOptions {
  /** Default: everybody. */
  readonly as?: Identity;
  /** Address of the site, as links show it. Default: the option `frontEnd`, or `http://localhost`. */
  readonly siteUrl?: string;
  /** Language prefix. Default: the first one. */
  readonly language?: string;
}

/** Records of the core, by its routes: with their permissions, validation, visibility and revisions. Names of `args` and `values` are neutral. */
export interface SiteRecords {
  /** Records as a list shows them. `args`: as of the list, such as `{ per_page: 100, ml_language: 'fr' }`. @throws RestError */
  find(args?: Readonly<Record<string, unknown>>, options?: AskOptions): Promise<readonly ShownRecord[]>;
  /** One record; null: there is none that the caller may see. */
  load(id: number, options?: AskOptions): Promise<ShownRecord | null>;
  /** Address of the page of a record; null: as `load`. */
  address(id: number, options?: AskOptions): Promise<string | null>;
  /** Creates a record (`id` null), or changes one, which gets a revision if its kind has them. @throws RestError */
  save(
    id: number | null,
    values: Readonly<Record<string, unknown>>,
    options: AskOptions & { readonly as: Identity },
  ): Promise<ShownRecord>;
}

/** What a site gives to its plugins. */
export interface PluginSite {
  /** Posts. Other types: `records('pages')`. */
  readonly posts: SiteRecords;
  /** Categories. Other taxonomies: `records('tags')`. */
  readonly terms: SiteRecords;
  /** The users of the site. */
  readonly users: SiteRecords;
  /** The records of any type, taxonomy or kind, by the base of its routes. */
  records(base: string): SiteRecords;
  /** Settings of the site, such as title, languages, zone. */
  readonly settings: () => Promise<SiteSettings>;
  /** Answers a request to the site with the rights of an identity, which is anonymous by default. Not before the site is built. */
  dispatch(request: RestRequest, identity?: Identity): Promise<RestResponse>;
  /** The collections of the plugin. Others are refused with `invalid`. */
  readonly store: Pick<Store, 'find' | 'get' | 'versions' | 'commit' | 'revision'>;
  /** Requests to public addresses; undefined if the host does not allow any. */
  readonly outbound: Outbound | undefined;
  /** Receives what callers must not see. */
  readonly log: (event: LogEvent) => void;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  /** Random bytes. */
  readonly random: (count: number) => Uint8Array;
  /** The option of the site: address of its pages. */
  readonly frontEnd: string | undefined;
  /** Wire names, as in the paths of requests. */
  readonly names: Names;
  /** What the site was built with. Its store has all collections and asks for no permission: whatever comes from it, the plugin must check itself. */
  readonly ports: Ports;
}

interface RecordsParts extends Pick<PluginSite, 'names' | 'dispatch'> {
  readonly place: Pick<AskOptions, 'siteUrl' | 'language'>;
}

const FIRST_ERROR = 400;
const MISSING = new Set([401, 403, 404]);

/** The error of a response. The reasons of parameters say more than the list of their names. */
function toError(path: string, { status, headers }: RestResponse, body: ErrorBody): RestError {
  const { message, data, additional_data: additionalData } = body;
  const reason = isObject(data['params']) ? Object.values(data['params']).join(' ') : message;
  const { 'Retry-After': wait } = headers;
  return new RestError(body.code, [status, `${path}: ${reason}`], {
    data,
    additionalData,
    headers: defined({ 'Retry-After': wait }),
  });
}

function createRecords(base: string, { names, dispatch, place }: RecordsParts): SiteRecords {
  const path = renamePath(names, `/cms/v2/${base}`);
  const toWire = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [renameParam(names, name), value]));
  const ask = async (
    target: string,
    { as = ANONYMOUS, ...where }: AskOptions,
    sent: { readonly method?: string; readonly body?: unknown } = {},
  ): Promise<RestResponse> => dispatch(createRequest(target, { ...place, ...where, ...sent }), as);
  /** The body as JSON, whatever form the response has it in. */
  const toBody = (response: RestResponse): unknown => {
    const body: unknown = JSON.parse(JSON.stringify(response.body));
    if (response.status >= FIRST_ERROR) throw toError(path, response, body as ErrorBody);
    return body;
  };
  const load = async (id: number, options: AskOptions = {}): Promise<ShownRecord | null> => {
    const response = await ask(`${path}/${id}`, options);
    return MISSING.has(response.status) ? null : (toBody(response) as ShownRecord);
  };
  return {
    load,
    async find(args = {}, options = {}) {
      const query = toQuery(toWire(args));
      return toBody(
        await ask(`${path}${query === '' ? '' : `?${query}`}`, options),
      ) as readonly ShownRecord[];
    },
    async address(id, options) {
      const link = (await load(id, options))?.['link'];
      return typeof link === 'string' ? link : null;
    },
    save: async (id, values, options) =>
      toBody(
        await ask(id === null ? path : `${path}/${id}`, options, {
          method: 'POST',
          body: toWire(values),
        }),
      ) as ShownRecord,
  };
}

/** What a site gives to `bind`. */
export interface PluginHost {
  /** What the site was built with. */
  readonly ports: Ports;
  /** Answers requests to the site, once it is built. */
  readonly dispatch: PluginSite['dispatch'];
  /** Reads the settings of the site. */
  readonly settings: PluginSite['settings'];
  /** The option of the site. */
  readonly frontEnd?: string | undefined;
  /** Wire names, as in the paths of requests. */
  readonly names: Names;
}

/** Makes the site that one plugin gets. */
export function createPluginSite(
  { ports, dispatch, settings, frontEnd, names }: PluginHost,
  collections: readonly Pick<CollectionDescriptor, 'name'>[] = [],
): PluginSite {
  const { store, outbound, log, now, random } = ports;
  const [language = 'en'] = ports.config.prefixes;
  const place = { language, ...defined({ siteUrl: frontEnd }) };
  const records = (base: string): SiteRecords => createRecords(base, { names, dispatch, place });
  return {
    posts: records('posts'),
    terms: records('categories'),
    users: records('users'),
    records,
    settings,
    dispatch,
    store: createOwnStore(
      store,
      collections.map(({ name }) => name),
    ),
    outbound,
    log,
    now,
    random,
    frontEnd,
    names,
    ports,
  };
}

/** A record as `view` shows it, with the names of the site. */
export type ShownRecord = Readonly<Record<string, unknown>> & { readonly id: number };
