import type { MaybePromise } from '../core/maybe-promise.ts';
import type { EndpointDescriptor, ResourceDescriptor, RouteDescriptor } from './descriptor.ts';
import type { RestError } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import type { Names } from '../core/names.ts';
import type { RestRequest } from '../http/request.ts';
import type { RestResponse } from '../http/response.ts';
import type { ArgSchemas } from '../schema/schema-dialect.ts';
import type { Durability } from '../store/store.ts';

/** Validated values by name: coerced, complete with defaults, frozen. The only values that permission and handler see. */
export type Args = Readonly<Record<string, unknown>>;

/** A request that found its endpoint and whose parameters are valid. Passed to the permission function and the handler. */
export interface Call {
  readonly request: RestRequest;
  readonly identity: Identity;
  readonly namespace: string;
  readonly route: RouteDescriptor;
  readonly endpoint: EndpointDescriptor;
  readonly args: Args;
  /** Names of the args that the client sent, in the order sent; the others are defaults. */
  readonly given: ReadonlySet<string>;
  /** The query parameters as sent, coerced where declared: what page links are made of. */
  readonly sentQuery: readonly (readonly [name: string, value: unknown])[];
  /** `ml_language` when given, else the language of the prefix. */
  readonly language: string;
  /** How its commits are made: those of a batch wait for the disk together, before the batch is answered. */
  readonly durability: Durability;
  /** Loads once per request, however many permission functions and handlers ask; for `Allow` after a write, once again. `key` names what is loaded. */
  once<T>(key: string, load: () => MaybePromise<T>): MaybePromise<T>;
  /** The plain object that the permission function returned, so that the handler acts on the very record that was checked; null: it returned `true`. */
  readonly subject: unknown;
  readonly site: SiteView;
  /** Aborted when the client has gone or the time for the handler is over. */
  readonly signal: AbortSignal;
}

/** One route as discovery shows it. Names are those of the wire. */
export interface RouteView {
  readonly namespace: string;
  readonly pattern: string;
  /** Names of the groups of the pattern. */
  readonly groups: readonly string[];
  readonly descriptor: RouteDescriptor;
  /** Shown on each endpoint beside its own args. */
  readonly commonArgs: ArgSchemas;
  readonly resource: ResourceDescriptor | null;
}

/** A request that was matched and validated once, to be run later or not at all. `refusal`: why it can not run. */
export interface PreparedCall {
  readonly refusal: RestError | null;
  readonly batchable: boolean;
  /** Collections that the endpoint names for its answers to be kept; null: they are not. */
  readonly cache: readonly string[] | null;
  /** Answers errors as responses; never rejects. A refused call answers its refusal. */
  run(): MaybePromise<RestResponse>;
}

/** What a call can ask of the engine that runs it. Everything is of the one route table that the call began with. */
export interface SiteView {
  readonly names: Names;
  readonly routes: readonly RouteView[];
  /** Namespaces in wire words, in order, also those without routes. */
  readonly namespaces: readonly string[];
  /** Absolute API address of a neutral path below the base: `url('/cms/v2/posts/1')`, in the language and the words of the request. */
  url(path: string): string;
  /** The same of a path that is in wire words already, such as that of the request. */
  wireUrl(path: string): string;
  /** Address of the home page without a trailing slash. Default: the language of the request. */
  home(language?: string): string;
  /** A text of a descriptor in the language of the request. */
  translate(text: string): string;
  /** Matches and validates another request with the identity of this call (batch items). */
  prepare(request: RestRequest): PreparedCall;
}

/** @returns a value that is answered as JSON with the status of the endpoint, a `RestResponse`, or a `Response` of the Fetch standard, which is sent as it is. */
export type Handler<A = never> = (args: A, call: Call) => unknown;

/** A plain object. Lists, functions, errors, promises and most instances have one of the members that it cannot have. */
export type Subject = object & {
  readonly [Symbol.iterator]?: never;
  readonly stack?: never;
  readonly bind?: never;
  readonly then?: never;
  readonly toJSON?: never;
};

/**
 * What a permission function says. `true` admits; a plain object admits and is the subject of the call. `false`, `null` and
 * `undefined` refuse with `rest_forbidden`, a RestError as it says.
 */
export type Verdict = boolean | Subject | RestError | null | undefined;

/**
 * Decides whether the caller may. Anything but a `Verdict` is a mistake: the caller gets a 500, the log is told.
 * A RestError can be thrown as well, but returning it is faster, and anonymous callers are refused something with nearly every read.
 */
export type Permission = (args: Args, call: Call) => Verdict | PromiseLike<Verdict>;
