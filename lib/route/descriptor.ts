import { own } from '../core/objects.ts';
import type { StreamFormat } from '../http/stream-body.ts';
import type { ArgSchema, ArgSchemas, Json } from '../schema/schema-dialect.ts';

/** The only media type that has files. */
export const MULTIPART = 'multipart/form-data';

/** One kind of file in a multipart body. */
export interface FileDescriptor {
  /** The request must have such a file. */
  readonly required?: true;
  /** How many files of this name a request may have. Default 1. */
  readonly maxCount?: number;
  /** Largest file, in bytes. Default: only the whole body is limited. */
  readonly maxBytes?: number;
  /** Media types that the client may name for it: `image/png`. Default: any. They do not prove what the file holds. */
  readonly types?: readonly string[];
}

/** The files of a multipart body by the name of their part. Other parts are args, and are validated like those of a form. */
export interface MultipartDescriptor {
  /**
   * The body of a caller without this capability is not read: the permission function decides on a call without its fields and
   * files. For endpoints whose permission is a function. Default: every body is read, and its files are stored, before the function is asked.
   */
  readonly capability?: string;
  /** The files that the body may have, by form field. */
  readonly files: Readonly<Record<string, FileDescriptor>>;
}

/**
 * How a body is read. `args`: JSON or a form, whose members are args. `bytes`: whole, as `call.bytes`; JSON and forms are args
 * as well. `stream`: while it arrives, as `call.stream`. Files of a multipart body are stored by the host and named in `call.files`.
 */
export type BodyReading = 'args' | 'bytes' | 'stream' | MultipartDescriptor;

/** Media range -> how its bodies are read. */
export type Accepts = Readonly<Record<string, BodyReading>>;

/** How a body of this type is read. The most specific range decides. null: the endpoint does not accept it. */
export function findReading(accepts: Accepts, essence: string): BodyReading | null {
  const type = essence.slice(0, essence.indexOf('/'));
  return own(accepts, essence) ?? own(accepts, `${type}/*`) ?? own(accepts, '*/*') ?? null;
}

/** Whether bodies may have files, which the host must store. */
export function hasFiles(accepts: Accepts = {}): boolean {
  return Object.values(accepts).some((reading) => typeof reading === 'object');
}

/** A method of an endpoint. HEAD is answered as GET, OPTIONS by the engine. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One thing that a caller can do with a route: methods, args and a handler id. */
export interface EndpointDescriptor {
  /** Methods of the endpoint. */
  readonly methods: readonly Method[];
  /** Id of a function in the handlers that are registered with the descriptor. */
  readonly handler: string;
  /** `public`, a capability of the engine, or the id of a permission function that is registered with the descriptor. */
  readonly permission: string;
  /** The endpoint may be called in a batch. */
  readonly allow_batch?: { readonly v1: true };
  /** The parameters that the index shows. */
  readonly args: ArgSchemas;
  /** Parameters that the handler reads but the index does not show. They are validated. */
  readonly body?: ArgSchemas;
  /** `array`: the JSON body is one list. It is validated by `body.body` and passed to the handler as `args.body`. */
  readonly bodyForm?: 'members' | 'array';
  /**
   * All media types of the request body, and how each is read. A body of another type is refused with 415. Absent: JSON and
   * forms are args, and the server limits their size.
   */
  readonly accepts?: Accepts;
  /** Largest request body, in bytes. Default: the limit of the server. Needs `accepts`. */
  readonly maxBodyBytes?: number;
  /** Parameters that are checked before all others. If one of them fails, WordPress reports only these. */
  readonly checkFirst?: readonly string[];
  /** Parameter -> id of a value check that is registered with the descriptor. It runs before the schema. */
  readonly checks?: Readonly<Record<string, string>>;
  /** Collections that a response of this endpoint depends on. Absent: responses are not cached. */
  readonly cache?: readonly string[];
  /** JSON Schema (dialect) of the successful responses by status, from 200 to 299. Fields that it does not declare are not sent. A plain value that the handler returns has the lowest status. */
  readonly answers?: Answers;
  /** The handler may return an async iterable, which is sent item by item in this format; in one of several with `StreamBody`. */
  readonly streams?: StreamFormat | readonly StreamFormat[];
  /** Media types of responses that may come instead of JSON. */
  readonly produces?: readonly string[];
  /** The forms in which a successful response shows the resource of the route. */
  readonly shows?: readonly Form[];
  /** Status of every successful response of an endpoint without `answers`. Absent: the status varies or is not documented. */
  readonly status?: number;
  /** The handler compares `If-Match` with the record that it changes. */
  readonly ifMatch?: true;
  /** How often a caller, or an address, may call the endpoint. */
  readonly limit?: LimitDescriptor;
  /** What a call does. Default: `read` if GET is the only method, `destroy` if DELETE is one, else `write`. */
  readonly effect?: Effect;
  /** Whether the same call twice does as much as once. `key`: if both have the same `Idempotency-Key`. Default: true for reads, and if each method is GET, PUT or DELETE. */
  readonly idempotent?: boolean | 'key';
  /** Top-level fields of a response whose text comes from people without an account or from other sites. Agents are told to read it as data. */
  readonly untrusted?: readonly string[];
  /** Name of the endpoint as a tool and as an ability. false: it is neither. Default: the id of its handler. */
  readonly tool?: string | false;
  /** Capabilities, one of which every permitted caller has. Lists of tools omit the endpoint for other callers. For permission functions that look at a record. */
  readonly needs?: readonly string[];
  /** One short line in English that names what the endpoint does. Catalogues translate it. */
  readonly summary?: string;
  /** What the endpoint does for its caller, in English. Catalogues translate it. */
  readonly description?: string;
  /** Groups of the OpenAPI document that show the endpoint. Default: its namespace. */
  readonly tags?: readonly string[];
  /** Clients should stop calling the endpoint. With dates, its responses say so. */
  readonly deprecated?: true | DeprecationDescriptor;
  /** Calls and responses by name, for the OpenAPI document. */
  readonly examples?: Readonly<Record<string, ExampleDescriptor>>;
}

/** `read` changes nothing that a caller can see, `write` adds or changes, `destroy` can remove what somebody has written. */
export type Effect = 'read' | 'write' | 'destroy';

/** A limit of calls. Anonymous callers are counted by address. */
export interface LimitDescriptor {
  /** What is counted: the calls of one caller, or those from one address. */
  readonly per: 'caller' | 'address';
  /** Number of calls in a time: `60/min`; also `s`, `h` and `day`. */
  readonly rate: string;
}

/** The end of an endpoint's life. Dates are those of a calendar, such as `2027-06-30`, in UTC. */
export interface DeprecationDescriptor {
  /** Since when clients should stop calling it (RFC 9745). */
  readonly since: string;
  /** From when on it may not answer any more (RFC 8594). */
  readonly sunset?: string;
  /** What to call instead: a path below the API, or an address. */
  readonly use?: string;
}

/** One call of an endpoint and its response. Registration checks both against the schemas of the endpoint. */
export interface ExampleDescriptor {
  /** What the example shows. */
  readonly summary?: string;
  /** Values of parameters of path, query and body. */
  readonly args?: Readonly<Record<string, Json>>;
  /** The body of the response. */
  readonly answer?: Json;
}

/** Status -> schema. `2XX`: every other status from 200 to 299. */
export type Answers = Readonly<Record<number, ArgSchema>> & { readonly '2XX'?: ArgSchema };

/** `page`: part of a list, with the totals in headers. `removal`: `{deleted: true, previous}`. */
export type Form = 'record' | 'list' | 'page' | 'removal';

/** One entry of the index. `pattern` is its key, with a named group for each identifier: `(?P<id>[\d]+)`, which is verbatim, or `{id}`, which the index shows in that form. */
export interface RouteDescriptor {
  /** Path below the namespace, with groups as `{id}` or `(?P<id>[\d]+)`. */
  readonly pattern: string;
  /** The endpoints. Each method belongs to one of them. */
  readonly endpoints: readonly EndpointDescriptor[];
  /** The route is served, but index and OpenAPI document do not show it. */
  readonly hidden?: true;
  /** Id of the resource whose schema OPTIONS shows. */
  readonly resource?: string;
}

/** A namespace as plain data. `index: false`: the namespace has no index route. */
export interface NamespaceDescriptor {
  /** Name and version, such as `shop/v1`. It begins the addresses of its routes. */
  readonly namespace: string;
  /** The routes, in the order of the index. */
  readonly routes: readonly RouteDescriptor[];
  /** false: the namespace has no index of its own. */
  readonly index?: false;
  /** Schemas of resources by id, with `context` and `readonly` on each field. */
  readonly resources?: Readonly<Record<string, ResourceDescriptor>>;
}

/** Fields and links of one kind of record, as shown by OPTIONS. */
export interface ResourceDescriptor {
  /** Name of the resource. */
  readonly title: string;
  /** The fields, in their order. */
  readonly properties: ArgSchemas;
  /** Fields whose responses hold more than `properties` may say. The OpenAPI document shows these schemas instead. */
  readonly answers?: ArgSchemas;
  /** Links of each record, by relation. */
  readonly links?: Readonly<Record<string, LinkDescriptor>>;
}

/** `href`: path below the API base. `{field}` stands for a field of the record. */
export interface LinkDescriptor {
  /** Address of the target; members of the record stand in braces. */
  readonly href: string;
  /** `_embed` includes the target. */
  readonly embeddable?: true;
  /** Capabilities, separated by spaces, that the caller needs to see the link. */
  readonly when?: string;
}
