import type { RestError } from '../core/errors.ts';
import type { RecordList } from '../http/record-list.ts';
import type { RawBody, RestResponse } from '../http/response.ts';
import type { ServerEvent, StreamBody, StreamFormat } from '../http/stream-body.ts';
import type { JsonText } from '../json/json-document.ts';
import type { UploadedFile } from '../ports/uploads.ts';
import type { StandardSchema } from '../schema/from-standard.ts';
import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';
import type { TYPE_WORDS, TypeWord, ValueOfWord } from '../schema/type-words.ts';
import type { Call, Permission } from './call.ts';
import type { Answers, EndpointDescriptor, NamespaceDescriptor, RouteDescriptor } from './descriptor.ts';

/** The type word or words of a schema. */
type Word<S> = S extends { type: readonly (infer W)[] } ? W : S extends { type: infer W } ? W : never;

/** The type of a value whose schema has this type word. */
type OfWord<W, S> = W extends 'array'
  ? S extends { items: infer I }
    ? readonly ValueOf<I>[]
    : readonly unknown[]
  : W extends 'object'
    ? S extends { properties: infer P }
      ? MembersOf<P, { required: true }> & OthersOf<S, P>
      : OthersOf<S, Record<never, never>, Readonly<Record<string, unknown>>>
    : ValueOfWord<W>;

/** The members of an object beside its declared ones `P`. An index signature has the types of all members. `Open`: if the schema does not say. */
type OthersOf<S, P, Open = unknown> = S extends { additionalProperties: infer A }
  ? A extends true
    ? Readonly<Record<string, unknown>>
    : A extends false
      ? unknown extends Open
        ? unknown
        : Readonly<Record<string, never>>
      : Readonly<
          Record<
            string,
            ValueOf<A> | (P[keyof P] extends infer M ? (M extends unknown ? ValueOf<M> : never) : never)
          >
        >
  : Open;

/** The types of plain values by their type words. Most schemas are such a one, so the compiler looks here first. */
type PlainValues = {
  readonly [W in TypeWord as (typeof TYPE_WORDS)[W]['isScalar'] extends true ? W : never]: ValueOfWord<W>;
};

/** The type of a value that passed its schema. It promises no more than the validator checks. `S`: a schema; a constraint would cost the compiler more than all else. */
export type ValueOf<S> = S extends { oneOf: readonly unknown[] } | { enum: readonly unknown[] }
  ? ChosenOf<S>
  : S extends { type: infer W extends keyof PlainValues }
    ? PlainValues[W]
    : ChosenOf<S>;

/** The same of a schema that may list values or branches. */
type ChosenOf<S> =
  S extends StandardSchema<unknown, infer O>
    ? O
    : S extends { oneOf: readonly (infer O)[] }
      ? BranchOf<O>
      : S extends { enum: readonly (infer E)[] }
        ? E
        : [Word<S>] extends [never]
          ? unknown
          : OfWord<Word<S>, S>;

/** Defaults are filled in for args and for the members of a branch. In other objects a missing member means "leave unchanged". */
type BranchOf<S> = S extends { type: 'object'; properties: infer P extends ArgSchemas }
  ? ArgsOf<P>
  : ValueOf<S>;

/** The members of an object. Those whose schema extends `Certain` are always present. */
type MembersOf<A, Certain> = {
  readonly [K in keyof A as A[K] extends Certain ? K : never]: ValueOf<A[K]>;
} & { readonly [K in keyof A as A[K] extends Certain ? never : K]?: ValueOf<A[K]> };

/** The type of validated args. A member is always present if it is required or has a default other than null. */
export type ArgsOf<A extends ArgSchemas> = MembersOf<
  A,
  { required: true } | { default: NonNullable<unknown> }
>;

/** Names of the groups `(?P<name>…)` of a pattern. */
type WrittenGroups<P> = P extends `${string}(?P<${infer Name}>${infer Rest}`
  ? Name | WrittenGroups<Rest>
  : never;

/** Names of the groups `{name}` of a pattern. A number in braces is a repetition in an expression. */
type TypedGroups<P> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${number}` | `${number},${string}` ? never : Name) | TypedGroups<Rest>
  : never;

/** Names of the groups of a pattern. They are always present, because the route does not match without them. */
type Groups<P> = WrittenGroups<P> | TypedGroups<P>;

/** The listed and the hidden schemas of an endpoint. Either may describe a path group. */
type SchemasOf<E extends EndpointDescriptor> = E extends { body: infer B extends ArgSchemas }
  ? E['args'] & B
  : E['args'];

/** The args of the path. Groups without a schema are texts. */
type PathArgs<P, A extends ArgSchemas> = {
  readonly [K in Groups<P>]: K extends keyof A ? ValueOf<A[K]> : string;
};

/** The args of the body of an endpoint. */
type BodyArgs<E> = E extends { body: infer B extends ArgSchemas } ? ArgsOf<B> : unknown;

/** What a handler may return beside a plain value. A response may have any body; it is checked when it is sent. */
type Sent = RestResponse | RestError | RawBody | JsonText | StreamBody | AnyRecordList | Response;

/** A list of records of any type. */
type AnyRecordList = Pick<RecordList, 'records'> & {
  readonly show: (record: never, fields: null) => unknown;
};

/** The result of a handler: a value of one of the declared schemas, or a stream. Without `answers`, anything. */
type ReturnOf<E> = E extends { answers: infer A extends Answers }
  ? OrPromised<AnswerOf<A[keyof A]> | Sent | StreamOf<E>>
  : unknown;

/** A value, or a promise of it. */
type OrPromised<T> = T | PromiseLike<T>;

/** The items of each format. */
interface StreamItems extends Record<StreamFormat, unknown> {
  /** Items, a line each. */
  readonly ndjson: unknown;
  /** Events. */
  readonly sse: ServerEvent;
  /** Parts of a body, as bytes. */
  readonly bytes: Uint8Array;
}

/** What the handler of an endpoint with one format may return. */
type StreamOf<E> = E extends { streams: infer F extends StreamFormat }
  ? AsyncIterable<StreamItems[F]>
  : never;

/** The value of an answer that has a schema. */
type AnswerOf<S> = S extends ArgSchema ? ValueOf<S> : never;

/** The call of an endpoint: the files of a form are those that it declares. */
type CallOf<E, H> = E extends { accepts: { 'multipart/form-data': { files: infer F } } }
  ? Omit<Call<H>, 'files'> & { readonly files: FilesOf<F> }
  : Call<H>;

/** The files of a multipart body, by form field. */
type FilesOf<F> = {
  readonly [K in keyof F as F[K] extends { required: true } ? K : never]: readonly [
    UploadedFile,
    ...UploadedFile[],
  ];
} & {
  readonly [K in keyof F as F[K] extends { required: true } ? never : K]?: readonly UploadedFile[];
};

/** The handlers of one route, by id. */
type HandlersOfRoute<R extends RouteDescriptor, H> = R['endpoints'][number] extends infer E
  ? E extends EndpointDescriptor
    ? {
        [Id in E['handler']]: (
          args: PathArgs<R['pattern'], SchemasOf<E>> & ArgsOf<E['args']> & BodyArgs<E>,
          call: CallOf<E, H>,
        ) => ReturnOf<E>;
      }
    : never
  : never;

/** The intersection of the members of a union. */
type Intersect<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** A route of a namespace. */
type RouteOf<D extends NamespaceDescriptor> = D['routes'][number];

/** The handlers of all routes of a namespace, by id. */
type AllHandlers<D extends NamespaceDescriptor, H> = Intersect<
  RouteOf<D> extends infer R ? (R extends RouteDescriptor ? HandlersOfRoute<R, H> : never) : never
>;

/** One function per handler id of the namespace. Its first parameter has the type of the endpoint's args. `H`: type of `call.host`. */
export type Handlers<D extends NamespaceDescriptor, H = unknown> = {
  [K in keyof AllHandlers<D, H>]: AllHandlers<D, H>[K];
};

/** What a permission function can rely on: the args of the path. The others are missing when it is asked for `Allow`. */
type GuardedArgs<P, E extends EndpointDescriptor> = PathArgs<P, SchemasOf<E>> &
  Partial<ArgsOf<E['args']> & BodyArgs<E>>;

/** The args of each endpoint of a route whose permission has the id. */
type GuardedByRoute<R extends RouteDescriptor, Id> = R['endpoints'][number] extends infer E
  ? E extends EndpointDescriptor
    ? Id extends E['permission']
      ? GuardedArgs<R['pattern'], E>
      : never
    : never
  : never;

/** The args of each endpoint of a namespace whose permission has the id. */
type GuardedBy<D extends NamespaceDescriptor, Id> =
  RouteOf<D> extends infer R ? (R extends RouteDescriptor ? GuardedByRoute<R, Id> : never) : never;

/** The permissions that the endpoints of a namespace name. */
type PermissionIds<D extends NamespaceDescriptor> = Exclude<
  RouteOf<D>['endpoints'][number]['permission'],
  'public'
>;

/** The permission functions of a namespace, by id. A name without a function is a capability. The first parameter has the type of the args of the endpoints that name the function. */
export type Permissions<D extends NamespaceDescriptor, H = unknown> =
  string extends PermissionIds<D>
    ? Readonly<Record<string, Permission<H>>>
    : {
        readonly [Id in PermissionIds<D>]?: (
          args: GuardedBy<D, Id>,
          call: Call<H>,
        ) => ReturnType<Permission<H>>;
      };
