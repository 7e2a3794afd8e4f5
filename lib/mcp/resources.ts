import type { Document } from '../describe/openapi-schema.ts';
import type { Call } from '../route/call.ts';

/** A resource of the Model Context Protocol, as lists show it. */
export interface McpResource {
  /** Its address. */
  readonly uri: string;
  /** Its name. */
  readonly name: string;
  /** Its title, for people. */
  readonly title?: string;
  /** What it is for, in one sentence. */
  readonly description?: string;
  /** Media type of the text. */
  readonly mimeType?: string;
  /** Hints for clients. */
  readonly annotations?: Document;
}

/** A family of resources, by a URI template (RFC 6570). */
export interface McpTemplate extends Omit<McpResource, 'uri'> {
  /** The address with its variables. */
  readonly uriTemplate: string;
  /** Values that clients suggest, by variable. Default: none. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/** What a resource holds. */
export type McpContents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** The resources that a subscriber hears of. */
export interface McpWatch {
  /** Those that the caller may read. */
  readonly watched: readonly string[];
  /** Their URIs, each time one of them changes or is there no more. It ends when the server stops. */
  readonly updates: AsyncIterable<string>;
}

/** The resources of an engine. Each function sees only what the caller may see. */
export interface McpResources {
  /** The templates of addresses. */
  readonly templates: readonly McpTemplate[];
  /** One page of the resources. `page`: from 1. `more`: there is another page. */
  readonly list: (
    page: number,
    call: Call,
  ) => Promise<{ readonly resources: readonly McpResource[]; readonly more: boolean }>;
  /** null: there is no such resource for the caller. */
  readonly read: (uri: string, call: Call) => Promise<readonly McpContents[] | null>;
  /** Watches some of the resources until the call ends. Absent: clients cannot subscribe. */
  readonly watch?: (uris: readonly string[], call: Call) => Promise<McpWatch>;
}
