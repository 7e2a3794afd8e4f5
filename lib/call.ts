import type { EndpointDescriptor, RouteDescriptor } from './descriptor.ts';
import type { Identity } from './identity.ts';
import type { Names } from './names.ts';
import type { RestRequest } from './request.ts';
import type { RestResponse } from './response.ts';

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
  /** `ml_language` when given, else the language of the prefix. */
  readonly language: string;
  /** What the permission function returned, so that the handler acts on the very record that was checked. */
  readonly subject: unknown;
  readonly site: SiteView;
  /** Aborted when the client has gone or the time for the handler is over. */
  readonly signal: AbortSignal;
}

/** What a call can ask of the engine that runs it. */
export interface SiteView {
  readonly names: Names;
  /** Absolute API address of a path below the base, in the language of the request: `url('/cms/v2/posts/1')`. Neutral path in, wire path out. */
  url(path: string): string;
  /** Address of the home page, without a trailing slash. Default: the language of the request. */
  home(language?: string): string;
  /** Runs another request with the identity of this call (batch items, embeds). */
  dispatch(request: RestRequest): Promise<RestResponse>;
}

/** @returns the value of a 200 answer, or a `RestResponse`. */
export type Handler<A = never> = (args: A, call: Call) => unknown;

/** @returns the subject of the call (any value). @throws RestError when the caller may not. */
export type Permission = (args: Args, call: Call) => unknown;
