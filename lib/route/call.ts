import type { RestError } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Names } from '../core/names.ts';
import { brand, kindOf } from '../core/objects.ts';
import type { RestRequest } from '../http/request.ts';
import type { RestResponse } from '../http/response.ts';
import type { UploadedFiles } from '../ports/uploads.ts';
import type { ArgSchemas } from '../schema/schema-dialect.ts';
import type { Durability } from '../store/store.ts';
import type { EndpointDescriptor, ResourceDescriptor, RouteDescriptor } from './descriptor.ts';

/** The verdict of a permission function that admits a call and gives its handler a record; see `subject`. */
export class Subject<T extends object = object> {
  /** What the handler gets as `call.subject`. */
  readonly record: T;

  constructor(record: T) {
    this.record = record;
  }
}

brand(Subject, 'Subject');

/** The record that a permission function admits with. */
type RecordOfVerdict<V> = V extends Subject<infer T> ? T : never;

/**
 * The record that the permission function of the call has checked, with the type that the function gives it.
 * `permission`: the function that the endpoint names. @throws TypeError if it admitted the call without a record
 * @example
 * const note = subjectFrom(call, mayEdit);
 */
export function subjectFrom<P extends (...args: never) => unknown>(
  { subject: record }: { readonly subject: unknown },
  permission: P,
): RecordOfVerdict<Awaited<ReturnType<P>>> {
  if (record === null)
    throw new TypeError(
      `subjectFrom: the permission of this call gave no record${permission.name === '' ? '' : `; ${permission.name} must be the one that the endpoint names`}`,
    );
  return record as RecordOfVerdict<Awaited<ReturnType<P>>>;
}

const isMistaken = (record: unknown): boolean =>
  typeof record !== 'object' ||
  record === null ||
  Array.isArray(record) ||
  record instanceof Error ||
  record instanceof Subject ||
  'then' in record;

/**
 * Admits a call and hands the record that was checked to its handler as `call.subject`. Permission functions return it; the bare record is refused,
 * because many objects mean no (`{ allowed: 0 }`, `{ rows: [] }`).
 * @throws TypeError for anything but a record: null, a list, a promise, an error
 */
export function subject<T extends object>(record: T): Subject<T> {
  if (isMistaken(record))
    throw new TypeError(
      `subject() was given ${kindOf(record)}; it takes the record that the permission function has checked`,
    );
  return new Subject(record);
}

/** Validated values by name: coerced, with defaults filled in, frozen. Permission functions and handlers see no other values. */
export type Args = Readonly<Record<string, unknown>>;

/** A request that matched an endpoint and has valid parameters. It is passed to the permission function and the handler. `H`: type of `host`. */
export interface Call<H = unknown> {
  /** The request as it came. */
  readonly request: RestRequest<H>;
  /** What the option `context` of the server returned for the request, or the option `host` of `createRequest`. undefined: neither was given. */
  readonly host: H;
  /** The caller. */
  readonly identity: Identity;
  /** Name of the namespace of the route. */
  readonly namespace: string;
  /** The route that matches. */
  readonly route: RouteDescriptor;
  /** The endpoint that is called. */
  readonly endpoint: EndpointDescriptor;
  /** The validated args. */
  readonly args: Args;
  /** Names of the args that the client sent, in the order sent. All other args have their defaults. */
  readonly given: ReadonlySet<string>;
  /** The query parameters as sent, coerced where they are declared. Page links are built from them. */
  readonly sentQuery: readonly (readonly [name: string, value: unknown])[];
  /** The value of `ml_language` if it was sent, else the language of the prefix. */
  readonly language: string;
  /** When commits of this call become durable. The commits of a batch are flushed together, before the batch is answered. */
  readonly durability: Durability;
  /** Loads a value once per request and shares it between permission functions and handlers. After a write, `Allow` loads it once more. `key` names the value. */
  once<T>(key: string, load: () => MaybePromise<T>): MaybePromise<T>;
  /** The record that the permission function checked and returned as `subject(record)`. null: it returned `true`. */
  readonly subject: unknown;
  /** All routes and names of the site. */
  readonly site: SiteView;
  /** The request body as sent, if `accepts` reads it as bytes. null: the request has no such body. */
  readonly bytes: Uint8Array | null;
  /** The request body while it arrives, if `accepts` reads it as a stream. It can be read once. null: the request has no such body. */
  readonly stream: AsyncIterable<Uint8Array> | null;
  /** The stored files of a multipart body. They are removed if the response is an error. */
  readonly files: UploadedFiles;
  /** Aborted when the client disconnects or the handler's time limit has passed; for a stream, when it ends before its last item. */
  readonly signal: AbortSignal;
  /** Aborted when the server begins to stop. The handler of a stream of events then has a second for its last event. */
  readonly draining: AbortSignal;
}

/** One route as discovery shows it, with wire names. */
export interface RouteView {
  /** Name of its namespace. */
  readonly namespace: string;
  /** Its pattern with wire names. */
  readonly pattern: string;
  /** Names of the groups of the pattern. */
  readonly groups: readonly string[];
  /** The route as data. */
  readonly descriptor: RouteDescriptor;
  /** Shown on each endpoint in addition to its own args. */
  readonly commonArgs: ArgSchemas;
  /** The resource that it returns; null: none is declared. */
  readonly resource: ResourceDescriptor | null;
}

/** Runs the rest of a call, or replaces it. */
export type Through = (run: () => MaybePromise<RestResponse>) => MaybePromise<RestResponse>;

/** A request that is matched and validated, and may be run later. `refusal`: why it cannot run. */
export interface PreparedCall {
  /** Why the call is not executed; null: it may be. */
  readonly refusal: RestError | null;
  /** The route that the request matches. null: none. */
  readonly route: RouteView | null;
  /** The capability that is the permission of the endpoint. null: it is public, or a function decides. */
  readonly capability: string | null;
  /** Whether the endpoint allows calls in a batch. */
  readonly batchable: boolean;
  /** `around` functions or terms run around the call, also if its response is cached. */
  readonly isWrapped: boolean;
  /** Collections that a cached response depends on. null: the response is not cached. */
  readonly cache: readonly string[] | null;
  /** Turns errors into responses and never rejects. A refused call returns its refusal as a response. `through` runs inside of `around`, and may return a cached response instead of running the rest of the call. */
  run(through?: Through): MaybePromise<RestResponse>;
}

/** What a call can ask of its engine. All of it comes from the route table that was current when the call began. */
export interface SiteView {
  /** Wire names of the site. */
  readonly names: Names;
  /** All routes, in the order of the index. */
  readonly routes: readonly RouteView[];
  /** Wire names of the namespaces, in order, including namespaces without routes. */
  readonly namespaces: readonly string[];
  /** Absolute API address of a neutral path below the base, such as `url('/cms/v2/posts/1')`. It has the language of the request and wire names. */
  url(path: string): string;
  /** The same for a path that already has wire names, such as the path of the request. */
  wireUrl(path: string): string;
  /** Address of the site that serves the pages, without a trailing slash: the option `frontEnd`, or the address of the request. */
  readonly pagesUrl: string;
  /** Address of the home page, without a trailing slash. Default: the language of the request. */
  home(language?: string): string;
  /** Translates a text of a descriptor into the language of the request. */
  translate(text: string): string;
  /** Whether the caller may call an endpoint of one of `routes`: as `Allow` says or, if its path names a record, on some record. */
  mayCall(route: RouteView, endpoint: EndpointDescriptor): MaybePromise<boolean>;
  /** Matches and validates another request with the identity of this call, such as a batch item. */
  prepare(request: RestRequest): PreparedCall;
  /** Makes durable what the prepared calls wrote. The engine does it when the handler ends; a handler that does it itself can tell what is not known. @throws RestError `rest_outcome_unknown` */
  flush(): Promise<void>;
}

/** @returns a value that is sent as JSON with the status of the endpoint, a `RestResponse`, an async iterable if the endpoint has `streams`, or a `Response` of the Fetch standard, which is sent unchanged. */
export type Handler<A = never, H = unknown> = (args: A, call: Call<H>) => unknown;

/** Continues a call: permission, handler, embeds, or its cached response. Called once. Rejects with whatever these throw. */
export type Next = () => Promise<RestResponse>;

/**
 * Runs around every call of an engine or a namespace. Returns the response of `next`, or another one, once `next` has resolved.
 * A call is refused by throwing or returning a RestError. Everything else is a bug: the caller gets a 500 and the error is logged.
 */
export type Around<H = unknown> = (
  call: Call<H>,
  next: Next,
) => RestResponse | RestError | PromiseLike<RestResponse | RestError>;

/**
 * The result of a permission function. `true` and `subject(record)` admit. `false`, `null` and `undefined` refuse with `rest_forbidden`.
 * A RestError refuses with that error.
 */
export type Verdict = boolean | Subject | RestError | null | undefined;

/**
 * Decides whether the caller may do this. Any result that is not a `Verdict` is a bug: the caller gets a 500 and the error is logged.
 * A RestError can also be thrown, but returning it is faster. That matters because nearly every anonymous read is refused something.
 */
export type Permission<H = unknown> = (args: Args, call: Call<H>) => Verdict | PromiseLike<Verdict>;
