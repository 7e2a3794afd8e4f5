import { RestError } from './client/rest-error.ts';
import {
  createSender,
  toAnswer,
  toError,
  toTyped,
  type ClientOptions,
  type ClientRequest,
  type Sender,
} from './client/send.ts';
import type { Answer, BatchItem, Client, ClientTools, Described } from './client/types.ts';

export { RestError } from './client/rest-error.ts';
export type { ClientOptions } from './client/send.ts';
export type {
  Answer,
  BatchItem,
  BatchResults,
  CallOptions,
  Client,
  Described,
  Method,
  UntypedClient,
} from './client/types.ts';

/** An endpoint, as much of it as finds its route by the id of its handler. */
interface Endpoint {
  readonly handler: string;
  readonly methods: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** What the index and the OpenAPI document say of a route. */
interface ListedEndpoint {
  readonly methods: readonly string[];
  readonly args: Values;
}

/** One item of the response to a batch. null: it was valid, and did not run because another one was not. */
type ItemResponse = { readonly body: unknown; readonly status: number; readonly headers: Values } | null;

/** The route of each handler id. */
function listHandlers({ routes }: Described): ReadonlyMap<string, string> {
  return new Map(
    routes.flatMap(({ pattern, endpoints }) =>
      (endpoints as readonly Endpoint[]).map(({ handler, methods }) => [handler, `${methods[0]} ${pattern}`]),
    ),
  );
}

/** The same of a site, whose OpenAPI document names them. */
async function readHandlers(send: Sender): Promise<ReadonlyMap<string, string>> {
  const { body } = await send({ route: 'GET /openapi.json', args: {}, options: {} });
  const { paths } = body as { readonly paths: Readonly<Record<string, Readonly<Record<string, Values>>>> };
  return new Map(
    Object.entries(paths)
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, { operationId }]): readonly [string, string] => [
          // An endpoint of several methods has one operation for each of them: `notes.update.put`.
          String(operationId).replace(new RegExp(`\\.${method}$`), ''),
          `${method.toUpperCase()} ${path}`,
        ]),
      )
      .toReversed(),
  );
}

/** The routes that the index of the site lists: `GET /notes/{id}` -> its parameters. */
async function readRoutes(send: Sender): Promise<Readonly<Record<string, Values>>> {
  const { body } = await send({ route: 'GET /', args: {}, options: {} });
  const { routes } = body as {
    readonly routes: Readonly<Record<string, { readonly endpoints: readonly ListedEndpoint[] }>>;
  };
  return Object.fromEntries(
    Object.entries(routes).flatMap(([pattern, { endpoints }]) =>
      endpoints.flatMap(({ methods, args }) =>
        methods.map((method) => [`${method} ${toTyped(pattern)}`, args]),
      ),
    ),
  );
}

async function sendBatch(
  send: Sender,
  items: readonly BatchItem<unknown>[],
  { validation, path = '/batch/v1', ...options }: Parameters<ClientTools['batch']>[1] = {},
): Promise<readonly unknown[]> {
  const requests = items.map(({ request }) => request);
  const { body } = await send({ route: `POST ${path}`, args: { requests, validation }, options });
  return (body as { readonly responses: readonly ItemResponse[] }).responses.map((response, at) => {
    if (response === null)
      return new RestError({ code: 'rest_not_run', message: 'Another item is not valid.', status: 0 });
    const headers = new Headers(response.headers as Record<string, string>);
    const { status } = response;
    return status < 400
      ? toAnswer({ status, headers, body: send.rename(response.body) })
      : toError({ status, headers, body: response.body }, requests[at]?.path ?? '');
  });
}

/** The pages of a list, one after the other. They follow `Link: rel="next"`. */
async function* readPages(send: Sender, request: ClientRequest): AsyncGenerator<Answer<number, unknown>> {
  let query: string | undefined;
  do {
    const answer = await send({ ...request, query });
    yield answer;
    const next = /<([^<>]{0,8192})>;\s?rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    query = next?.includes('?') === true ? next.slice(next.indexOf('?') + 1) : undefined;
  } while (query !== undefined);
}

async function* readItems(send: Sender, request: ClientRequest): AsyncGenerator {
  for await (const { body } of readPages(send, request)) yield* body as readonly unknown[];
}

/**
 * A client of a site or engine. `T`: the type of a descriptor (`typeof NOTES`), a union of them, or the `Routes` that
 * `routebook types` writes. Methods are found by route, `client['GET /notes/{id}']({ id: 1 })`, or by the id of the handler,
 * `client['notes.read']({ id: 1 })`. Responses of 400 and more are thrown as a `RestError`.
 * @example
 * const client = createClient<typeof NOTES>({ url: 'https://example.org/api' });
 * const { body, version } = await client['GET /notes/{id}']({ id: 1 });
 */
export function createClient<const T extends Described>(
  options: ClientOptions & { readonly descriptor: T },
): Client<T>;
/** A client of a running site, whose descriptor is read when it is first needed. */
export function createClient<T = unknown>(options: ClientOptions): Client<T>;
export function createClient(options: ClientOptions): object {
  const send = createSender(options);
  const listed = options.descriptor === undefined ? undefined : listHandlers(options.descriptor);
  let read: Promise<ReadonlyMap<string, string>> | undefined;
  async function toRoute(name: string): Promise<string> {
    if (name.includes(' ')) return name;
    const route = (listed ?? (await (read ??= readHandlers(send)))).get(name);
    if (route === undefined) throw new TypeError(`There is no handler "${name}".`);
    return route;
  }
  const methods = new Map<string, unknown>(
    Object.entries({
      call: (route: string, args: Values = {}, each = {}) => send({ route, args, options: each }),
      batch: (items: readonly BatchItem<unknown>[], each = {}) => sendBatch(send, items, each),
      routes: () => readRoutes(send),
    }),
  );
  function createMethod(name: string): unknown {
    const lazily = (readAll: typeof readPages | typeof readItems) =>
      async function* (args: Values = {}, each = {}) {
        yield* readAll(send, { route: await toRoute(name), args, options: each });
      };
    return Object.assign(
      async (args: Values = {}, each = {}) => send({ route: await toRoute(name), args, options: each }),
      {
        pages: lazily(readPages),
        all: lazily(readItems),
        item: (args: Values = {}, each = {}) => ({
          request: send.toItem({ route: listed?.get(name) ?? name, args, options: each }),
        }),
      },
    );
  }
  return new Proxy(
    {},
    {
      get(_target, name) {
        // A client may be returned by an async function, which looks for `then`.
        if (typeof name !== 'string' || name === 'then') return undefined;
        if (!methods.has(name)) methods.set(name, createMethod(name));
        return methods.get(name);
      },
    },
  );
}
