import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Document } from '../describe/openapi-schema.ts';
import type { Call } from '../route/call.ts';

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
