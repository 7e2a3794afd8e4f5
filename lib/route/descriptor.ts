import type { ArgSchema, ArgSchemas } from '../schema/schema-dialect.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Methods + args + handler id: what one caller can do with a route. */
export interface EndpointDescriptor {
  readonly methods: readonly Method[];
  /** Id of a function in the handlers that are registered with the descriptor. */
  readonly handler: string;
  /** `public`, a capability of the roles table, or the id of a permission function registered with the descriptor. */
  readonly permission: string;
  readonly allow_batch?: { readonly v1: true };
  /** What the index shows. */
  readonly args: ArgSchemas;
  /** Undeclared members that the handler reads all the same: validated, but not shown by the index. */
  readonly body?: ArgSchemas;
  /** `array`: the whole JSON body is one list, handed to the handler as `args.body` and validated by `body.body`. */
  readonly bodyForm?: 'members' | 'array';
  /** Parameters checked in a round of their own before all others (WordPress reports only these when one of them fails). */
  readonly checkFirst?: readonly string[];
  /** Parameter -> id of a value check registered with the descriptor, asked before the schema. */
  readonly checks?: Readonly<Record<string, string>>;
  /** Collections that an answer of this endpoint depends on. Absent: never cached. */
  readonly cache?: readonly string[];
  /** JSON Schema (dialect) of a successful answer. */
  readonly answer?: ArgSchema;
  /** In which forms a successful answer shows the resource of the route. */
  readonly shows?: readonly Form[];
  /** Status of every successful answer. Absent: not always the same, or not said. */
  readonly status?: number;
  /** The handler compares `If-Match` with the record that it changes. */
  readonly ifMatch?: true;
}

/** `page`: a part of a list, with the totals of the whole in headers; `removal`: `{deleted: true, previous}`. */
export type Form = 'record' | 'list' | 'page' | 'removal';

/** One entry of the index: `pattern` is its key, letter for letter, with named groups for identifiers. */
export interface RouteDescriptor {
  readonly pattern: string;
  readonly endpoints: readonly EndpointDescriptor[];
  /** Id of the resource whose schema OPTIONS shows. */
  readonly resource?: string;
}

/** A namespace as plain data. `index: false` leaves out its index route. */
export interface NamespaceDescriptor {
  readonly namespace: string;
  readonly routes: readonly RouteDescriptor[];
  readonly index?: false;
  /** Schemas of resources by id, with `context` and `readonly` on each field. */
  readonly resources?: Readonly<Record<string, ResourceDescriptor>>;
}

/** Fields and links of one kind of record, as OPTIONS shows them. */
export interface ResourceDescriptor {
  readonly title: string;
  readonly properties: ArgSchemas;
  /** Fields whose answers hold more than `properties` may say of them: these stand in the OpenAPI document in their place. */
  readonly answers?: ArgSchemas;
  readonly links?: Readonly<Record<string, LinkDescriptor>>;
}

/** `href`: path below the API base; `{field}` stands for a field of the record. */
export interface LinkDescriptor {
  readonly href: string;
  readonly embeddable?: true;
  /** Capabilities, parted by blanks, that the caller needs for the link to be shown. */
  readonly when?: string;
}
