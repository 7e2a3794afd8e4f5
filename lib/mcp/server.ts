import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Document } from '../describe/openapi-schema.ts';
import type { Call } from '../route/call.ts';
import { RpcError, type RpcMessage, type RpcParams, SERVER_INFO } from './protocol.ts';
import type { ToolChoice } from './tools.ts';

/** An argument of a prompt. Its value is a text. */
export interface McpArgument {
  /** Its name. */
  readonly name: string;
  /** What it is, for people. */
  readonly description?: string;
  /** Default false. */
  readonly required?: boolean;
  /** Values that clients suggest. Others are allowed as well. Default: none. */
  readonly values?: readonly string[];
}

/** A text with which people begin a conversation. */
export interface McpPrompt {
  /** Its name. */
  readonly name: string;
  /** Its title, for people. */
  readonly title?: string;
  /** What it is for, in one sentence. */
  readonly description?: string;
  /** Default: none. */
  readonly arguments?: readonly McpArgument[];
  /** The messages, as the protocol has them: `{ role: 'user', content: { type: 'text', text } }`. `args`: each required argument is there. */
  readonly messages: (
    args: Readonly<Record<string, string>>,
    call: Call,
  ) => MaybePromise<readonly Document[]>;
}

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

/** What a server says of itself and offers. */
export interface McpServer {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly tools: ToolChoice;
  readonly resources: McpResources | undefined;
  readonly prompts: readonly McpPrompt[];
}

/** One request of a client. */
export interface Asked {
  readonly id: RpcMessage['id'];
  readonly params: RpcParams;
  readonly call: Call;
  readonly server: McpServer;
  readonly isModern: boolean;
}

export const infoOf = ({ name, version }: McpServer): Document => ({ name, version });

/** Members of every result of the revision without sessions. */
export const metaOf = (server: McpServer): Document => ({ [SERVER_INFO]: infoOf(server) });

/** The URI of the resource that a client asks for. @throws RpcError for anything but a text */
export function uriOf({ params: { uri } }: Asked): string {
  if (typeof uri !== 'string')
    throw new RpcError('invalidParams', 'params.uri must be the URI of a resource.');
  return uri;
}

/** The error for a resource that is not there for the caller. */
export const notFound = (uri: string, { isModern }: Asked): RpcError =>
  new RpcError(isModern ? 'invalidParams' : 'unknownResource', 'Resource not found', { data: { uri } });
