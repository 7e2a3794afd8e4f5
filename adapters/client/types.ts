import type { ServerEvent } from '../../lib/http/stream-body.ts';
import type { ValueOf } from '../../lib/route/args.ts';
import type { EndpointDescriptor, ResourceDescriptor, RouteDescriptor } from '../../lib/route/descriptor.ts';
import type { StandardSchema } from '../../lib/schema/from-standard.ts';
import type { RestError } from './rest-error.ts';

/** What a client reads of a descriptor. */
export interface Described {
  /** The routes, as in a descriptor of a namespace. */
  readonly routes: readonly RouteDescriptor[];
  /** The resources that the routes show. */
  readonly resources?: Readonly<Record<string, ResourceDescriptor>>;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, and the waiting before it is repeated. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as `If-Match`: a write is refused with 412 if the record has another version. */
  readonly version?: number | null | undefined;
  /** Sent as `Idempotency-Key`: repeated with the same key, the call is carried out once. */
  readonly key?: string | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Parameters of the query that the descriptor does not name, such as `_fields` and `_embed`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** The whole body, where it is not an object of parameters: a file, bytes, a text, or a list. */
  readonly body?: Blob | Uint8Array | string | readonly unknown[] | undefined;
  /** How often the call is repeated after a 503 with `Retry-After`. Default: that of the client. */
  readonly retries?: number | undefined;
}

/** A successful response. `S`: its status, `B`: its body. */
export interface Answer<S, B> {
  /** Status of the response. */
  readonly status: S;
  /** The parsed JSON; null if there is none. Streams of records and of events are an async iterable, other media types a Blob. */
  readonly body: B;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Version of the record that the response shows, for `version` of the next write; null: none. */
  readonly version: number | null;
  /** Number of all items of a list; null: the response does not say. */
  readonly total: number | null;
  /** Number of its pages; null: the response does not say. */
  readonly pages: number | null;
}

/** A call that a batch makes. `R`: its response. */
export interface BatchItem<R> {
  /** What to send. */
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Only a type. */
  readonly answer?: R;
}

/** The response or the error of each item of a batch, in order. */
export type BatchResults<I extends readonly BatchItem<unknown>[]> = {
  readonly [K in keyof I]: I[K] extends BatchItem<infer R> ? R | RestError : never;
};

/** One route of a client. `A`: its parameters, `R`: its responses. */
export interface Method<A, R> {
  /** @throws RestError for a status of 400 or more; the error of `fetch` if there is no response */
  (args: A, options?: CallOptions): Promise<R>;
}

/** A route that needs no parameter. */
interface FreeMethod<A, R> {
  /** @throws RestError for a status of 400 or more; the error of `fetch` if there is no response */
  (args?: A, options?: CallOptions): Promise<R>;
}

/** What the route of a list has as well. */
interface Lists<A, R> {
  /** The pages, from the one that is asked for to the last. */
  pages(args?: A, options?: CallOptions): AsyncGenerator<R, void>;
  /** The items of these pages. */
  all(args?: A, options?: CallOptions): AsyncGenerator<ItemOf<R>, void>;
}

/** An item of a list. */
type ItemOf<R> = R extends { readonly body: readonly (infer I)[] } ? I : never;

/** What a route with `allow_batch` has as well. */
interface Batches<A, R> {
  /** The call as an item of `batch`. */
  item(args: A, options?: Pick<CallOptions, 'version' | 'query' | 'body'>): BatchItem<R>;
}

/** Members of a client beside its routes. */
export interface ClientTools {
  /** Sends up to 25 writes in one request. One that fails does not stop the others, unless all must be valid. */
  batch<const I extends readonly BatchItem<unknown>[]>(
    items: I,
    options?: Omit<CallOptions, 'body' | 'version'> & {
      readonly validation?: 'normal' | 'require-all-validate';
      /** Path of the batch. Default `/batch/v1`. */
      readonly path?: string;
    },
  ): Promise<BatchResults<I>>;
  /** Reads the index: each route, such as `GET /notes/{id}`, with the schemas of its parameters. */
  routes(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>;
}

/** A client without types. */
export interface UntypedClient extends ClientTools {
  /** Calls a route, such as `GET /notes/{id}`. */
  call(
    route: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Answer<number, unknown>>;
}

// ---- parameters

/** The rest of a pattern after the expression of a group, whose parentheses may be nested. `D`: how deep. */
type AfterGroup<S, D extends readonly unknown[] = []> = S extends `${infer H})${infer T}`
  ? H extends `${string}(${string}`
    ? AfterGroup<T, [...D, 0]>
    : D extends [unknown, ...infer R]
      ? AfterGroup<T, R>
      : T
  : '';

/** A pattern with its groups as `{name}`. */
type Typed<P extends string> = P extends `${infer Before}(?P<${infer Name}>${infer After}`
  ? `${Before}{${Name}}${Typed<AfterGroup<After>>}`
  : P;

/** Names of the groups of a pattern. */
type Groups<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Groups<Rest> : never;

/** What may be sent for a schema: a text also where the record has a `raw` form of it. */
type InputOf<S> = S extends
  | { readonly type: 'object' | 'array' }
  | { readonly oneOf: unknown }
  | StandardSchema<unknown, unknown>
  ? PartsOf<S>
  : ValueOf<S>;

/** The parts of a request. */
type PartsOf<S> =
  S extends StandardSchema<infer I, unknown>
    ? I
    : S extends { readonly oneOf: readonly (infer O)[] }
      ? InputOf<O>
      : S extends { readonly items: infer I }
        ? readonly InputOf<I>[]
        : S extends { readonly properties: infer P }
          ? InputsOf<P, Needed<P>> | (P extends { readonly raw: unknown } ? string : never)
          : ValueOf<S>;

/** Names of the parameters that must be sent. */
type Needed<A> = { [K in keyof A]: A[K] extends { readonly required: true } ? K : never }[keyof A];

/** What may be sent for a table of schemas. `N`: what must be sent, groups of the path included. */
type InputsOf<A, N extends PropertyKey> = [N] extends [never]
  ? OptionalInputs<A, keyof A>
  : { readonly [K in N]: K extends keyof A ? InputOf<A[K]> : string | number } & OptionalInputs<
      A,
      Exclude<keyof A, N>
    >;

/** Inputs that may be left out. */
type OptionalInputs<A, K extends keyof A> = { readonly [M in K]?: InputOf<A[M]> | undefined };

/** The files of a multipart body. */
type FilesOf<E> = E extends {
  readonly accepts: { readonly 'multipart/form-data': { readonly files: infer F } };
}
  ? F
  : unknown;

/** Files of a multipart body. */
type Files<F, N> = { readonly [K in N & keyof F]: Blob | readonly Blob[] } & {
  readonly [K in Exclude<keyof F, N>]?: Blob | readonly Blob[] | undefined;
};

/** The schemas of an endpoint. A list that is the whole body is an option of the call. */
type SchemasOf<E> = E extends { readonly body: infer B; readonly args: infer A }
  ? E extends { readonly bodyForm: 'array' }
    ? A
    : A & B
  : E extends { readonly args: infer A }
    ? A
    : unknown;

// ---- responses

/** A record as a response shows it. Fields with contexts may be missing. */
type RecordOf<P> = {
  readonly [K in keyof P as P[K] extends { readonly context: unknown } ? never : K]: ValueOf<P[K]>;
} & {
  readonly [K in keyof P as P[K] extends { readonly context: unknown } ? K : never]?: ValueOf<P[K]>;
} & { readonly _links?: Readonly<Record<string, readonly { readonly href: string }[]>> };

/** The body of a response, by what it shows. */
type FormOf<F, R> = F extends 'record'
  ? R
  : F extends 'removal'
    ? { readonly deleted: true; readonly previous: R }
    : readonly R[];

/** The statuses of a response. */
type StatusOf<S> = S extends '2XX' ? number : S extends `${infer N extends number}` ? N : S;

/** The declared schemas of a resource. */
type ResourceOf<D, R> = R extends { readonly resource: infer Id }
  ? D extends { readonly resources: infer All }
    ? Id extends keyof All
      ? All[Id] extends { readonly properties: infer P }
        ? RecordOf<P>
        : never
      : never
    : never
  : unknown;

/** The body of a stream in each format. */
interface StreamBodies {
  /** Items, a line each. */
  readonly ndjson: AsyncIterable<unknown>;
  /** Events. */
  readonly sse: AsyncIterable<ServerEvent>;
  /** Parts of a body, as bytes. */
  readonly bytes: Blob;
}

/** The formats in which a response streams. */
type StreamsOf<E> = E extends {
  readonly streams: infer F extends keyof StreamBodies | readonly (keyof StreamBodies)[];
}
  ? Answer<
      number,
      StreamBodies[F extends readonly (infer G extends keyof StreamBodies)[] ? G : F & keyof StreamBodies]
    >
  : never;

/** One response of an endpoint. */
type AnswerOf<A, S> = S extends keyof A ? Answer<StatusOf<S>, ValueOf<A[S]>> : never;

/** The responses of an endpoint, by status. */
type AnswersOf<E, D, R> =
  | StreamsOf<E>
  | (E extends { readonly answers: infer A }
      ? AnswerOf<A, keyof A>
      : E extends { readonly shows: readonly (infer F)[] }
        ? Answer<E extends { readonly status: infer S } ? S : number, FormOf<F, ResourceOf<D, R>>>
        : E extends { readonly streams: unknown }
          ? never
          : Answer<E extends { readonly status: infer S } ? S : number, unknown>);

// ---- routes

/** One endpoint of a descriptor with its route. */
type Places<D extends Described> = D extends Described
  ? D['routes'][number] extends infer R
    ? R extends RouteDescriptor
      ? R['endpoints'][number] extends infer E
        ? E extends EndpointDescriptor
          ? {
              readonly d: D;
              readonly r: R;
              readonly e: E;
              readonly k: `${E['methods'][number]} ${Typed<R['pattern']>}` | E['handler'];
            }
          : never
        : never
      : never
    : never
  : never;

/** Where an endpoint stands in a descriptor. */
interface Place {
  /** The descriptor. */
  readonly d: unknown;
  /** The route. */
  readonly r: RouteDescriptor;
  /** The endpoint. */
  readonly e: EndpointDescriptor;
  /** Names of the method: its routes, and the id of the handler. A member, because the compiler computes a member of a union once. */
  readonly k: string;
}

/** A route with its parameters `A`, of which `N` must be sent, and its responses `R`. */
type MethodOf<A, N, R> = [N] extends [never]
  ? FreeMethod<[keyof A] extends [never] ? Readonly<Record<string, never>> : A, R>
  : Method<A, R>;

/** The lists of a resource. */
type ListsOf<A, R> = R extends { readonly body: readonly unknown[] } ? Lists<A, R> : unknown;

/** The method of a route at a place. */
type MethodAt<X extends Place, A, N extends PropertyKey, F, R> = MethodOf<
  unknown extends F ? InputsOf<A, N> : InputsOf<A, N> & Files<F, Needed<F>>,
  N | (unknown extends F ? never : Needed<F>),
  R
> &
  ListsOf<InputsOf<A, N>, R> &
  (X['e'] extends { readonly allow_batch: { readonly v1: true } } ? Batches<InputsOf<A, N>, R> : unknown);

/** Endpoints by their place in a descriptor. */
type ByPlace<X extends Place> = {
  readonly [Y in X as Y['k']]: MethodAt<
    Y,
    SchemasOf<Y['e']>,
    Groups<Typed<Y['r']['pattern']>> | Needed<SchemasOf<Y['e']>>,
    FilesOf<Y['e']>,
    AnswersOf<Y['e'], Y['d'], Y['r']>
  >;
};

/** A route as `routebook types` writes it. */
interface WrittenRoute {
  /** Values of the path. */
  readonly path: object;
  /** Parameters of the query. */
  readonly query: object;
  /** Members of the body. */
  readonly body?: unknown;
  /** Responses by status. */
  readonly answers: object;
}

/** Requests as `routebook types --client` writes them. */
type WrittenInputs<R extends WrittenRoute> = R['path'] &
  R['query'] &
  (NonNullable<R['body']> extends infer B extends object ? B : unknown);

/** Responses as `routebook types --client` writes them. */
type WrittenAnswers<A> = { [S in keyof A]: Answer<StatusOf<S>, A[S]> }[keyof A];

/** Endpoints by method and route. */
type ByRoute<T> = {
  readonly [K in keyof T]: T[K] extends WrittenRoute
    ? MethodOf<
        WrittenInputs<T[K]>,
        Partial<WrittenInputs<T[K]>> extends WrittenInputs<T[K]> ? never : 'some',
        WrittenAnswers<T[K]['answers']>
      > &
        ListsOf<WrittenInputs<T[K]>, WrittenAnswers<T[K]['answers']>>
    : never;
};

/** The methods of a client. `T`: a descriptor, a union of descriptors, or the `Routes` that `routebook types` writes. */
export type Client<T> = unknown extends T
  ? UntypedClient
  : ([T] extends [Described] ? ByPlace<Places<T>> : ByRoute<T>) & ClientTools;
