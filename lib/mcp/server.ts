import type { Document } from '../describe/openapi-schema.ts';
import type { Call } from '../route/call.ts';
import type { McpPrompt } from './prompts.ts';
import type { McpResources } from './resources.ts';
import { SERVER_INFO } from './revisions.ts';
import { RpcError, type RpcMessage, type RpcParams } from './rpc.ts';
import type { ToolChoice } from './tools.ts';

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
